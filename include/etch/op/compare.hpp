// Comparisons, logic on their results, the static choice between two values, and the stop of a gradient.
// A comparison gives a mask: 1 or 0 in the element type of its operands. As a condition, any number but 0 is true.
#pragma once

#include <etch/math/math.hpp>
#include <etch/core/misuse_error.hpp>
#include <etch/op/arithmetic.hpp>
#include <etch/op/stray_operands.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// An element-wise op through which no derivative flows.
template <int Arity>
struct piecewise_constant : elementwise<Arity> {
  static constexpr bool differentiable = false;
};

/// The power of 2 by which x may be multiplied and then inverted without overflow or loss of digits: 1 but
/// for subnormal numbers and the largest.
struct inversion_scale : piecewise_constant<1> {
  static constexpr auto name = "inversion_scale";
  static constexpr auto part_of = "division of many entries by one";
  static constexpr auto formula = "2^k, with which 1 / (2^k x) is a normal number";
  static constexpr auto kinks = "1 for most x; gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::detail::inversion_scale(x); }
};

/// 1 where a < b, else 0; 0 where either is NaN.
struct less : piecewise_constant<2> {
  static constexpr auto name = "less";
  static constexpr auto call = "a < b";
  static constexpr auto formula = "a < b";
  static constexpr auto kinks = "0 where either is NaN; gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  [[gnu::always_inline]] static constexpr auto value(auto a, auto b) { return math::indicator(a < b, a); }
};

/// 1 where a <= b, else 0; 0 where either is NaN.
struct less_equal : piecewise_constant<2> {
  static constexpr auto name = "less_equal";
  static constexpr auto call = "a <= b";
  static constexpr auto formula = "a <= b";
  static constexpr auto kinks = "0 where either is NaN; gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  [[gnu::always_inline]] static constexpr auto value(auto a, auto b) { return math::indicator(a <= b, a); }
};

/// 1 where a == b, else 0; 0 where either is NaN.
struct equal : piecewise_constant<2> {
  static constexpr auto name = "equal";
  static constexpr auto call = "a == b";
  static constexpr auto formula = "a == b";
  static constexpr auto kinks = "0 where either is NaN; gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  [[gnu::always_inline]] static constexpr auto value(auto a, auto b) { return math::indicator(a == b, a); }
};

/// 0 where a == b, else 1; 1 where either is NaN.
struct not_equal : piecewise_constant<2> {
  static constexpr auto name = "not_equal";
  static constexpr auto call = "a != b";
  static constexpr auto formula = "a != b";
  static constexpr auto kinks = "1 where either is NaN; gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  [[gnu::always_inline]] static constexpr auto value(auto a, auto b) { return math::indicator(a != b, a); }
  /// A mask is its own truth.
  static constexpr term simplify(attribute, auto a, auto b) {
    bool const product = is<mul>(a) && is_mask(a.operand(0)) && is_mask(a.operand(1));
    return (product || is_mask(a)) && is_constant(b, 0) ? a : term{};
  }
  static constexpr bool is_mask(auto x) { return is<less>(x) || is<less_equal>(x) || is<equal>(x) || is<not_equal>(x); }
};

