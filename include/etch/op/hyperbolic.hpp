// Hyperbolic functions and their inverses.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

/// Hyperbolic tangent.  y' = 1 - y², so the way back needs only the answer.
struct tanh : transcendental<1> {
  static constexpr auto name = "tanh";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return math::tanh(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (1 - y * y)}; }
};

}  // namespace etch::inline ETCH_ABI::op

namespace etch::inline ETCH_ABI {

template <handle X>
constexpr auto tanh(X const& x) {
  return apply<op::tanh>(x);
}

}  // namespace etch::inline ETCH_ABI
