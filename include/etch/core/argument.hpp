// Describes what may be an argument of a loss: how it splits into leaves, what the lambda sees in its
// place, and the type of its gradient.
#pragma once

#include <etch/core/counted_tensor.hpp>
#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>

#include <array>
#include <tuple>

ETCH_NAMESPACE_BEGIN

/// Description of one argument type. Every specialisation has
///   traced      the type that the lambda sees
///   gradient    the owning type of a gradient
///   rebindable  whether a struct template keeps its shape when its element tag becomes a symbol
///   trace(make) the traced value, from `make.template operator()<T, Extent>()` for each leaf in order
///   visit(a, f) calls `f(pointer to the entries, their number)` for each leaf in the same order
/// and, where the type is mistaken,
///   mistake     what the sentence about it returns
template <class A>
struct argument;

/// An argument that cannot be one: as if it were a number, so that its `mistake` is the only error.
struct mistaken_argument {
  using traced = expr<float>;
  using gradient = float;
  static constexpr bool rebindable = true;
  static constexpr traced trace(auto make) { return make.template operator()<float, shape{}>(); }
  static constexpr void visit(auto&, auto) {}
};

/// An argument of no type that is known.
template <class A>
struct argument : mistaken_argument {
  using mistake = decltype(error::type_of_argument_is_unknown<A>());
};

template <scalar T>
struct argument<T> {
  using traced = expr<T>;
  using gradient = T;
  static constexpr bool rebindable = true;
  static constexpr traced trace(auto make) { return make.template operator()<T, shape{}>(); }
  static constexpr void visit(auto& a, auto f) { f(&a, std::size_t{1}); }
};

template <scalar T, int... Dims>
struct argument<tensor<T, Dims...>> {
  using traced = expr<T, Dims...>;
  using gradient = tensor<T, Dims...>;
  static constexpr bool rebindable = true;
  static constexpr traced trace(auto make) { return make.template operator()<T, traced::extent>(); }
  static constexpr void visit(auto& a, auto f) { f(a.data(), a.size()); }
};

namespace detail {
/// A visitor of leaves that is shown only entries that count.
template <class F>
struct what_counts {
  static constexpr bool only_what_counts = true;
  F f;
  constexpr void operator()(auto* entries, std::size_t n) const { f(entries, n); }
};
template <class F>
what_counts(F) -> what_counts<F>;
}  // namespace detail

/// A tensor of which so many entries count as is said at run time. A visitor that takes such counts is given the
/// tensor.
template <scalar T, int... Dims>
  requires(detail::last_is_counted<Dims...>())
struct argument<tensor<T, Dims...>> {
  using traced = expr<T, Dims...>;
  using gradient = tensor<T, Dims...>;
  static constexpr bool rebindable = true;
  static constexpr traced trace(auto make) { return make.template operator()<T, traced::extent>(); }
  static constexpr void visit(auto& a, auto f) {
    if constexpr (requires { f.take_count(a); }) f.take_count(a);
    else if constexpr (requires { f.only_what_counts; }) f(a.data(), a.size());
    else f(a.data(), std::remove_cvref_t<decltype(a)>::capacity);
  }
};

/// A struct without members has no leaves, such as a layer without parameters: it is seen as it is.
template <class S>
  requires(std::is_empty_v<S> && std::is_class_v<S> && !reflected<S>)
struct argument<S> {
  using traced = S;
  using gradient = S;
  static constexpr bool rebindable = true;
  static constexpr traced trace(auto) { return {}; }
  static constexpr void visit(auto&, auto) {}
};

namespace detail {

/// Whether `S` is a tuple or an array, which are taken apart alike.
template <class S>
inline constexpr bool is_tuple = false;
template <class... Each>
inline constexpr bool is_tuple<std::tuple<Each...>> = true;
template <class Each, std::size_t N>
inline constexpr bool is_tuple<std::array<Each, N>> = true;

/// `array[N]` and tuples, element by element.
template <class A, class Indices>
struct tuple_argument;
template <class A, std::size_t... I>
struct tuple_argument<A, std::index_sequence<I...>> {
  static constexpr bool rebindable = (argument<std::tuple_element_t<I, A>>::rebindable && ...);
  template <class Traced>
  static constexpr Traced trace(auto make) {
    return Traced{argument<std::tuple_element_t<I, A>>::trace(make)...};  // braces: left to right
  }
  static constexpr void visit(auto& a, auto f) {
    (argument<std::tuple_element_t<I, A>>::visit(std::get<I>(a), f), ...);
  }
};

}  // namespace detail

namespace detail {

/// Whether no sentence is to be said about a type of argument, or about a part of it: one mistake is one error.
template <class A>
consteval bool is_sound() {
  if constexpr (requires { typename argument<A>::mistake; }) return std::is_void_v<typename argument<A>::mistake>;
  else return true;
}
template <class A>
inline constexpr bool is_sound_argument = is_sound<A>();
template <class A, std::size_t N>
inline constexpr bool is_sound_argument<std::array<A, N>> = is_sound_argument<A>;
template <class... A>
inline constexpr bool is_sound_argument<std::tuple<A...>> = (is_sound_argument<A> && ...);
template <reflected A>
inline constexpr bool is_sound_argument<A> =
    is_sound<A>() && with_members<A>([](auto... i) { return (is_sound_argument<member_type<A, i>> && ...); });

}  // namespace detail

template <class A, std::size_t N>
struct argument<std::array<A, N>> : detail::tuple_argument<std::array<A, N>, std::make_index_sequence<N>> {
  using traced = std::array<typename argument<A>::traced, N>;
  using gradient = std::array<typename argument<A>::gradient, N>;
  static constexpr traced trace(auto make) {
    return detail::tuple_argument<std::array<A, N>, std::make_index_sequence<N>>::template trace<traced>(make);
  }
};

template <class... A>
struct argument<std::tuple<A...>> : detail::tuple_argument<std::tuple<A...>, std::index_sequence_for<A...>> {
  using traced = std::tuple<typename argument<A>::traced...>;
  using gradient = std::tuple<typename argument<A>::gradient...>;
  static constexpr traced trace(auto make) {
    return detail::tuple_argument<std::tuple<A...>, std::index_sequence_for<A...>>::template trace<traced>(make);
  }
};

ETCH_NAMESPACE_END