/// a where the condition is not 0, else b. The branch not taken is masked after its own
/// rule: its NaN or inf never arrives.
struct select : elementwise<3> {
  static constexpr auto name = "select";
  static constexpr auto call = "select(a < b, a, b)";
  static constexpr auto formula = "c != 0 ? a : b";
  static constexpr auto kinks = "the branch not taken gets gradient 0, whatever its value";
  static constexpr interval domain{-4, 4};
  static constexpr unsigned sums_of = 0b110;
  [[gnu::always_inline]] static constexpr auto value(auto c, auto a, auto b) { return math::choose(c, a, b); }
  static constexpr auto pullback(auto g, auto, auto c, auto, auto) {
    auto const zero = constant(*g.owner, g->type, 0);
    return operands{zero, emit<select>(0, c, g, zero), emit<select>(0, c, zero, g)};
  }
  /// Conditions lose negations; of nested choices by one condition one remains; masks of masks become one mask, which
  /// is what differentiation recognises and applies behind each rule.
  static constexpr term simplify(attribute, auto c, auto a, auto b) {
    if (is_constant(c)) return is_constant(c, 0) ? b : a;
    auto condition = c, if_true = a, if_false = b;
    for (; (is<equal>(condition) || is<not_equal>(condition)) && is_constant(condition.operand(1), 0);
         condition = condition.operand(0))
      if (is<equal>(condition)) std::swap(if_true, if_false);
    if (is<select>(if_true) && if_true.operand(0) == condition) if_true = if_true.operand(1);
    if (is<select>(if_false) && if_false.operand(0) == condition) if_false = if_false.operand(2);
    if (if_true == if_false) return if_true;
    if (is_constant(if_false, 0) && masks(if_true))
      return emit<select>(0, emit<not_equal>(0, condition, if_false) * mask_in(if_true), masked_by(if_true), if_false);
    if (is_constant(if_true, 0) && masks(if_false))
      return emit<select>(0, emit<equal>(0, condition, if_true) * mask_in(if_false), masked_by(if_false), if_true);
    bool const simpler = condition != c || if_true != a || if_false != b;
    return simpler ? emit<select>(0, condition, if_true, if_false) : term{};
  }

 private:
  /// Whether `x` is a choice between something and 0; the mask that makes it, as 0 and 1; and what it masks.
  static constexpr bool masks(auto x) {
    return is<select>(x) && (is_constant(x.operand(1), 0) || is_constant(x.operand(2), 0));
  }
  static constexpr term mask_in(auto x) {
    return is_constant(x.operand(2), 0) ? emit<not_equal>(0, x.operand(0), x.operand(2))
                                        : emit<equal>(0, x.operand(0), x.operand(1));
  }
  static constexpr term masked_by(auto x) { return is_constant(x.operand(2), 0) ? x.operand(1) : x.operand(2); }
};

/// The value itself, with gradient zero.
struct stop_gradient : piecewise_constant<1> {
  static constexpr auto name = "stop_gradient";
  static constexpr auto formula = "x";
  static constexpr auto kinks = "gradient 0 everywhere";
  static constexpr interval domain{-4, 4};
  static constexpr unsigned sums_of = 0b1;
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return x; }
};

/// 0 where `y` is a number, NaN where it is none: the gradient of what does not depend on its operand.
constexpr term zero_or_nan(term y) { return emit<select>(0, emit<equal>(0, y, y), constant(*y.owner, y->type, 0), y); }

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

namespace detail {

template <class... X>
concept traced_operands = ((traced<X> || scalar<X>) && ...) && (traced<X> || ...);
template <class... X>
concept term_operands = ((std::same_as<X, term> || scalar<X>) && ...) && (std::same_as<X, term> || ...);

/// The common form of the operands `A` and `B` of one operation: a literal, or a handle of their common type and shape.
template <class A, class B>
constexpr auto met() {
  using T = decltype(meeting_type<A, B>());
  if constexpr (scalar<A> && scalar<B>) return T{};
  else if constexpr (literals<A, B>)
    return make_constant<T, broadcast_shape(operand_traits<A>::extent, operand_traits<B>::extent), false>({});
  else return make_expr<T, broadcast_shape(operand_traits<A>::extent, operand_traits<B>::extent)>(nullptr, -1);
}

/// The element type in which all operands meet.
template <class A, class B>
using meeting = decltype(meeting_type<A, B>());

/// Whether all shapes broadcast against each other.
template <class A, class B, class C>
constexpr bool broadcast_together() {
  constexpr shape a = operand_traits<A>::extent, b = operand_traits<B>::extent, c = operand_traits<C>::extent;
  return broadcasts(a, b) && broadcasts(b, c) && broadcasts(a, c);
}
/// Stands for the result of a mistake on three operands.
template <class A, class B, class C>
constexpr auto instead_of_combining(A const &a, B const &b, C const &c) {
  constexpr shape s = operand_traits<A>::extent, t = operand_traits<B>::extent, u = operand_traits<C>::extent;
  constexpr shape larger = s.size() < t.size() ? t : s;
  return instead_of<likely_type<A, B, C>, larger.size() < u.size() ? u : larger>(a, b, c);
}

/// A condition in the element type `T`. In a narrower type a small number could become 0,
/// so whether it is 0 is converted.
template <class T, class C>
constexpr auto as_condition(C const &c) {
  if constexpr (scalar<C>) return as_handle<T>(c != 0 ? 1 : 0);
  else if constexpr (operand_traits<C>::literal) return c;
  else if constexpr (std::same_as<T, typename C::scalar_type> || !std::is_floating_point_v<typename C::scalar_type>)
    return cast<T>(c);
  else return cast<T>(combine<op::not_equal>(c, 0));
}

}  // namespace detail

