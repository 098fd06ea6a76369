// mistaken_call: what is said where a program is called with other arguments than its own, or
// asked for a gradient that it has not.
#pragma once

#include <etch/core/misuse_error.hpp>
#include <etch/compile/check.hpp>
#include <etch/compile/destination.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {

/// Types of arguments, as they are printed with a sentence.
template <class... A>
struct given {};
template <class... A>
struct compiled_for {};

template <class Given, class CompiledFor>
constexpr auto call_does_not_fit() {
  static_assert(never<Given, CompiledFor>,
                "etch: a program is called with the arguments that it was compiled for, one of each type in their "
                "order, and behind them at most one "
                "into or add_to");
  return mistake{};
}
template <class CompiledFor>
constexpr auto program_is_constant() {
  static_assert(
      never<CompiledFor>,
      "etch: a program that is const is called: it computes in memory of its own, so declare it without const");
  return mistake{};
}
template <class Wrt>
constexpr auto position_of_gradient_is_missing() {
  static_assert(never<Wrt>, "etch: grad needs the position of an argument: grad<0>()");
  return mistake{};
}
template <class... Gradient>
constexpr auto destination_is_temporary() {
  static_assert(
      never<Gradient...>,
      "etch: into and add_to refer to variables, since they are written to: this one is gone when the call ends");
  return mistake{};
}
template <int... I>
constexpr auto positions_are_no_wrt() {
  static_assert(never<shape_of<I...>>,
                "etch: positions are named by wrt: compile<etch::wrt<0>>(f, x...), grad<etch::wrt<0>>(f)");
  return mistake{};
}

}  // namespace error

namespace detail {

template <class X>
inline constexpr bool is_destination = false;
template <bool Accumulate, class Ready, class... Gradient>
inline constexpr bool is_destination<destination<Accumulate, Ready, Gradient...>> = true;

/// Whether arguments of types `Given` convert to those of types `A`, and one more, if there is one, is a destination.
template <class... A, class... Given>
consteval bool accepts(std::type_identity<std::tuple<A...>>, std::type_identity<std::tuple<Given...>>) {
  constexpr std::size_t n = sizeof...(A);
  if constexpr (sizeof...(Given) != n && sizeof...(Given) != n + 1) return false;
  else {
    using all = std::tuple<Given..., void>;
    constexpr bool converts = []<std::size_t... I>(std::index_sequence<I...>) {
      return (std::is_convertible_v<std::tuple_element_t<I, all> const&, A const&> && ...);
    }(std::make_index_sequence<n>{});
    return converts && (sizeof...(Given) == n || is_destination<std::tuple_element_t<n, all>>);
  }
}

/// The calls of a program with `Wrt` and arguments of types `A` that are mistakes. A base of the program, so that the
/// lines which compilers print name these types, and not the program's whole content.
template <class Wrt, class... A>
struct mistaken_call;
template <int... I, class... A>
struct mistaken_call<wrt<I...>, A...> {
  template <class... Given>
    requires(!accepts(std::type_identity<std::tuple<A...>>{}, std::type_identity<std::tuple<Given...>>{}))
  constexpr auto operator()(Given const&...) const {
    error::call_does_not_fit<error::given<Given...>, error::compiled_for<A...>>();
    return 0.0;
  }
  constexpr auto operator()(A const&...) const {
    error::program_is_constant<error::compiled_for<A...>>();
    return 0.0;
  }
  template <int J>
    requires(!((J == I) || ...))
  auto const& grad() const {
    return no_gradient<typename gradient_at<J, A...>::type,
                       decltype(error::gradient_was_not_asked_for<J, wrt<I...>>())>;
  }
  template <class Never = void>
  auto const& grad() const {
    constexpr int first[] = {I..., -1};
    return no_gradient<typename gradient_at<first[0], A...>::type,
                       decltype(error::position_of_gradient_is_missing<
                                std::conditional_t<std::is_void_v<Never>, wrt<I...>, Never>>())>;
  }
};

/// Whether `A` is a traced value, or holds one.
template <class A>
consteval bool holds_traced() {
  if constexpr (traced<A>) return true;
  else if constexpr (is_tuple<A>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (holds_traced<std::tuple_element_t<I, A>>() || ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
  else if constexpr (reflected<A>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (holds_traced<member_type<A, I>>() || ...);
    }(std::make_index_sequence<member_count<A>>{});
  else return false;
}
}  // namespace detail

template <class... Gradient>
  requires(!(std::is_lvalue_reference_v<Gradient> && ...))
constexpr auto into(Gradient&&... targets) {
  error::destination_is_temporary<Gradient...>();
  return detail::destination<false, detail::nobody, std::remove_reference_t<Gradient>...>{{targets...}, {}};
}
template <class... Gradient>
  requires(!(std::is_lvalue_reference_v<Gradient> && ...))
constexpr auto add_to(Gradient&&... targets) {
  error::destination_is_temporary<Gradient...>();
  return detail::destination<true, detail::nobody, std::remove_reference_t<Gradient>...>{{targets...}, {}};
}

ETCH_NAMESPACE_END
