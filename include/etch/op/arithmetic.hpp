// + - * / and negation, with broadcasting; conversion between element types.
#pragma once

#include <etch/math/arithmetic.hpp>
#include <etch/op/permute.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN
namespace op {

/// An op applied to each entry; operands broadcast. `cost` weighs computing it again against keeping it, in additions;
/// `branches` says that a number goes one of several ways, where a register goes all those of its lanes.
template <int Arity>
struct elementwise : elementwise_kind {
  static constexpr int arity = Arity;
  static constexpr int cost = 1;
  static constexpr bool branches = false;
  static constexpr shape infer(attribute, shapes<Arity> const& x) {
    if constexpr (Arity == 1) return x.entry[0];
    else if constexpr (Arity == 2) return broadcast_shape(x.entry[0], x.entry[1]);
    else return broadcast_shape(broadcast_shape(x.entry[0], x.entry[1]), x.entry[2]);
  }
};

/// An element-wise op of many instructions.
template <int Arity>
struct transcendental : elementwise<Arity> {
  static constexpr int cost = 16;
};

/// The interval in which tests sample an op's operands: inside the domain, away from kinks and poles.
struct interval {
  double low, high;
};

// A value of one instruction is inlined always: g++ stops where a function has grown large, such as the body of a loop
// of points, and would call it.

struct neg : elementwise<1> {
  static constexpr auto name = "neg";
  static constexpr auto call = "-x";
  static constexpr auto formula = "-x";
  static constexpr interval domain{-4, 4};
  static constexpr unsigned sums_of = 0b1;
  [[gnu::always_inline]] static constexpr auto value(auto x) { return -x; }
  static constexpr auto pullback(auto g, auto, auto) { return operands{-g}; }
  static constexpr term simplify(attribute, auto x) { return is<neg>(x) ? x.operand(0) : term{}; }
};

struct add : elementwise<2> {
  static constexpr auto name = "add";
  static constexpr auto call = "a + b";
  static constexpr auto formula = "a + b";
  static constexpr interval domain{-4, 4};
  static constexpr unsigned sums_of = 0b11;
  [[gnu::always_inline]] static constexpr auto value(auto a, auto b) { return math::sum(a, b); }
  static constexpr auto pullback(auto g, auto, auto, auto) { return operands{g, g}; }
  static constexpr term simplify(attribute, auto a, auto b) {
    if (is_constant(a, 0)) return b;
    return is_constant(b, 0) ? a : term{};
  }
};

struct sub : elementwise<2> {
  static constexpr auto name = "sub";
  static constexpr auto call = "a - b";
  static constexpr auto formula = "a - b";
  static constexpr interval domain{-4, 4};
  static constexpr unsigned sums_of = 0b11;
  [[gnu::always_inline]] static constexpr auto value(auto a, auto b) { return math::difference(a, b); }
  static constexpr auto pullback(auto g, auto, auto, auto) { return operands{g, -g}; }
  static constexpr term simplify(attribute, auto a, auto b) {
    if (is_constant(a, 0)) return -b;
    return is_constant(b, 0) ? a : term{};
  }
};

struct mul : elementwise<2> {
  static constexpr auto name = "mul";
  static constexpr auto call = "cwise_product(a, b)";
  static constexpr auto formula = "a b";
  static constexpr auto linear = linearity::separate;
  static constexpr interval domain{-4, 4};
  [[gnu::always_inline]] static constexpr auto value(auto a, auto b) { return math::product(a, b); }
  static constexpr auto pullback(auto g, auto, auto a, auto b) { return operands{g * b, g * a}; }
  static constexpr term simplify(attribute, auto a, auto b) {
    if (is_constant(a) || is_constant(b)) {
      if (is_constant(a, 1)) return b;
      if (is_constant(b, 1)) return a;
      if (is_constant(a, -1)) return -b;
      if (is_constant(b, -1)) return -a;
      if (is_finite_constant(b) && is_single(a)) return scaled(a, b);
      if (is_finite_constant(a) && is_single(b)) return scaled(b, a);
    }
    if (is<neg>(b) || is<mul>(b))
      if (auto const y = regrouped(a, b); y.owner != nullptr) return y;
    return is<neg>(a) || is<mul>(a) ? regrouped(b, a) : term{};
  }

