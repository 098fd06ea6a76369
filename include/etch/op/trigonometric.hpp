// Circular functions and their inverses.
#pragma once

#include <etch/op/extremum.hpp>
#include <etch/op/power.hpp>
#include <etch/op/rounding.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Sine.
struct sin : transcendental<1> {
  static constexpr auto name = "sin";
  static constexpr auto formula = "sin(x)";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::sin(x); }
  static constexpr auto pullback(auto g, auto, auto x);
};

/// Cosine.
struct cos : transcendental<1> {
  static constexpr auto name = "cos";
  static constexpr auto formula = "cos(x)";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::cos(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{-(g * emit<sin>(0, x))}; }
};

constexpr auto sin::pullback(auto g, auto, auto x) { return operands{g * emit<cos>(0, x)}; }

/// Tangent.  y' = 1 + y².
struct tan : transcendental<1> {
  static constexpr auto name = "tan";
  static constexpr auto formula = "sin(x) / cos(x)";
  static constexpr interval domain{-1.25, 1.25};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::tan(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (1 + emit<square>(0, y))}; }
};

/// Inverse sine.  y' = 1 / sqrt(1 - x²).
struct asin : transcendental<1> {
  static constexpr auto name = "asin";
  static constexpr auto formula = "the y in [-pi/2, pi/2] with sin(y) = x";
  static constexpr auto kinks = "gradient inf at -1 and 1, NaN beyond";
  static constexpr interval domain{-0.75, 0.75};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::asin(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g / emit<sqrt>(0, 1 - emit<square>(0, x))}; }
  static constexpr auto precise_pullback(auto g, auto, auto x) {
    return operands{g / emit<sqrt>(0, (1 - x) * (1 + x))};
  }
};

/// Inverse cosine.  y' = -1 / sqrt(1 - x²).
struct acos : transcendental<1> {
  static constexpr auto name = "acos";
  static constexpr auto formula = "the y in [0, pi] with cos(y) = x";
  static constexpr auto kinks = "gradient -inf at -1 and 1, NaN beyond";
  static constexpr interval domain{-0.75, 0.75};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::acos(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{-(g / emit<sqrt>(0, 1 - emit<square>(0, x)))};
  }
  static constexpr auto precise_pullback(auto g, auto, auto x) {
    return operands{-(g / emit<sqrt>(0, (1 - x) * (1 + x)))};
  }
};

/// Inverse tangent.  y' = 1 / (1 + x²); precisely with h = hypot(1, x), whose square may overflow.
struct atan : transcendental<1> {
  static constexpr auto name = "atan";
  static constexpr auto formula = "the y in [-pi/2, pi/2] with tan(y) = x";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::atan(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g / (1 + emit<square>(0, x))}; }
  static constexpr auto precise_pullback(auto g, auto, auto x) {
    auto const h = combine<hypot>(1, x);
    return operands{g * (1 / h / h)};
  }
};

/// The power of 2 by which a and b are multiplied where squares of the larger one would overflow or lose digits,
/// else 1. Beside a constant c of ordinary size it always is 1: c² is no loss of digits, and where x² overflows,
/// c / (c² + x²) is below all normal numbers.
constexpr term scale_of_squares(term a, term b) {
  element const type = a->type;
  auto const number = [&](double x) { return constant(*a.owner, type, x); };
  auto const is_ordinary = [](term x) {
    if (!is_constant(x)) return false;
    double const c = math::abs(value_of(x->attributes));
    return c >= 0x1p-30 && c <= 4;
  };
  if (is_ordinary(a) || is_ordinary(b)) return number(1);
  term const larger = emit<maximum>(0, emit<abs>(0, a), emit<abs>(0, b));
  bool const is_single = type == element::f32;
  auto const large = number(is_single ? 0x1p62 : 0x1p510), small = number(is_single ? 0x1p-50 : 0x1p-480);
  auto const down = number(is_single ? 0x1p-70 : 0x1p-520), up = number(is_single ? 0x1p100 : 0x1p600);
  return emit<select>(0, emit<less>(0, large, larger), down,
                      emit<select>(0, emit<less>(0, larger, small), up, number(1)));
}

/// The angle of the point (b, a).  dy/da = b / (a² + b²), dy/db = -a / (a² + b²).
struct atan2 : transcendental<2> {
  static constexpr auto name = "atan2";
  static constexpr auto formula = "the angle of the point (b, a), in [-pi, pi]";
  static constexpr auto kinks = "gradients NaN at (0, 0)";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto a, auto b) { return math::atan2(a, b); }
  static constexpr auto pullback(auto g, auto, auto a, auto b) {
    term const scale = scale_of_squares(a, b), p = scale * a, q = scale * b;
    term const squares = emit<square>(0, p) + emit<square>(0, q);
    return operands{g * (q / squares * scale), -(g * (p / squares * scale))};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The sine of every entry, in radians. The shape of `x`.
template <handle X>
constexpr auto sin(X const& x) {
  return apply<op::sin>(x);
}
/// The cosine of every entry, in radians. The shape of `x`.
template <handle X>
constexpr auto cos(X const& x) {
  return apply<op::cos>(x);
}
/// The tangent of every entry, in radians. The shape of `x`.
template <handle X>
constexpr auto tan(X const& x) {
  return apply<op::tan>(x);
}
/// The inverse sine of every entry, in [-pi/2, pi/2]; NaN beyond -1 and 1. The shape of `x`.
template <handle X>
constexpr auto asin(X const& x) {
  return apply<op::asin>(x);
}
/// The inverse cosine of every entry, in [0, pi]; NaN beyond -1 and 1. The shape of `x`.
template <handle X>
constexpr auto acos(X const& x) {
  return apply<op::acos>(x);
}
/// The inverse tangent of every entry, in [-pi/2, pi/2]. The shape of `x`.
template <handle X>
constexpr auto atan(X const& x) {
  return apply<op::atan>(x);
}
/// The angle of the point (b, a), in [-pi, pi].
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto atan2(A const& a, B const& b) {
  return combine<op::atan2>(a, b);
}

ETCH_NAMESPACE_END
