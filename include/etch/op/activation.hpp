// Smooth activation functions.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

/// Logistic function 1 / (1 + e^-x).  y' = y (1 - y).
struct sigmoid : transcendental<1> {
  static constexpr auto name = "sigmoid";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return math::sigmoid(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (y * (1 - y))}; }
};

}  // namespace etch::inline ETCH_ABI::op

namespace etch::inline ETCH_ABI {

template <handle X>
constexpr auto sigmoid(X const& x) {
  return apply<op::sigmoid>(x);
}

}  // namespace etch::inline ETCH_ABI