 private:
  /// few · (2 x) = (2 few) x and few · (-x) = (-few) x, where `few` has fewer entries than x, and a · (-x) = -(a x):
  /// the same digits, by fewer operations or with the sign where a sum can leave it out.
  static constexpr term regrouped(auto few, auto x) {
    std::int64_t const fewer = few.extent().size(), all = x.extent().size();
    if (fewer > all) return {};
    if (is<neg>(x)) return fewer < all ? -few * x.operand(0) : -(few * x.operand(0));
    if (fewer == all) return {};
    for (int i = 0; i < 2; ++i)
      if (is_doubling(x.operand(i))) return few * x.operand(i) * x.operand(1 - i);
    return {};
  }
  /// An entry's adjoint, in which all others are 0, times a finite number stays one.
  static constexpr bool is_single(term x) { return is<embed>(x) && x.operand(0).extent().size() == 1; }
  static constexpr bool is_finite_constant(term x) {
    return is_constant(x) && value_of(x->attributes) - value_of(x->attributes) == 0;
  }
  static constexpr term scaled(term single, term by);  // in op/assemble.hpp, which knows what parts are
  static constexpr bool is_doubling(term x) {
    return x.extent().size() == 1 &&
           (is_constant(x, 2) || is_constant(x, 0.5) || is_constant(x, -0.5) || is_constant(x, -2));
  }
};

/// Quotient.  y = a / b, so dy/db = -y / b.
struct div : elementwise<2> {
  static constexpr auto name = "div";
  static constexpr auto call = "a / b";
  static constexpr auto formula = "a / b";
  static constexpr auto kinks = "1 / x at 0: the infinite limit";
  static constexpr int cost = 4;
  static constexpr interval domain{0.5, 4};
  static constexpr unsigned sums_of = 0b1;
  [[gnu::always_inline]] static constexpr auto value(auto a, auto b) { return math::ratio(a, b); }
  /// By b it is -g a / b². Of a constant over b it takes no further division: 1 / b is y over the constant.
  static constexpr auto pullback(auto g, auto y, auto a, auto b) {
    double const c = is_constant(a) ? value_of(a->attributes) : 0;
    return operands{g / b, -(has_usual_inverse(c) ? g * (1 / c * y) : g / b) * y};
  }
  /// A divisor of many entries is inverted once: one rounding more, and no division for each. Where the inverse
  /// could overflow or lose digits, both operands are multiplied by a power of 2 before. (Constants only where
  /// their inverse keeps all its digits.)
  static constexpr term simplify(attribute, auto a, auto b) {
    if (is_constant(b, 1)) return a;
    if (b.extent().size() == infer(0, {a.extent(), b.extent()}).size()) return {};
    if (is_constant(b)) return has_usual_inverse(value_of(b->attributes)) ? a * (1 / b) : term{};
    if (is<sqrt>(b) || is<norm>(b) || is<deviation>(b)) return a * (1 / b);  // roots have inverses
    auto const scale = emit<inversion_scale>(0, b);
    return a * scale * (1 / (b * scale));
  }
  /// Whether numbers of all types keep the digits of 1 / v.
  static constexpr bool has_usual_inverse(double v) { return math::abs(v) > 1e-35 && math::abs(v) < 1e35; }
};

/// The value itself, in memory of its own; the attribute tells copies of one value apart.
struct copy : elementwise<1> {
  static constexpr auto name = "copy";
  static constexpr auto part_of = "whatever must lie in memory of its own";
  static constexpr auto formula = "x";
  static constexpr interval domain{-4, 4};
  static constexpr unsigned sums_of = 0b1;
  [[gnu::always_inline]] static constexpr auto value(auto x) { return x; }
  static constexpr auto pullback(auto g, auto, auto) { return operands{g}; }
};

/// The value itself, rounded: compilers do not contract it with the sum that reads it.
struct settled : elementwise<1> {
  static constexpr auto name = "settled";
  static constexpr auto part_of = "what a condition is made of";
  static constexpr auto formula = "x, rounded before a sum reads it";
  static constexpr interval domain{-4, 4};
  static constexpr int cost = 0;
  static constexpr unsigned sums_of = 0b1;
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) {
    using math::settled;
    return settled(x);
  }
  static constexpr auto pullback(auto g, auto, auto) { return operands{g}; }
};

