// ADBench's mixture of Gaussians: the log-likelihood of points, each component with the inverse
// factor of its covariance, and a prior.
#pragma once

#include <numbers>
#include <utility>

namespace gmm_problem {

/// The rows from `From` on, `Count` of them, of column `I` of the lower triangular factors of all components:
/// zeros, exp(q_I), and below it entries of l.
template <int D, int I, int From, int Count>
constexpr auto factor_column(auto const& icf) {
  constexpr int k = std::remove_cvref_t<decltype(icf)>::extent[1], zeros = I > From ? I - From : 0;
  constexpr int row = From > I ? From : I + 1, below = From + Count - row,
                first = D + I * (D - 1) - I * (I - 1) / 2 + row - I - 1;
  auto const shaped = [](auto const& part) { return etch::reshape<Count, 1, k>(etch::pad<0, zeros, 0>(part)); };
  if constexpr (I < From) return shaped(etch::slice<0, first, below>(icf));
  else if constexpr (below == 0) return shaped(exp(etch::slice<0, I, 1>(icf)));
  else return shaped(etch::concat<0>(exp(etch::slice<0, I, 1>(icf)), etch::slice<0, first, below>(icf)));
}
/// The block of the factors that begins in row `From` and the first column, `Rows` by `Columns` for each component.
template <int D, int From, int Rows, int Columns>
constexpr auto factor_block(auto const& icf) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return etch::concat<1>(factor_column<D, I, From, Rows>(icf)...);
  }(std::make_integer_sequence<int, Columns>{});
}

/// `alpha` [k], `means` [d, k], `icf` [d (d + 1) / 2, k], `x` [d, n]; `constant` is k C of ADBench's definition.
inline constexpr auto loss = [](auto alpha, auto means, auto icf, auto x, auto gamma, auto m, auto constant) {
  constexpr int d = decltype(x)::extent[0], n = decltype(x)::extent[1], k = decltype(alpha)::extent[0];
  // Two blocks of rows, so that most of the zeros above the diagonal are left out.
  constexpr int half = d / 2;
  auto const top = factor_block<d, 0, half, half>(icf);
  auto const bottom = factor_block<d, half, d - half, d>(icf);
  auto const q = etch::slice<0, 0, d>(icf);
  auto const l = etch::slice<0, d, d*(d - 1) / 2>(icf);
  auto const sum_q = etch::reshape<k>(etch::sum<0>(q));
  auto const likelihood = etch::sum_map(
      [&](auto point) {
        auto const away = etch::reshape<d, 1, k>(point - means);
        auto const squares =
            etch::sum<0>(square(top * etch::slice<0, 0, half>(away))) + etch::sum<0>(square(bottom * away));
        return logsumexp(alpha + sum_q - 0.5 * etch::reshape<k>(squares));
      },
      x);
  auto const prior = 0.5 * square(gamma) * (sum(exp(2.0 * q)) + sum(square(l))) - m * sum(sum_q) - constant;
  return likelihood - n * logsumexp(alpha) + prior - n * d * 0.5 * etch::math::log(2 * std::numbers::pi);
};

}  // namespace gmm_problem
