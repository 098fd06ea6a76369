// Hyperbolic functions and their inverses.
#pragma once

#include <etch/op/power.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Hyperbolic sine.
struct sinh : transcendental<1> {
  static constexpr auto name = "sinh";
  static constexpr auto formula = "(e^x - e^-x) / 2";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::sinh(x); }
  static constexpr auto pullback(auto g, auto, auto x);
};

/// Hyperbolic cosine.
struct cosh : transcendental<1> {
  static constexpr auto name = "cosh";
  static constexpr auto formula = "(e^x + e^-x) / 2";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::cosh(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * emit<sinh>(0, x)}; }
};

constexpr auto sinh::pullback(auto g, auto, auto x) { return operands{g * emit<cosh>(0, x)}; }

/// Hyperbolic tangent.  y' = 1 - y², so the way back needs only the answer; precisely 4 e / (1 + e)², e = exp(-2 |x|).
struct tanh : transcendental<1> {
  static constexpr auto name = "tanh";
  static constexpr auto formula = "(e^x - e^-x) / (e^x + e^-x)";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::tanh(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (1 - y * y)}; }
  static constexpr auto precise_pullback(auto g, auto, auto x) {
    auto const e = emit<exp>(0, 2 * emit<select>(0, less_than(0, x), -x, x));
    return operands{g * (4 * e / emit<square>(0, 1 + e))};
  }
};

/// Inverse hyperbolic sine.  y' = 1 / hypot(1, x), where x² may overflow.
struct asinh : transcendental<1> {
  static constexpr auto name = "asinh";
  static constexpr auto formula = "log(x + sqrt(x^2 + 1))";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::asinh(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g / combine<hypot>(1, x)}; }
};

/// Inverse hyperbolic cosine.  y' = 1 / (sqrt(x - 1) sqrt(x + 1)).
struct acosh : transcendental<1> {
  static constexpr auto name = "acosh";
  static constexpr auto call = "acosh(1 + x)";
  static constexpr auto formula = "log(x + sqrt(x^2 - 1))";
  static constexpr auto kinks = "gradient inf at 1, NaN below";
  static constexpr interval domain{1.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::acosh(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{g / (emit<sqrt>(0, x - 1) * emit<sqrt>(0, x + 1))};
  }
};

/// Inverse hyperbolic tangent.  y' = 1 / (1 - x²).
struct atanh : transcendental<1> {
  static constexpr auto name = "atanh";
  static constexpr auto formula = "log((1 + x) / (1 - x)) / 2";
  static constexpr auto kinks = "gradient inf at -1 and 1, NaN beyond";
  static constexpr interval domain{-0.75, 0.75};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::atanh(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    auto const square_of_x = emit<square>(0, x);
    return operands{unless(less_than(1, square_of_x), g / (1 - square_of_x))};
  }
  static constexpr auto precise_pullback(auto g, auto, auto x) {
    auto const rest = (1 - x) * (1 + x);
    return operands{unless(less_than(rest, 0), g / rest)};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The hyperbolic sine of every entry. The shape of `x`.
template <handle X>
constexpr auto sinh(X const& x) {
  return apply<op::sinh>(x);
}
/// The hyperbolic cosine of every entry. The shape of `x`.
template <handle X>
constexpr auto cosh(X const& x) {
  return apply<op::cosh>(x);
}
/// The hyperbolic tangent of every entry. The shape of `x`.
template <handle X>
constexpr auto tanh(X const& x) {
  return apply<op::tanh>(x);
}
/// The inverse hyperbolic sine of every entry. The shape of `x`.
template <handle X>
constexpr auto asinh(X const& x) {
  return apply<op::asinh>(x);
}
/// The inverse hyperbolic cosine of every entry; NaN below 1. The shape of `x`.
template <handle X>
constexpr auto acosh(X const& x) {
  return apply<op::acosh>(x);
}
/// The inverse hyperbolic tangent of every entry; NaN beyond -1 and 1. The shape of `x`.
template <handle X>
constexpr auto atanh(X const& x) {
  return apply<op::atanh>(x);
}

ETCH_NAMESPACE_END
