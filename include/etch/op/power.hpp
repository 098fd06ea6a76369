// Powers and roots.
#pragma once

#include <etch/op/exponential.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Square root.  y' = 1 / (2 y).
struct sqrt : transcendental<1> {
  static constexpr auto name = "sqrt";
  static constexpr auto formula = "x^(1/2)";
  static constexpr auto kinks = "gradient inf at 0, NaN below";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::sqrt(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g / (2 * unsigned_zero(y))}; }
};

/// Square.  y' = 2 x.
struct square : elementwise<1> {
  static constexpr auto name = "square";
  static constexpr auto formula = "x^2";
  static constexpr interval domain{-4, 4};
  [[gnu::always_inline]] static constexpr auto value(auto x) { return math::product(x, x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * (2 * x)}; }
};

/// Third power.  y' = 3 x².
struct cube : elementwise<1> {
  static constexpr auto name = "cube";
  static constexpr auto formula = "x^3";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::product(math::product(x, x), x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * (3 * emit<square>(0, x))}; }
};

/// Reciprocal of the square root.  y' = -|y|³ / 2; precisely -y / (2 x), which has not three times the error of y.
struct rsqrt : transcendental<1> {
  static constexpr auto name = "rsqrt";
  static constexpr auto formula = "x^(-1/2)";
  static constexpr auto kinks = "inf and gradient -inf at 0, NaN below";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::rsqrt(x); }
  static constexpr auto pullback(auto g, auto y, auto) {
    return operands{g * (-0.5 * (emit<square>(0, y) * emit<abs>(0, y)))};
  }
  static constexpr auto precise_pullback(auto g, auto y, auto x) { return operands{g * (y / (-2 * x))}; }
};

/// Cube root, also of negative numbers.  y' = 1 / (3 y²).
struct cbrt : transcendental<1> {
  static constexpr auto name = "cbrt";
  static constexpr auto formula = "x^(1/3)";
  static constexpr auto kinks = "gradient inf at 0";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::cbrt(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g / (3 * emit<square>(0, y))}; }
};

/// sqrt(a² + b²) without overflow.  dy/da = a / y, dy/db = b / y.
struct hypot : transcendental<2> {
  static constexpr auto name = "hypot";
  static constexpr auto formula = "sqrt(a^2 + b^2)";
  static constexpr auto kinks = "gradients 0 at (0, 0), NaN by an infinite operand";
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto a, auto b) { return math::hypot(a, b); }
  static constexpr auto pullback(auto g, auto y, auto a, auto b) {
    auto const along = [&](auto x) { return emit<select>(0, y, x / y, constant(*y.owner, y->type, 0)); };
    return operands{g * along(a), g * along(b)};
  }
};

/// a^b for exponents that are no small whole literals.  dy/da = b a^(b-1), dy/db = y log(a); both 0 at (0, 0).
struct pow : transcendental<2> {
  static constexpr auto name = "pow";
  static constexpr auto formula = "a^b";
  static constexpr auto kinks =
      "1 and gradients 0 at (0, 0); a < 0: NaN unless b is whole, gradient of b NaN; gradient of b 0 at a = 0 < b";
  static constexpr int cost = 48;
  static constexpr interval domain{0.25, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto a, auto b) { return math::pow(a, b); }

