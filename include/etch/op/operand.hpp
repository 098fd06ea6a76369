// operand: what an operation takes besides handles, and the element type in which its operands meet.
#pragma once

#include <etch/core/constant.hpp>
#include <etch/base/error.hpp>

ETCH_NAMESPACE_BEGIN

template <class A>
struct argument;
template <scalar T, int... Dims>
struct matrix_expr;

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace detail {

template <class X>
struct operand_traits {
  using scalar_type = typename X::scalar_type;
  static constexpr shape extent = X::extent;
  static constexpr bool literal = std::same_as<scalar_type, undetermined>;
  static constexpr bool is_scalar = extent.rank == 0;
};
template <scalar X>
struct operand_traits<X> {
  using scalar_type = X;
  static constexpr shape extent{};
  static constexpr bool literal = true, is_scalar = true;
};

/// Whether there is an element type in which `A` and `B` meet: tensors of different floating types do not.
template <class A, class B>
constexpr bool types_meet() {
  using a = operand_traits<A>;
  using b = operand_traits<B>;
  return std::same_as<typename a::scalar_type, typename b::scalar_type> || a::literal || b::literal || a::is_scalar ||
         b::is_scalar || !std::is_floating_point_v<typename a::scalar_type> ||
         !std::is_floating_point_v<typename b::scalar_type>;
}

/// Numbers and constants alone.
template <class... X>
concept literals = (operand_traits<X>::literal && ...);

/// The element type in which `A` and `B` meet: a literal or scalar takes the type of the tensor; integers take a
/// floating type. Numbers and constants among themselves have none yet.
template <class A, class B>
constexpr auto meeting_type() {
  using a = operand_traits<A>;
  using b = operand_traits<B>;
  using s = typename a::scalar_type;
  using t = typename b::scalar_type;
  if constexpr (std::same_as<s, t>) return s{};
  else if constexpr (std::same_as<s, undetermined> || std::same_as<t, undetermined>) {
    if constexpr (literals<A, B>) return undetermined{};
    else if constexpr (std::same_as<s, undetermined>)
      return std::conditional_t<std::is_floating_point_v<t>, t, float>{};
    else return std::conditional_t<std::is_floating_point_v<s>, s, float>{};
  } else if constexpr (a::literal && std::is_floating_point_v<t>) return t{};
  else if constexpr (b::literal && std::is_floating_point_v<s>) return s{};
  else if constexpr (std::is_floating_point_v<s> != std::is_floating_point_v<t>) {
    if constexpr (std::is_floating_point_v<s>) return s{};
    else return t{};
  } else if constexpr (a::is_scalar == b::is_scalar) {
    if constexpr (!types_meet<A, B>()) error::element_types_differ<A, B>();
    return std::common_type_t<s, t>{};
  } else if constexpr (a::is_scalar) return t{};
  else return s{};
}

/// The element type of an operation on `X...`, which agree in it: that of the first operand that has one.
/// Constants beside integers are float.
template <class First, class... More>
constexpr auto joint_type() {
  if constexpr (!operand_traits<First>::literal) return typename First::scalar_type{};
  else if constexpr (sizeof...(More) == 0) return undetermined{};
  else return joint_type<More...>();
}

/// The element type of what stands for the result of a mistake: that of the first operand that has a
/// floating one, so that it meets others.
template <class... X>
constexpr auto likely_type_of() {
  if constexpr (sizeof...(X) == 0) return float{};
  else
    return []<class First, class... More>(std::type_identity<First>, std::type_identity<More>...) {
      using T = typename operand_traits<First>::scalar_type;
      if constexpr (std::is_floating_point_v<T> && !(scalar<First> && sizeof...(More) > 0)) return T{};
      else return likely_type_of<More...>();
    }(std::type_identity<X>{}...);
}
template <class... X>
using likely_type = decltype(likely_type_of<X...>());

template <class X>
concept traced = static_handle<X> || tape_scalar<X>;
template <class A, class B>
concept traced_pair = (traced<A> && (traced<B> || scalar<B>)) || (scalar<A> && traced<B>);

/// Entries in memory that belong to no graph: a tensor's, and an Eigen object's.
template <class X>
concept plain_entries = requires {
  X::extent;
  requires scalar<typename X::value_type>;
};
template <class X>
concept plain_eigen = requires {
  typename X::PlainObject;
  requires scalar<typename X::Scalar>;
};
/// Whether `X` is such where a traced value is wanted. (A scalar of a tape scales an Eigen
/// object, which is Eigen's affair.)
template <class X, class Beside>
concept plain_tensor = !traced<X> && (plain_entries<X> || (static_handle<Beside> && plain_eigen<X>));
/// A tensor of few numbers: beside a traced value it is a constant,
template <class X>
concept few_entries =
    plain_entries<X> && std::floating_point<typename X::value_type> && X::extent.rank >= 1 && X::extent.size() <= 64;
/// and a vector or matrix the one that a `matrix_expr` is.
template <class X>
concept few_numbers = few_entries<X> && X::extent.rank <= 2;
/// A traced value and a plain tensor: a constant, or the mistake.
template <class A, class B>
concept stray_pair = (traced<A> && plain_tensor<B, A>) || (traced<B> && plain_tensor<A, B>);
/// Operands that the operators take: traced values, with what is a constant or the mistake that has a sentence.
template <class A, class B>
concept any_traced_pair = traced_pair<A, B> || stray_pair<A, B>;

/// Operands of a statement on a tape.
template <class... X>
concept stated_operands = (tape_scalar<X> || ...) && !(static_handle<X> || ...);

/// A scalar of a tape as a value of its graph, where an operation meets other values of that
/// graph; anything else as it is.
template <class X>
constexpr decltype(auto) on_graph(X const& x) {
  if constexpr (tape_scalar<X>) return x.on_graph();
  else return (x);
}

/// The operand `x` of a stray pair: the constant that it is, or what it would be if it was an argument, so that the
/// mistake is the only error; a traced value itself.
template <class X>
constexpr auto as_operand(X const& x) {
  if constexpr (traced<X>) return x;
  else if constexpr (few_numbers<X>)
    return [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
      return matrix_expr<typename X::value_type, X::extent[Axis]...>::known(
          [&](std::ptrdiff_t i, std::ptrdiff_t j) { return x[static_cast<std::size_t>(i + j * X::extent[0])]; });
    }(std::make_integer_sequence<int, X::extent.rank>{});
  else if constexpr (requires { requires X::SizeAtCompileTime < 0; }) return expr<typename X::Scalar>{};
  else return typename argument<X>::traced{};
}

/// Whether `X` is a plain tensor where traced values are wanted.
template <class X>
concept stray = !traced<X> && !scalar<X> && (plain_entries<X> || plain_eigen<X>);
/// Operands of which some are traced and some are stray, and others numbers.
template <class... X>
concept stray_operands = (traced<X> || ...) && (stray<X> || ...) && ((traced<X> || scalar<X> || stray<X>) && ...);

}  // namespace detail
ETCH_NAMESPACE_END
