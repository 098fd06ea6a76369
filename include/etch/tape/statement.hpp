// statement: an expression in scalars of a tape, such as sin(x) * z + exp(-x * x). Its type is the
// expression. Its value is computed at once, its partial derivatives where it becomes a variable:
// together they are one entry of the tape.
#pragma once

#include <etch/op/power.hpp>
#include <etch/tape/scalar_rule.hpp>

ETCH_NAMESPACE_BEGIN

template <scalar T, int... Dims>
class var;
template <class T, class Op, class... X>
class statement;
namespace dynamic {
template <class T>
class tape_state;
}

namespace error {
template <class... X>
constexpr auto scalars_of_a_statement_differ() {
  static_assert(never<X...>,
                "etch: element types differ: scalars of float and double do not mix in one statement on a tape");
  return mistake{};
}
}  // namespace error

namespace dynamic {

/// One operand of an entry: the partial derivative with respect to the scalar of that number. The last
/// of an entry says how many there are.
template <class T>
struct partial {
  T value;
  std::uint32_t operand;
  std::uint32_t count;
};

/// The operands of one entry while they are collected. Of adjoining ones with one number there is one.
template <class T>
struct partials {
  partial<T>* first;
  partial<T>* end;

  /// The adjoint of the scalar of that number; 0 is that of constants.
  [[gnu::always_inline]] void add(std::uint32_t number, T value) {
    if (end != first && end[-1].operand == number) {
      end[-1].value += value;
    } else {
      end->value = value;
      end->operand = number;
      ++end;
    }
  }
  /// Takes out the constants.
  [[gnu::cold, gnu::noinline]] static partial<T>* without_constants(partial<T>* first, partial<T> const* end) {
    partials kept{first, first};
    for (partial<T> const* each = first; each != end; ++each)
      if (each->operand != 0) kept.add(each->operand, each->value);
    return kept.end;
  }
};

/// A number in a statement.
template <class T>
struct literal {
  static constexpr int most_partials = 0;
  T number;

  constexpr T value() const { return number; }
  constexpr tape_state<T>* owner() const { return nullptr; }
  constexpr bool is_current(tape_state<T> const*) const { return true; }
  constexpr void check(tape_state<T> const*) const {}
  constexpr void collect(T, partials<T>&) const {}
};

/// The operand at position `I`; equal types may be held several times.
template <int I, class X>
struct held {
  X operand;
};
template <int I, class X>
constexpr X const& operand(held<I, X> const& from) {
  return from.operand;
}

/// Variables and statements are held by value, so that `auto` is safe.
template <class T, class X>
struct held_as {
  using type = X;
};
template <class T, scalar X>
struct held_as<T, X> {
  using type = literal<T>;
};

/// Whether the value of a statement is 0 or 1: comparisons, and what `&&`, `||` and `!` make of them.
template <class X>
inline constexpr bool is_truth = false;
template <class T>
inline constexpr bool is_truth<literal<T>> = true;  // beside another truth
template <class T, class Op, class... X>
inline constexpr bool is_truth<statement<T, Op, X...>> =
    std::same_as<Op, op::less> || std::same_as<Op, op::less_equal> || std::same_as<Op, op::equal> ||
    std::same_as<Op, op::not_equal> ||
    ((std::same_as<Op, op::mul> || std::same_as<Op, op::select>) && (is_truth<X> && ...));

template <class Positions, class... X>
struct held_operands;
template <int... I, class... X>
struct held_operands<std::integer_sequence<int, I...>, X...> : held<I, X>... {};

}  // namespace dynamic

/// The value `Op(x...)` in the element type `T`, not recorded yet. Converts to `var<T>`.
template <class T, class Op, class... X>
class statement {
  using positions = std::make_integer_sequence<int, sizeof...(X)>;

 public:
  using scalar_type = T;
  using tape_scalar_type = T;
  static constexpr shape extent{};
  static constexpr bool elementwise_product = false;
  static constexpr int most_partials = (X::most_partials + ...);

  template <class... Each>
  [[gnu::always_inline]] constexpr explicit statement(std::in_place_t, Each const&... x)
      : operands_{{X{x}}...}, value_(Op::value(X{x}.value()...)) {}

  constexpr T value() const { return value_; }
  /// A comparison, or logic on comparisons, as a condition of control flow, and as what
  /// functions such as std::less return.
  template <std::same_as<bool> Truth>
  constexpr explicit(!dynamic::is_truth<statement>) operator Truth() const {
    return value_ != 0;
  }

  /// The tape of the first variable that has one.
  [[gnu::always_inline]] constexpr dynamic::tape_state<T>* owner() const {
    dynamic::tape_state<T>* found = nullptr;
    each([&](auto, auto const& x) { found = found != nullptr ? found : x.owner(); });
    return found;
  }
  /// Whether all variables were made by `t` since it was last rewound: what is usual.
  [[gnu::always_inline]] constexpr bool is_current(dynamic::tape_state<T> const* t) const {
    bool all = true;
    each([&](auto, auto const& x) { all = all && x.is_current(t); });
    return all;
  }
  /// Whether all variables are constants or values of `t` that still exist; else the mistake.
  [[gnu::always_inline]] constexpr void check(dynamic::tape_state<T> const* t) const {
    each([&](auto, auto const& x) { x.check(t); });
  }
  /// Appends the partial derivatives, times `g`, with respect to the variables at the ends of the expression.
  [[gnu::always_inline]] constexpr void collect(T g, dynamic::partials<T>& to) const {
    T x[sizeof...(X)];
    each([&](auto i, auto const& of) { x[i] = of.value(); });
    dynamic::scalar_rule<Op, T>::run(g, value_, x,
                                     [&](auto i, T adjoint) { dynamic::operand<i>(operands_).collect(adjoint, to); });
  }
  /// The value as a scalar of the tape's graph.
  auto on_graph() const { return var<T>(*this).on_graph(); }

 private:
  dynamic::held_operands<positions, X...> operands_;
  T value_;

  [[gnu::always_inline]] constexpr void each(auto f) const {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<int, I>{}, dynamic::operand<I>(operands_)), ...);
    }(positions{});
  }
};

namespace dynamic {

/// The element type of the scalars of a tape among the operands.
template <class First, class... More>
consteval auto scalar_type_among() {
  if constexpr (!tape_scalar<First>) return scalar_type_among<More...>();
  else {
    using T = typename First::tape_scalar_type;
    constexpr bool agree = ([] {
      if constexpr (tape_scalar<More>) return std::same_as<T, typename More::tape_scalar_type>;
      else return true;
    }() && ...);
    if constexpr (!agree) error::scalars_of_a_statement_differ<First, More...>();
    return T{};
  }
}

}  // namespace dynamic

template <class Op, class... X>
constexpr auto state(X const&... x) {
  using T = decltype(dynamic::scalar_type_among<X...>());
  return statement<T, Op, typename dynamic::held_as<T, X>::type...>(std::in_place, [&]() -> decltype(auto) {
    if constexpr (scalar<X>) return static_cast<T>(x);
    else return (x);
  }()...);
}

/// The value of a scalar or a statement on a tape, as a number.
template <tape_scalar X>
constexpr auto value(X const& x) {
  return x.value();
}

/// Returns the number itself: scalars of a tape have the tape's element type.
template <scalar T, tape_scalar X>
  requires(std::same_as<T, typename X::tape_scalar_type>)
constexpr X const& cast(X const& x) {
  return x;
}

namespace detail {
template <class T, class Op, class... X>
struct recorded<statement<T, Op, X...>> {
  using type = var<T>;
};
}  // namespace detail

ETCH_NAMESPACE_END
