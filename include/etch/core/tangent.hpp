// tangent: which arguments are differentiated in a tangent space: structs that name the type of their tangent vectors,
// and tuples, arrays and structs of them.
#pragma once

#include <etch/core/argument.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// A struct whose values form a manifold: its member type `tangent` is `param<T, n>`, and `retract(x, v)`, found by
/// argument, is the value that the tangent vector v leads to from x, and x itself where v is 0. A second function,
/// `retract_nearby(x, v)`, may agree with it to second order at v = 0, for less.
template <class M>
concept curved = reflected<M> && requires { typename M::tangent; };

/// Whether `A` is one, or a tuple, an array or a struct that holds one.
template <class A>
consteval bool holds_curved() {
  if constexpr (curved<A>) return true;
  else if constexpr (is_tuple<A>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (holds_curved<std::tuple_element_t<I, A>>() || ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
  else if constexpr (reflected<A>)
    return with_members<A>([](auto... i) { return (holds_curved<member_type<A, i>>() || ...); });
  else return false;
}

/// The type of the gradient by a struct: a tangent vector, or a tuple of the members' gradients where a member has one
/// that is not of its own type.
template <class S>
struct gradient_of_struct {
  using type = S;
};
template <curved S>
struct gradient_of_struct<S> {
  using type = typename S::tangent;
};
template <class S>
  requires(!curved<S> && holds_curved<S>())
struct gradient_of_struct<S> {
  template <std::size_t... I>
  static auto members(std::index_sequence<I...>) -> std::tuple<typename argument<member_type<S, I>>::gradient...>;
  using type = decltype(members(std::make_index_sequence<member_count<S>>{}));
};

}  // namespace detail
ETCH_NAMESPACE_END