  /// a, of whose power a^(b - 1) the b-fold is dy/da; where b is 0 and that power infinite or NaN, 1 instead, so that 0
  /// is the product. (Not a choice between that and 0, which what lies behind would take for a mask.)
  static constexpr term base_of_slope(term a, term b) {
    if (is_constant(b)) return a;
    double const least =
        a->type == element::f32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
    auto const regular = less_than(least, a) + less_than(a, -least);
    return emit<select>(0, equal_to(b, 0) * equal_to(regular, 0), constant(*a.owner, a->type, 1), a);
  }
  static constexpr term times_exponent(term b, term slope) {
    return is_constant(b, 0) ? constant(*b.owner, b->type, 0) : b * slope;
  }
  /// log(a), but 0 where a is 0 and b is not negative: there y log(a) has the limit 0, or none.
  static constexpr term log_of_base(term a, term b) {
    auto const vanishes = equal_to(a, 0) * equal_to(less_than(b, 0), 0);
    return emit<select>(0, vanishes, constant(*a.owner, a->type, 0), emit<log>(0, a));
  }
  static constexpr auto pullback(auto g, auto y, auto a, auto b) {
    return operands{g * times_exponent(b, emit<pow>(0, base_of_slope(a, b), b - 1)), g * (y * log_of_base(a, b))};
  }
  /// b - 1 is exact from 1/2 on; below that a^(b-1) = y / a, but for the quotients 0 / 0 and inf / inf.
  static constexpr auto precise_pullback(auto g, auto y, auto a, auto b) {
    auto const small = less_than(b, 0.5) * less_than(y, math::infinity<double>) * equal_to(equal_to(a, 0), 0);
    auto const base = base_of_slope(a, b), slope = emit<select>(0, small, y / base, emit<pow>(0, base, b - 1));
    return operands{g * times_exponent(b, slope), g * (y * log_of_base(a, b))};
  }
  static constexpr term simplify(attribute, auto a, auto b) {
    if (is_constant(b, 1)) return a;
    return is_constant(b, 2) ? emit<square>(0, a) : term{};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The square root of every entry; NaN below 0, the derivative at 0 is infinite. The shape of `x`.
template <handle X>
constexpr auto sqrt(X const& x) {
  return apply<op::sqrt>(x);
}
/// x² of every entry. The shape of `x`.
template <handle X>
constexpr auto square(X const& x) {
  return apply<op::square>(x);
}
/// x³ of every entry. The shape of `x`.
template <handle X>
constexpr auto cube(X const& x) {
  return apply<op::cube>(x);
}
/// 1 / sqrt(x) of every entry. The shape of `x`.
template <handle X>
constexpr auto rsqrt(X const& x) {
  return apply<op::rsqrt>(x);
}
/// The cube root of every entry, also of negative ones. The shape of `x`.
template <handle X>
constexpr auto cbrt(X const& x) {
  return apply<op::cbrt>(x);
}
/// sqrt(a² + b²) without overflow.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto hypot(A const& a, B const& b) {
  return combine<op::hypot>(a, b);
}

namespace detail {

/// x^n for n >= 1 by repeated squaring.
template <class X>
constexpr X whole_power(X x, int n) {
  while (n % 2 == 0) x = square(x), n /= 2;
  X y = x;
  while ((n /= 2) != 0) {
    x = square(x);
    if (n % 2 != 0) y = cwise_product(y, x);
  }
  return y;
}

/// The type that a value keeps while it is multiplied with itself; of statements on a tape a variable.
template <class X>
struct recorded {
  using type = X;
};

/// The largest whole exponent for which products are formed; each of them rounds, at most n - 1 of n count.
inline constexpr int largest_product = 16;

}  // namespace detail

/// a^b. A literal exponent that is a whole number n with 1 <= |n| <= 16 gives products, of 1 / a where it is negative.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto pow(A const& a, B const& b) {
  using result = typename detail::recorded<decltype(combine<op::pow>(a, b))>::type;
  if constexpr (scalar<B>) {
    double const exponent = static_cast<double>(b), magnitude = exponent < 0 ? -exponent : exponent;
    if (magnitude >= 1 && magnitude <= detail::largest_product && magnitude == static_cast<int>(magnitude)) {
      result const base = exponent < 0 ? result(1 / a) : result(a);
      return detail::whole_power(base, static_cast<int>(magnitude));
    }
    return result(combine<op::pow>(a, b));
  } else {
    return combine<op::pow>(a, b);
  }
}

ETCH_NAMESPACE_END
