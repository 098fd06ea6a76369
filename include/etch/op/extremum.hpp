// The smaller and the larger of two values, and clamping between bounds. NaN wins, in values and in gradients.
#pragma once

#include <etch/op/compare.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The larger operand. It gets the gradient; equal operands half of it each.
struct maximum : elementwise<2> {
  static constexpr auto name = "maximum";
  static constexpr auto formula = "a > b ? a : b";
  static constexpr auto kinks = "gradients 1/2, 1/2 where a = b; NaN where either is";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto a, auto b) { return math::max(a, b); }
  static constexpr auto pullback(auto g, auto y, auto a, auto b) {
    auto const otherwise = emit<select>(0, equal_to(a, b), g * 0.5, zero_or_nan(y));
    return operands{emit<select>(0, less_than(b, a), g, otherwise), emit<select>(0, less_than(a, b), g, otherwise)};
  }
  static constexpr term simplify(attribute, auto a, auto b) { return a == b ? a : term{}; }
};

/// The smaller operand. It gets the gradient; equal operands half of it each.
struct minimum : elementwise<2> {
  static constexpr auto name = "minimum";
  static constexpr auto formula = "a < b ? a : b";
  static constexpr auto kinks = "gradients 1/2, 1/2 where a = b; NaN where either is";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto a, auto b) { return math::min(a, b); }
  static constexpr auto pullback(auto g, auto y, auto a, auto b) {
    auto const otherwise = emit<select>(0, equal_to(a, b), g * 0.5, zero_or_nan(y));
    return operands{emit<select>(0, less_than(a, b), g, otherwise), emit<select>(0, less_than(b, a), g, otherwise)};
  }
  static constexpr term simplify(attribute, auto a, auto b) { return a == b ? a : term{}; }
};

/// min(max(x, lo), hi). x gets the gradient inside and at the bounds, outside the bound that is the value.
struct clamp : elementwise<3> {
  static constexpr auto name = "clamp";
  static constexpr auto call = "clamp(x, a, b)";
  static constexpr auto formula = "min(max(x, lo), hi)";
  static constexpr auto kinks = "gradient 1 at a bound; hi where lo > hi; NaN where any operand is";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x, auto lo, auto hi) { return math::min(math::max(x, lo), hi); }
  static constexpr auto pullback(auto g, auto y, auto x, auto lo, auto hi) {
    auto const otherwise = zero_or_nan(y);
    auto const ordered = emit<less_equal>(0, lo, hi);
    auto const inside = emit<less_equal>(0, lo, x) * emit<less_equal>(0, x, hi);
    auto const above = less_than(hi, emit<maximum>(0, x, lo));
    return operands{emit<select>(0, inside, g, otherwise), emit<select>(0, less_than(x, lo) * ordered, g, otherwise),
                    emit<select>(0, above, g, otherwise)};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The larger of two values, entry by entry.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto max(A const& a, B const& b) {
  return combine<op::maximum>(a, b);
}
/// The smaller of two values, entry by entry.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto min(A const& a, B const& b) {
  return combine<op::minimum>(a, b);
}
/// `x` where it lies between the bounds, else the bound it lies beyond.
template <handle X, class A, class B>
  requires(detail::traced_operands<X, A, B> || detail::term_operands<X, A, B>)
constexpr auto clamp(X const& x, A const& lo, B const& hi) {
  return combine<op::clamp>(x, lo, hi);
}
template <class X, class A, class B>
  requires detail::stray_operands<X, A, B>
constexpr auto clamp(X const& x, A const& lo, B const& hi) {
  return detail::with_constants([](auto const&... each) { return combine<op::clamp>(each...); }, x, lo, hi);
}

/// `max(a, b)` under its name in NumPy.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto maximum(A const& a, B const& b) {
  return max(a, b);
}
/// `min(a, b)` under its name in NumPy.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto minimum(A const& a, B const& b) {
  return min(a, b);
}
/// `clamp(x, lo, hi)` under its name in NumPy.
template <handle X, class A, class B>
  requires(detail::traced_operands<X, A, B> || detail::term_operands<X, A, B>)
constexpr auto clip(X const& x, A const& lo, B const& hi) {
  return clamp(x, lo, hi);
}
template <class X, class A, class B>
  requires detail::stray_operands<X, A, B>
constexpr auto clip(X const& x, A const& lo, B const& hi) {
  return clamp(x, lo, hi);
}

ETCH_NAMESPACE_END
