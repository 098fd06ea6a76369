// The Helmholtz energy of a mixture of n components, a standard of the field (A. Griewank, On automatic
// differentiation, 1989), in units of R T.
#pragma once

#include <numbers>

namespace helmholtz {

inline constexpr int components = 16;
inline constexpr double root = std::numbers::sqrt2;

inline constexpr auto energy = [](auto x, auto b, auto a) {
  auto const u = dot(b, x), q = dot(x, a * x);
  return sum(cwise_product(x, log(x / (1.0 - u)))) -
         q / (2.0 * root * u) * log((1.0 + (1.0 + root) * u) / (1.0 + (1.0 - root) * u));
};

}  // namespace helmholtz
