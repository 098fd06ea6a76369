// By hand: with u = b·x, q = x·A x, and S the sum of x, the energy is sum of x log x - S log(1 - u) - q L(u), where
// L(u) = log((1 + r u) / (1 + s u)) / (2 √2 u). Its Hessian is a diagonal, -2 L A, and terms of rank one, two columns
// of registers wide.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace helmholtz {

namespace {

using column = bench::register_of<double, components>::type;

/// All that the Hessian has besides A: H = diag(1 / x) - 2 L A + b k' + k b', where k holds what goes with b.
struct parts {
  column b, k, over_x;
  double twice_l;
};
[[gnu::always_inline]] inline parts parts_of(data const& d) {
  auto const x = bench::load<column>(d.x.data()), b = bench::load<column>(d.b.data());
  column ax[2]{};
  for (int j = 0; j < components; j += 2)
    for (int k = 0; k < 2; ++k) ax[k] += bench::load<column>(d.a.data() + (j + k) * components) * d.x(j + k);
  column const both = ax[0] + ax[1];
  double const u = bench::sum_of(b * x), q = bench::sum_of(x * both), total = bench::sum_of(x), over = 1 / (1 - u);
  constexpr double r = 1 + root, s = 1 - root, scale = 1 / (2 * root);
  double const p = 1 + r * u, m = 1 + s * u, log_ratio = std::log(p / m);
  // M = log ratio: M' = r / p - s / m, M'' = (s / m)² - (r / p)²; L = scale M / u.
  double const slope_p = r / p, slope_m = s / m, first = slope_p - slope_m,
               second = slope_m * slope_m - slope_p * slope_p;
  double const v = 1 / u, l = scale * log_ratio * v, l1 = (scale * first - l) * v, l2 = (scale * second - 2 * l1) * v;
  column const k = over + 0.5 * (total * over * over - q * l2) * b - 2 * l1 * both;
  return {b, k, 1 / x, 2 * l};
}

alignas(64) double matrix[entries], vector[components];

}  // namespace

hessian_rival const whole{
    "hand", [](data const& d, auto& g) {
      return many_times(g, [&] {
        parts const h = parts_of(d);
        for (int j = 0; j < components; ++j)
          bench::store(matrix + j * components,
                       h.b * h.k[j] + h.k * h.b[j] - h.twice_l * bench::load<column>(d.a.data() + j * components));
        for (int j = 0; j < components; ++j) matrix[j * (components + 1)] += h.over_x[j];
        return static_cast<double const*>(matrix);
      });
    }};

product_rival const product{"hand", [](data const& d, auto& g) {
                              return many_times(g, [&] {
                                parts const h = parts_of(d);
                                auto const v = bench::load<column>(d.v.data());
                                column av[2]{};
                                for (int j = 0; j < components; j += 2)
                                  for (int k = 0; k < 2; ++k)
                                    av[k] += bench::load<column>(d.a.data() + (j + k) * components) * d.v(j + k);
                                bench::store(vector, h.over_x * v - h.twice_l * (av[0] + av[1]) +
                                                         h.b * bench::sum_of(h.k * v) + h.k * bench::sum_of(h.b * v));
                                return static_cast<double const*>(vector);
                              });
                            }};

}  // namespace helmholtz
