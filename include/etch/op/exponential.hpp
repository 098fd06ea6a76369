// Exponentials and logarithms.
#pragma once

#include <etch/op/compare.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// `x` with -0 made 0, so that a pole there is met from inside the domain; its derivative is 1.
constexpr term unsigned_zero(term x) { return x + less_than(x, x); }

/// `value`, but NaN where the mask `undefined` is set, and so are its derivatives.
constexpr term unless(term undefined, term value) {
  auto const number = [&](double x) { return constant(*value.owner, value->type, x); };
  return value * emit<select>(0, undefined, number(math::not_a_number<double>), number(1));
}

/// Exponential.  y' = y.
struct exp : transcendental<1> {
  static constexpr auto name = "exp";
  static constexpr auto formula = "e^x";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::exp(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * y}; }
};

/// Power of 2.  y' = ln(2) y.
struct exp2 : transcendental<1> {
  static constexpr auto name = "exp2";
  static constexpr auto formula = "2^x";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::exp2(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (0.69314718055994530942 * y)}; }
};

/// e^x - 1 without cancellation.  y' = y + 1; precisely e^x, which does not vanish where y is -1.
struct expm1 : transcendental<1> {
  static constexpr auto name = "expm1";
  static constexpr auto formula = "e^x - 1";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::expm1(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (y + 1)}; }
  static constexpr auto precise_pullback(auto g, auto, auto x) { return operands{g * emit<exp>(0, x)}; }
};

/// Natural logarithm.  y' = 1 / x; NaN where the logarithm is.
struct log : transcendental<1> {
  static constexpr auto name = "log";
  static constexpr auto formula = "log(x)";
  static constexpr auto kinks = "gradient inf at 0, NaN below";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::log(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{unless(less_than(x, 0), g / unsigned_zero(x))};
  }
};

/// Logarithm to base 2.  y' = 1 / (x ln(2)).
struct log2 : transcendental<1> {
  static constexpr auto name = "log2";
  static constexpr auto formula = "log(x) / log(2)";
  static constexpr auto kinks = "gradient inf at 0, NaN below";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::log2(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{unless(less_than(x, 0), g * 1.4426950408889634074 / unsigned_zero(x))};
  }
};

/// Logarithm to base 10.  y' = 1 / (x ln(10)).
struct log10 : transcendental<1> {
  static constexpr auto name = "log10";
  static constexpr auto formula = "log(x) / log(10)";
  static constexpr auto kinks = "gradient inf at 0, NaN below";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::log10(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{unless(less_than(x, 0), g * 0.43429448190325182765 / unsigned_zero(x))};
  }
};

/// log(1 + x) without cancellation.  y' = 1 / (1 + x).
struct log1p : transcendental<1> {
  static constexpr auto name = "log1p";
  static constexpr auto formula = "log(1 + x)";
  static constexpr auto kinks = "gradient inf at -1, NaN below";
  static constexpr interval domain{-0.75, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::log1p(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{unless(less_than(x, -1), g / (1 + x))}; }
};

/// log(e^a + e^b) without overflow; where that nearly cancels, its error is below 2^-55 max(a, b).  dy/da = sigmoid(a -
/// b), dy/db = sigmoid(b - a).
struct logaddexp : transcendental<2> {
  static constexpr auto name = "logaddexp";
  static constexpr auto formula = "log(e^a + e^b)";
  static constexpr auto kinks = "gradients 0 where both are -inf, 1/2 where both are inf";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto a, auto b) { return math::logaddexp(a, b); }

  /// Where both operands are the same infinity, so that their difference is NaN.
  static constexpr term equal_infinities(term a, term b) {
    return equal_to(a, b) * equal_to(equal_to(a - b, a - b), 0);
  }
  /// `share` of the gradient, but none where both operands are -inf.
  static constexpr term some(term share, term a, term b) {
    return emit<select>(0, equal_infinities(a, b) * less_than(a, 0), constant(*a.owner, a->type, 0), share);
  }
  static constexpr term difference(term a, term b) {
    return emit<select>(0, equal_infinities(a, b), constant(*a.owner, a->type, 0), a - b);
  }
  static constexpr auto pullback(auto g, auto, auto a, auto b) {
    auto const d = difference(a, b);
    return operands{g * some(emit<sigmoid>(0, d), a, b), g * some(emit<sigmoid>(0, -d), a, b)};
  }
  /// The rounding error of a - b (D. Knuth's sum) counts far from 0: sigmoid(d + e) = sigmoid(d) (1 + e sigmoid(-d)).
  static constexpr auto precise_pullback(auto g, auto, auto a, auto b) {
    auto const d = difference(a, b), of_b = d - a, lost = (a - (d - of_b)) - (b + of_b);
    auto const e = emit<select>(0, equal_to(lost, lost), lost, constant(*a.owner, a->type, 0));
    auto const p = emit<sigmoid>(0, d), q = emit<sigmoid>(0, -d);
    return operands{g * some(p * (1 + e * q), a, b), g * some(q * (1 - e * p), a, b)};
  }
};

/// a log(b), where 0 log(b) = 0.  dy/da = log(b), dy/db = a / b.
struct xlogy : transcendental<2> {
  static constexpr auto name = "xlogy";
  static constexpr auto formula = "a log(b)";
  static constexpr auto kinks = "value 0 and gradient of b 0 where a is 0, also at b = 0; that of a is -inf at b = 0";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto a, auto b) { return math::xlogy(a, b); }
  static constexpr auto pullback(auto g, auto, auto a, auto b) {
    auto const none = equal_to(a, 0);
    auto const divisor = emit<select>(0, none * equal_to(b, 0), constant(*b.owner, b->type, 1), unsigned_zero(b));
    return operands{g * emit<log>(0, b), unless(less_than(b, 0) * equal_to(none, 0), g * (a / divisor))};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// e^x of every entry. The shape of `x`.
template <handle X>
constexpr auto exp(X const& x) {
  return apply<op::exp>(x);
}
/// 2^x of every entry. The shape of `x`.
template <handle X>
constexpr auto exp2(X const& x) {
  return apply<op::exp2>(x);
}
/// e^x - 1 without cancellation.
template <handle X>
constexpr auto expm1(X const& x) {
  return apply<op::expm1>(x);
}
/// The natural logarithm of every entry: -inf at 0, NaN below. The shape of `x`.
template <handle X>
constexpr auto log(X const& x) {
  return apply<op::log>(x);
}
/// The logarithm to base 2 of every entry: -inf at 0, NaN below. The shape of `x`.
template <handle X>
constexpr auto log2(X const& x) {
  return apply<op::log2>(x);
}
/// The logarithm to base 10 of every entry: -inf at 0, NaN below. The shape of `x`.
template <handle X>
constexpr auto log10(X const& x) {
  return apply<op::log10>(x);
}
/// log(1 + x) without cancellation.
template <handle X>
constexpr auto log1p(X const& x) {
  return apply<op::log1p>(x);
}
/// log(e^a + e^b) without overflow.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto logaddexp(A const& a, B const& b) {
  return combine<op::logaddexp>(a, b);
}
/// a log(b), and 0 where a is 0.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto xlogy(A const& a, B const& b) {
  return combine<op::xlogy>(a, b);
}

ETCH_NAMESPACE_END