/// Conversion to the element type in the attribute.
struct cast : elementwise<1> {
  static constexpr auto name = "cast";
  static constexpr auto call = "cast<double>(x)";
  static constexpr auto formula = "x in another element type";
  static constexpr auto linear = linearity::joint;
  static constexpr element type(attribute to) { return static_cast<element>(to); }
  static constexpr unsigned sums_of = 0b1;
  [[gnu::always_inline]] static constexpr auto value(auto x) { return x; }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{emit<cast>(static_cast<attribute>(x->type), g)};
  }
  static constexpr term simplify(attribute to, auto x) { return x->type == type(to) ? x : term{}; }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

constexpr term count_in(graph& g, element type) {
  make_known<op::count>();
  term const count{&g, g.insert(opcode_of<op::count>, element::i32, shape{}, op::count::before_arguments, {})};
  return emit<op::cast>(static_cast<attribute>(type), count);
}

/// `x` with entries of the type `type`.
constexpr term in_type(term x, element type) {
  return x->type == type ? x : emit<op::cast>(static_cast<attribute>(type), x);
}

/// `x` with entries of type `T`.
template <class T, static_handle X>
  requires(scalar<T> || std::same_as<T, undetermined>)
constexpr auto cast(X const& x) {
  if constexpr (std::same_as<T, typename X::scalar_type>) {
    return x;
  } else if constexpr (!std::is_floating_point_v<T>) {
    error::not_a_floating_type<T>();
    return detail::instead_of<float, X::extent>(x);
  } else if constexpr (requires { x.template in_type<T>(); }) {
    return x.template in_type<T>();
  } else {
    return detail::built<T, X::extent, X::elementwise_product>([](term t) { return etch::in_type(t, element_of<T>); },
                                                               x);
  }
}

namespace detail {

/// `x` as an operand of an operation in the element type `T`, which constants take by themselves.
template <class T, class X>
constexpr auto as_handle(X const& x) {
  if constexpr (!scalar<X> && operand_traits<X>::literal) return x;
  else if constexpr (!scalar<X>) return cast<T>(x);
  else if constexpr (std::same_as<T, undetermined>) return constant_expr<T, false>(-1, static_cast<double>(x));
  else return expr<T>(static_cast<T>(x));
}

template <class A, class B>
concept term_pair =
    (std::same_as<A, term> && (std::same_as<B, term> || scalar<B>)) || (scalar<A> && std::same_as<B, term>);

template <class X>
constexpr term as_term(X x, term beside) {
  if constexpr (scalar<X>) return constant(*beside.owner, beside->type, static_cast<double>(x));
  else return x;
}

}  // namespace detail

/// A binary element-wise op on any mix of handles and arithmetic scalars.
template <class Op, class A, class B>
  requires detail::traced_pair<A, B>