/// A ternary element-wise op on any mix of handles and arithmetic scalars.
template <class Op, class A, class B, class C>
  requires detail::traced_operands<A, B, C>
constexpr auto combine(A const &a, B const &b, C const &c) {
  if constexpr (detail::stated_operands<A, B, C>) {
    return state<Op>(a, b, c);
  } else if constexpr (tape_scalar<A> || tape_scalar<B> || tape_scalar<C>) {
    return combine<Op>(detail::on_graph(a), detail::on_graph(b), detail::on_graph(c));
  } else if constexpr (!detail::broadcast_together<A, B, C>()) {
    error::shapes_do_not_broadcast<A, B, C>();
    return detail::instead_of_combining(a, b, c);
  } else {
    using T = detail::meeting<decltype(detail::met<A, B>()), C>;
    if constexpr (!std::is_floating_point_v<T>) {
      error::integers_are_labels<A, B, C>();
      return detail::instead_of_combining(a, b, c);
    } else {
      return apply<Op>(detail::as_handle<T>(a), detail::as_handle<T>(b), detail::as_handle<T>(c));
    }
  }
}
template <class Op, class A, class B, class C>
  requires detail::term_operands<A, B, C>
constexpr term combine(A a, B b, C c) {
  term const beside = [&] {
    if constexpr (std::same_as<A, term>) return a;
    else if constexpr (std::same_as<B, term>) return b;
    else return c;
  }();
  return emit<Op>(0, detail::as_term(a, beside), detail::as_term(b, beside), detail::as_term(c, beside));
}

/// 1 where `a < b`, else 0, in the common element type.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto less_than(A const &a, B const &b) {
  return combine<op::less>(a, b);
}
/// 1 where `a == b`, else 0, in the common element type.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto equal_to(A const &a, B const &b) {
  return combine<op::equal>(a, b);
}

namespace detail {

/// Stands for a mask that a mistake prevents: a branch on it is no further mistake.
struct no_mask : expr<float> {
  using expr<float>::expr;
  constexpr operator bool() const { return false; }
};

/// A comparison as an operator. Integers among themselves, which none can be computed of, are
/// compared where a number was meant.
template <class Op, class A, class B>
constexpr auto compared(A const &a, B const &b) {
  if constexpr (!stray_pair<A, B> && std::is_integral_v<typename operand_traits<A>::scalar_type> &&
                std::is_integral_v<typename operand_traits<B>::scalar_type>) {
    error::integers_are_compared<A, B>();
    auto const mask = instead_of<float, shape{}>(a, b);
    return no_mask(mask.owner, mask.id);
  } else {
    return combine<Op>(a, b);
  }
}

}  // namespace detail

// Comparisons of any mix of handles and scalars give masks. (On terms `==` asks whether both are the same node.)

/// The mask that is 1 where `a < b`, else 0; operands broadcast, numbers too.
template <class A, class B>
  requires detail::any_traced_pair<A, B>
constexpr auto operator<(A const &a, B const &b) {
  return detail::compared<op::less>(a, b);
}
/// The mask that is 1 where `a > b`, else 0; operands broadcast, numbers too.
template <class A, class B>
  requires detail::any_traced_pair<A, B>
constexpr auto operator>(A const &a, B const &b) {
  return detail::compared<op::less>(b, a);
}
/// The mask that is 1 where `a <= b`, else 0; operands broadcast, numbers too.
template <class A, class B>
  requires detail::any_traced_pair<A, B>
constexpr auto operator<=(A const &a, B const &b) {
  return detail::compared<op::less_equal>(a, b);
}
/// The mask that is 1 where `a >= b`, else 0; operands broadcast, numbers too.
template <class A, class B>
  requires detail::any_traced_pair<A, B>
