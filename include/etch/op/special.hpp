// Special functions: the error function, the gamma function's logarithm and its derivatives.
#pragma once

#include <etch/op/exponential.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// e^(-c x²) with all its digits, where c x² rounded to one number would lose them.  dy/dx = -2 c x y, dy/dc = -x² y.
struct gaussian : transcendental<2> {
  static constexpr auto name = "gaussian";
  static constexpr auto formula = "e^(-c x²)";
  static constexpr interval domain{0.25, 2};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x, auto c) { return math::gaussian(x, c); }
  static constexpr auto pullback(auto g, auto y, auto x, auto c) {
    return operands{-2 * (g * (c * (x * y))), -(g * (x * (x * y)))};
  }
};

/// Error function.  y' = 2/√π e^(-x²).
struct erf : transcendental<1> {
  static constexpr auto name = "erf";
  static constexpr bool branches = true;
  static constexpr auto formula = "2/√π times the integral of e^(-t²) from 0 to x";
  static constexpr interval domain{-2, 2};
  static constexpr double slope_at_0 = 1.1283791670955125739;
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::erf(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * (slope_at_0 * emit<exp>(0, -(x * x)))}; }
  static constexpr auto precise_pullback(auto g, auto, auto x) {
    return operands{g * (slope_at_0 * emit<gaussian>(0, x, constant(*x.owner, x->type, 1)))};
  }
};

/// Complementary error function 1 - erf(x), which keeps its digits where that vanishes.  y' = -2/√π e^(-x²).
struct erfc : transcendental<1> {
  static constexpr auto name = "erfc";
  static constexpr auto formula = "1 - erf(x)";
  static constexpr interval domain{-2, 2};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::erfc(x); }
  static constexpr auto pullback(auto g, auto y, auto x) { return erf::pullback(-g, y, x); }
  static constexpr auto precise_pullback(auto g, auto y, auto x) { return erf::precise_pullback(-g, y, x); }
};

/// Hurwitz' zeta function for a whole number s >= 2, by which it cannot be differentiated.  dy/dx = -s zeta(s + 1, x).
/// The derivatives of digamma: the n-th is (-1)^(n+1) n! zeta(n + 1, x).
struct zeta : transcendental<2> {
  static constexpr auto name = "zeta";
  static constexpr auto call = "zeta(2, x)";
  static constexpr auto formula = "1/x^s + 1/(x + 1)^s + ...";
  static constexpr auto kinks = "inf at 0; NaN at -1, -2, ...; gradient by s NaN";
  static constexpr int cost = 1000;
  static constexpr bool branches = true;
  ETCH_DETAIL_INLINED static constexpr auto value(auto s, auto x) { return math::zeta(s, x); }
  static constexpr auto pullback(auto g, auto, auto s, auto x) {
    auto const unknown = constant(*g.owner, g->type, math::not_a_number<double>);
    return operands{unknown, -(g * (s * emit<zeta>(0, s + 1, x)))};
  }
};

/// ψ, the derivative of log Γ.  y' = zeta(2, x).
struct digamma : transcendental<1> {
  static constexpr auto name = "digamma";
  static constexpr auto formula = "(log Γ(x))'";
  static constexpr auto kinks = "-inf at 0, inf at -0, gradient inf; NaN at -1, -2, ...";
  static constexpr interval domain{0.5, 4};
  static constexpr int cost = 100;
  static constexpr bool branches = true;
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::digamma(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{g * emit<zeta>(0, constant(*x.owner, x->type, 2), x)};
  }
};

/// log |Γ(x)|.  y' = digamma(x).
struct lgamma : transcendental<1> {
  static constexpr auto name = "lgamma";
  static constexpr auto formula = "log |Γ(x)|";
  static constexpr auto kinks = "inf at 0, -1, -2, ...; gradient there as digamma";
  static constexpr interval domain{0.5, 4};
  static constexpr int cost = 100;
  static constexpr bool branches = true;
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::lgamma(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * emit<digamma>(0, x)}; }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The error function of every entry. The shape of `x`.
template <handle X>
constexpr auto erf(X const& x) {
  return apply<op::erf>(x);
}
/// 1 - erf(x) of every entry, without cancellation. The shape of `x`.
template <handle X>
constexpr auto erfc(X const& x) {
  return apply<op::erfc>(x);
}
/// log |Γ(x)|, entry by entry.
template <handle X>
constexpr auto lgamma(X const& x) {
  return apply<op::lgamma>(x);
}
/// The derivative of log Γ, entry by entry.
template <handle X>
constexpr auto digamma(X const& x) {
  return apply<op::digamma>(x);
}
/// The sum of (x + k)^-s over k = 0, 1, 2, ..., for a whole number `s` of at least 2.
template <class S, class X>
  requires operand_pair<S, X>
constexpr auto zeta(S const& s, X const& x) {
  return combine<op::zeta>(s, x);
}
/// e^(-c x²), entry by entry.
template <class X, class C>
  requires operand_pair<X, C>
constexpr auto gaussian(X const& x, C const& c) {
  return combine<op::gaussian>(x, c);
}

ETCH_NAMESPACE_END