constexpr auto combine(A const& a, B const& b) {
  constexpr shape s = detail::operand_traits<A>::extent, t = detail::operand_traits<B>::extent,
                  larger = s.size() < t.size() ? t : s;
  if constexpr (detail::stated_operands<A, B>) {
    return state<Op>(a, b);
  } else if constexpr (tape_scalar<A> || tape_scalar<B>) {
    return combine<Op>(detail::on_graph(a), detail::on_graph(b));
  } else if constexpr (!detail::types_meet<A, B>()) {
    error::element_types_differ<A, B>();
    return detail::instead_of<detail::likely_type<A, B>, larger>(a, b);
  } else if constexpr (!broadcasts(s, t)) {
    error::shapes_do_not_broadcast<A, B>();
    return detail::instead_of<detail::likely_type<A, B>, larger>(a, b);
  } else {
    using T = decltype(detail::meeting_type<A, B>());
    if constexpr (!std::is_floating_point_v<T>) {
      error::integers_are_labels<A, B>();
      return detail::instead_of<float, larger>(a, b);
    } else {
      return apply<Op>(detail::as_handle<T>(a), detail::as_handle<T>(b));
    }
  }
}
template <class Op, class A, class B>
  requires detail::stray_pair<A, B>
constexpr auto combine(A const& a, B const& b) {
  if constexpr (!detail::few_numbers<A> && !detail::few_numbers<B>) error::tensor_belongs_to_no_graph<A, B>();
  return combine<Op>(detail::as_operand(a), detail::as_operand(b));
}
template <class Op, class A, class B>
  requires detail::term_pair<A, B>
constexpr term combine(A a, B b) {
  if constexpr (std::same_as<A, B>) return emit<Op>(0, a, b);
  else if constexpr (std::same_as<A, term>) return emit<Op>(0, a, detail::as_term(b, a));
  else return emit<Op>(0, detail::as_term(a, b), b);
}

/// Operands that an operation of two takes: at least one of them is a handle.
template <class A, class B>
concept operand_pair = detail::traced_pair<A, B> || detail::term_pair<A, B> || detail::stray_pair<A, B>;

/// The sum entry by entry; operands broadcast, numbers too. Of one operand, the operand itself.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto operator+(A const& a, B const& b) {
  return combine<op::add>(a, b);
}
/// The difference entry by entry; operands broadcast, numbers too. Of one operand, its negative.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto operator-(A const& a, B const& b) {
  return combine<op::sub>(a, b);
}
/// The quotient entry by entry; operands broadcast, numbers too.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto operator/(A const& a, B const& b) {
  return combine<op::div>(a, b);
}
template <handle X>
constexpr auto operator-(X const& x) {
  return apply<op::neg>(x);
}
template <handle X>
constexpr X operator+(X const& x) {
  return x;
}

/// The product entry by entry, operands broadcast.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto cwise_product(A const& a, B const& b) {
  return combine<op::mul>(a, b);
}
/// The quotient entry by entry, operands broadcast.
template <class A, class B>
  requires operand_pair<A, B>
constexpr auto cwise_quotient(A const& a, B const& b) {
  return combine<op::div>(a, b);
}

/// On terms `*` is element-wise; for exprs see `op/linalg/product.hpp`.
template <class A, class B>
  requires detail::term_pair<A, B>
constexpr term operator*(A a, B b) {
  return combine<op::mul>(a, b);
}

/// Compound assignment: `a` becomes the handle of the new value.
template <static_handle A, class B>
constexpr A& operator+=(A& a, B const& b) {
  a = a + b;
  return a;
}
/// Compound assignment: `a` becomes the handle of `a - b`.
template <static_handle A, class B>
constexpr A& operator-=(A& a, B const& b) {
  a = a - b;
  return a;
}
/// Compound assignment: `a` becomes the handle of `a * b`.
template <static_handle A, class B>
constexpr A& operator*=(A& a, B const& b) {
  a = a * b;
  return a;
}
/// Compound assignment: `a` becomes the handle of `a / b`.
template <static_handle A, class B>
constexpr A& operator/=(A& a, B const& b) {
  a = a / b;
  return a;
}

ETCH_NAMESPACE_END
