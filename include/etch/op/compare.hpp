// Comparisons, the static choice between two values, and the stop of a gradient.
// A comparison gives 1 or 0 in the element type of its operands.
#pragma once

#include <etch/core/math.hpp>
#include <etch/op/arithmetic.hpp>

namespace etch::inline ETCH_ABI::op {

/// An element-wise op through which no derivative flows.
template <int Arity>
struct piecewise_constant : elementwise<Arity> {
  static constexpr bool differentiable = false;
};

/// 1 where a < b, else 0; 0 where either is NaN.
struct less : piecewise_constant<2> {
  static constexpr auto name = "less";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto a, auto b) { return math::indicator(a < b, a); }
};

/// 1 where a == b, else 0; 0 where either is NaN.
struct equal : piecewise_constant<2> {
  static constexpr auto name = "equal";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto a, auto b) { return math::indicator(a == b, a); }
};

/// a where the condition is not 0, else b. The branch not taken is masked after its own rule: its NaN or inf never arrives.
struct select : elementwise<3> {
  static constexpr auto name = "select";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto c, auto a, auto b) { return math::choose(c, a, b); }
  static constexpr auto pullback(auto g, auto, auto c, auto, auto) {
    auto const zero = constant(*g.owner, g->type, 0);
    return operands{zero, emit<select>(0, c, g, zero), emit<select>(0, c, zero, g)};
  }
  static constexpr term simplify(attribute, auto c, auto a, auto b) {
    if (a == b) return a;
    if (!is_constant(c)) return {};
    return is_constant(c, 0) ? b : a;
  }
};

/// The value itself, with gradient zero.
struct stop_gradient : piecewise_constant<1> {
  static constexpr auto name = "stop_gradient";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return x; }
};

}  // namespace etch::inline ETCH_ABI::op

namespace etch::inline ETCH_ABI {

/// 1 where `a < b`, else 0, in the common element type.
template <class A, class B>
requires operand_pair<A, B>
constexpr auto less_than(A const& a, B const& b) { return combine<op::less>(a, b); }
/// 1 where `a == b`, else 0, in the common element type.
template <class A, class B>
requires operand_pair<A, B>
constexpr auto equal_to(A const& a, B const& b) { return combine<op::equal>(a, b); }
/// `x`, through which no gradient flows.
template <handle X>
constexpr auto stop_gradient(X const& x) {
  return apply<op::stop_gradient>(x);
}

}  // namespace etch::inline ETCH_ABI
