// Derivatives along tangent vectors by differences of values.
#pragma once

#include "manifold/elements.hpp"

namespace elements {

/// The vector whose entry `i` is `h`.
template <class V>
V along(int i, double h) {
  V e;
  e[static_cast<std::size_t>(i)] = static_cast<typename V::scalar_type>(h);
  return e;
}
/// Gradient of value(x) along tangent vectors, by central differences extrapolated once.
template <class X>
auto gradient_by_differences(auto const& value, X const& x) {
  using V = typename argument<X>::gradient;
  V g;
  for (int i = 0; i < static_cast<int>(V::count); ++i) {
    auto const slope = [&](double h) {
      return (value(retract(x, along<V>(i, h))) - value(retract(x, along<V>(i, -h)))) / (2 * h);
    };
    g[static_cast<std::size_t>(i)] = (4 * slope(1e-3) - slope(2e-3)) / 3;
  }
  return g;
}
/// Entry i, j of the Hessian of v -> value(retract(x, v)) at 0.
template <class X>
double second_difference(auto const& value, X const& x, int i, int j) {
  using V = typename argument<X>::gradient;
  auto const at = [&](double a, double b) {
    V v;
    v[static_cast<std::size_t>(i)] += a, v[static_cast<std::size_t>(j)] += b;
    return value(retract(x, v));
  };
  auto const bend = [&](double h) { return (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h * h); };
  return (4 * bend(1e-3) - bend(2e-3)) / 3;
}

}  // namespace elements
