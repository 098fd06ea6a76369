// ADBench's mixture of Gaussians: the log-likelihood of points, each component with the inverse factor of its covariance, and a prior.
#pragma once

#include <numbers>
#include <utility>

namespace gmm_problem {

/// Column `I` of the lower triangular factors of all components: zeros, exp(q_I), the entries of l below it.
template <int I>
constexpr auto factor_column(auto const& icf) {
  using X = std::remove_cvref_t<decltype(icf)>;
  constexpr int k = X::extent[1];
  constexpr int d = [] {
    int n = 1;
    while (n * (n + 1) / 2 < X::extent[0]) ++n;
    return n;
  }();
  constexpr int first = d + I * (d - 1) - I * (I - 1) / 2, below = d - 1 - I;
  auto const diagonal = exp(etch::slice<0, I, 1>(icf));
  auto const shaped = [](auto const& part) { return etch::reshape<d, 1, k>(etch::pad<0, I, 0>(part)); };
  if constexpr (below == 0) return shaped(diagonal);
  else return shaped(etch::concat<0>(diagonal, etch::slice<0, first, below>(icf)));
}

/// `alpha` [k], `means` [d, k], `icf` [d (d + 1) / 2, k], `x` [d, n]; `constant` is k C of ADBench's definition.
inline constexpr auto loss = [](auto alpha, auto means, auto icf, auto x, auto gamma, auto m, auto constant) {
  constexpr int d = decltype(x)::extent[0], n = decltype(x)::extent[1], k = decltype(alpha)::extent[0];
  auto const factors = [&]<int... I>(std::integer_sequence<int, I...>) { return etch::concat<1>(factor_column<I>(icf)...); }
  (std::make_integer_sequence<int, d>{});
  auto const q = etch::slice<0, 0, d>(icf), l = etch::slice<0, d, d * (d - 1) / 2>(icf);
  auto const sum_q = etch::sum<0>(q);
  auto const likelihood = etch::sum_map(
      [&](auto point) {
        auto const r = factors * etch::reshape<d, 1, k>(point - means);
        return logsumexp(alpha + sum_q - 0.5 * etch::sum<0>(square(etch::reshape<d, k>(r))));
      },
      x);
  auto const prior = 0.5 * square(gamma) * (sum(exp(2.0 * q)) + sum(square(l))) - m * sum(sum_q) - constant;
  return likelihood - n * logsumexp(alpha) + prior - n * d * 0.5 * std::log(2 * std::numbers::pi);
};

}  // namespace gmm_problem
