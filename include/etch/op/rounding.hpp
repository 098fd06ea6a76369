// Magnitude, sign and rounding.
#pragma once

#include <etch/op/compare.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// -1, 0 or 1. A zero keeps its sign, NaN stays; the gradient is 0.
struct sign : piecewise_constant<1> {
  static constexpr auto name = "sign";
  static constexpr auto formula = "x / |x|";
  static constexpr auto kinks = "0 at 0; gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::sign(x); }
};

/// Magnitude.  y' = sign(x), hence 0 at 0.
struct abs : elementwise<1> {
  static constexpr auto name = "abs";
  static constexpr auto formula = "|x|";
  static constexpr auto kinks = "gradient 0 at 0";
  static constexpr interval domain{-4, -0.25};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::abs(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * emit<sign>(0, x)}; }
};

/// The largest integer not above x; the gradient is 0.
struct floor : piecewise_constant<1> {
  static constexpr auto name = "floor";
  static constexpr auto formula = "the largest integer n <= x";
  static constexpr auto kinks = "gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::floor(x); }
};

/// The smallest integer not below x; the gradient is 0.
struct ceil : piecewise_constant<1> {
  static constexpr auto name = "ceil";
  static constexpr auto formula = "the smallest integer n >= x";
  static constexpr auto kinks = "gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::ceil(x); }
};

/// The nearest integer, halves away from 0 as in std::round; the gradient is 0.
struct round : piecewise_constant<1> {
  static constexpr auto name = "round";
  static constexpr auto formula = "the nearest integer";
  static constexpr auto kinks = "halves go away from 0; gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::round(x); }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The absolute value of every entry. The shape of `x`.
template <handle X>
constexpr auto abs(X const& x) {
  return apply<op::abs>(x);
}
/// -1, 0 or 1 for every entry, by its sign. The shape of `x`.
template <handle X>
constexpr auto sign(X const& x) {
  return apply<op::sign>(x);
}
/// The next whole number below or at every entry. The shape of `x`.
template <handle X>
constexpr auto floor(X const& x) {
  return apply<op::floor>(x);
}
/// The next whole number above or at every entry. The shape of `x`.
template <handle X>
constexpr auto ceil(X const& x) {
  return apply<op::ceil>(x);
}
/// The nearest whole number to every entry, halves away from 0. The shape of `x`.
template <handle X>
constexpr auto round(X const& x) {
  return apply<op::round>(x);
}

ETCH_NAMESPACE_END