constexpr auto operator>=(A const &a, B const &b) {
  return detail::compared<op::less_equal>(b, a);
}
/// The mask that is 1 where `a == b`, else 0; operands broadcast, numbers too.
template <class A, class B>
  requires detail::any_traced_pair<A, B>
constexpr auto operator==(A const &a, B const &b) {
  return detail::compared<op::equal>(a, b);
}
/// The mask that is 1 where `a != b`, else 0; operands broadcast, numbers too.
template <class A, class B>
  requires detail::any_traced_pair<A, B>
constexpr auto operator!=(A const &a, B const &b) {
  return detail::compared<op::not_equal>(a, b);
}

/// The mask that is 1 where `x` is 0, else 0.
template <class X>
  requires detail::traced<X>
constexpr auto operator!(X const &x) {
  return combine<op::equal>(x, 0);
}
/// The mask that is 1 where neither operand is 0, else 0; both operands are always computed.
template <class A, class B>
  requires detail::traced_pair<A, B>
constexpr auto operator&&(A const &a, B const &b) {
  if constexpr (scalar<A>) return b && a;
  else if constexpr (scalar<B>) return cwise_product(combine<op::not_equal>(a, 0), b != 0 ? 1 : 0);
  else return cwise_product(combine<op::not_equal>(a, 0), combine<op::not_equal>(b, 0));
}
/// The mask that is 1 where an operand is not 0, else 0; both operands are always computed.
template <class A, class B>
  requires detail::traced_pair<A, B>
constexpr auto operator||(A const &a, B const &b) {
  if constexpr (scalar<A>) return b || a;
  else if constexpr (scalar<B>) return combine<op::select>(a, 1, b != 0 ? 1 : 0);
  else return combine<op::select>(a, 1, combine<op::not_equal>(b, 0));
}

/// `a` where the condition is not 0, else `b`. The condition may have any element type, also an integer one or bool.
template <class C, class A, class B>
  requires detail::traced_operands<C, A, B>
constexpr auto select(C const &condition, A const &a, B const &b) {
  if constexpr (detail::stated_operands<C, A, B>) {
    return state<op::select>(condition, a, b);
  } else if constexpr (tape_scalar<C> || tape_scalar<A> || tape_scalar<B>) {
    return select(detail::on_graph(condition), detail::on_graph(a), detail::on_graph(b));
  } else if constexpr (!detail::broadcast_together<C, A, B>()) {
    error::shapes_do_not_broadcast<C, A, B>();
    return detail::instead_of_combining(condition, a, b);
  } else {
    using branches = detail::meeting<A, B>;
    using condition_type = typename detail::operand_traits<C>::scalar_type;
    constexpr bool by_condition = detail::literals<A, B> && std::is_floating_point_v<condition_type> && !scalar<C>,
                   beside_integers = std::same_as<branches, undetermined> && !detail::literals<C>;
    using T = std::conditional_t<by_condition, condition_type, std::conditional_t<beside_integers, float, branches>>;
    if constexpr (!std::is_floating_point_v<T>) {
      error::integers_are_labels<A, B>();
      return detail::instead_of_combining(condition, a, b);
    } else {
      return apply<op::select>(detail::as_condition<T>(condition), detail::as_handle<T>(a), detail::as_handle<T>(b));
    }
  }
}
template <class A, class B>
  requires detail::term_operands<A, B, term>
constexpr term select(term condition, A a, B b) {
  return combine<op::select>(condition, a, b);
}
template <class C, class A, class B>
  requires detail::stray_operands<C, A, B>
constexpr auto select(C const &condition, A const &a, B const &b) {
  return detail::with_constants([](auto const &...each) { return etch::select(each...); }, condition, a, b);
}
/// `select` under the name that NumPy gives it.
template <class C, class A, class B>
  requires(detail::traced_operands<C, A, B> || detail::stray_operands<C, A, B>)
constexpr auto where(C const &condition, A const &a, B const &b) {
  return select(condition, a, b);
}

/// `x`, through which no gradient flows.
template <handle X>
constexpr auto stop_gradient(X const &x) {
  return apply<op::stop_gradient>(x);
}

ETCH_NAMESPACE_END
