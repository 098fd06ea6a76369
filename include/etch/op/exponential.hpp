// Exponentials and logarithms.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

/// Exponential.  y' = y.
struct exp : transcendental<1> {
  static constexpr auto name = "exp";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return math::exp(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * y}; }
};

/// Natural logarithm.  y' = 1 / x; NaN where the logarithm is.
struct log : transcendental<1> {
  static constexpr auto name = "log";
  static constexpr interval domain{0.25, 4};
  static constexpr auto value(auto x) { return math::log(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{emit<select>(0, less_than(x, 0), constant(*x.owner, x->type, std::numeric_limits<double>::quiet_NaN()), g / x)};
  }
};

}  // namespace etch::inline ETCH_ABI::op

namespace etch::inline ETCH_ABI {

template <handle X>
constexpr auto exp(X const& x) {
  return apply<op::exp>(x);
}
template <handle X>
constexpr auto log(X const& x) {
  return apply<op::log>(x);
}

}  // namespace etch::inline ETCH_ABI
