// Powers and roots.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

/// Square root.  y' = 1 / (2 y).
struct sqrt : transcendental<1> {
  static constexpr auto name = "sqrt";
  static constexpr interval domain{0.25, 4};
  static constexpr auto value(auto x) { return math::sqrt(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g / (2 * y)}; }
};

/// Square.  y' = 2 x.
struct square : elementwise<1> {
  static constexpr auto name = "square";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return x * x; }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * (2 * x)}; }
};

}  // namespace etch::inline ETCH_ABI::op

namespace etch::inline ETCH_ABI {

template <handle X>
constexpr auto sqrt(X const& x) {
  return apply<op::sqrt>(x);
}
template <handle X>
constexpr auto square(X const& x) {
  return apply<op::square>(x);
}

}  // namespace etch::inline ETCH_ABI
