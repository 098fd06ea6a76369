// Functions by which rotations depend on their angle, smooth in its square: families that are closed under
// differentiation and divide by no angle, so that derivatives of every order are right at 0.
#pragma once

#include <etch/math/rotation.hpp>
#include <etch/op/compare.hpp>
#include <etch/op/power.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Stumpff's function c_k of whole order k, by which it cannot be differentiated.  dy/ds = (k c_(k+2) - c_(k+1)) / 2.
struct stumpff : transcendental<2> {
  static constexpr auto name = "stumpff";
  static constexpr auto call = "stumpff<1>(x)";
  static constexpr auto formula = "1/k! - x/(k + 2)! + x²/(k + 4)! - ...";
  static constexpr auto kinks = "NaN at inf; gradient by k NaN";
  static constexpr int cost = 40;
  static constexpr bool branches = true;
  ETCH_DETAIL_INLINED static constexpr auto value(auto k, auto s) { return math::stumpff(k, s); }
  static constexpr auto pullback(auto g, auto, auto k, auto s) {
    auto const unknown = constant(*g.owner, g->type, math::not_a_number<double>);
    return operands{unknown, g * (0.5 * (k * emit<stumpff>(0, k + 2, s) - emit<stumpff>(0, k + 1, s)))};
  }
};

/// The integral from w to infinity of 1/(x² + s)^k, of whole order k, by which it cannot be differentiated.  dy/ds = -k
/// times that of order k + 1, dy/dw = -1/(w² + s)^k.
struct angle_ratio : transcendental<3> {
  static constexpr auto name = "angle_ratio";
  static constexpr auto call = "angle_ratio(a, b)";
  static constexpr auto formula = "atan2(√a, b) / √a, and its derivatives by a";
  static constexpr auto kinks = "inf at a = 0 >= b; NaN at inf";
  static constexpr int cost = 60;
  static constexpr bool branches = true;
  ETCH_DETAIL_INLINED static constexpr auto value(auto k, auto s, auto w) { return math::angle_ratio(k, s, w); }
  static constexpr auto pullback(auto g, auto, auto k, auto s, auto w) {
    auto const unknown = constant(*g.owner, g->type, math::not_a_number<double>);
    return operands{unknown, -(g * (k * emit<angle_ratio>(0, k + 1, s, w))), -(g / power(w * w + s, k))};
  }

 private:
  static constexpr term power(term x, term k) {
    double const n = is_constant(k) ? value_of(k->attributes) : 0;
    if (!(n >= 1 && n <= 16)) return emit<pow>(0, x, k);
    term y = x;
    for (int i = 1; i < n; ++i) y = y * x;
    return y;
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// Stumpff's function of order `K`, entry by entry: cos(√s), sin(√s) / √s, (1 - cos(√s)) / s, (√s - sin(√s)) / √s³, ...
/// for K = 0, 1, 2, 3, ... up to 30, exact at s = 0 with all derivatives; of negative s the hyperbolic ones.
template <int K, handle S>
constexpr auto stumpff(S const& s) {
  static_assert(K >= 0 && K <= math::detail::highest_stumpff, "etch: the order of stumpff is from 0 to 30");
  return combine<op::stumpff>(K, s);
}
/// The angle of the point (w, √s) over √s, entry by entry, exact at s = 0 < w with all derivatives.
template <class S, class W>
  requires operand_pair<S, W>
constexpr auto angle_ratio(S const& s, W const& w) {
  return combine<op::angle_ratio>(1, s, w);
}

ETCH_NAMESPACE_END
