// Piecewise linear activation functions.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

/// max(x, 0).  y' is 1 where y > 0, else 0 (also at 0), and NaN where x is.
struct relu : elementwise<1> {
  static constexpr auto name = "relu";
  static constexpr interval domain{0.25, 4};
  static constexpr auto value(auto x) { return math::relu(x); }
  static constexpr auto pullback(auto g, auto y, auto) {
    return operands{emit<select>(0, less_than(0, y), g, y)};  // elsewhere y is 0 or NaN, and so is the gradient
  }
};

}  // namespace etch::inline ETCH_ABI::op

namespace etch::inline ETCH_ABI {

template <handle X>
constexpr auto relu(X const& x) {
  return apply<op::relu>(x);
}

}  // namespace etch::inline ETCH_ABI
