// Structs as arguments. A struct template over the element tag is traced as itself, with symbols for members;
// any other reflected struct is traced as a view by the same member names.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/member_view.hpp>
#include <etch/core/tangent.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

template <class S, class Tag>
struct rebind {
  using type = void;
};
template <template <class> class S, class T, class Tag>
struct rebind<S<T>, Tag> {
  using type = S<Tag>;
};
template <template <class, auto...> class S, class T, auto... N, class Tag>
  requires(sizeof...(N) > 0)
struct rebind<S<T, N...>, Tag> {
  using type = S<Tag, N...>;
};
/// Further type parameters are kept, or rebound where they are parametrised structs themselves.
template <class P, class Tag>
struct rebind_parameter {
  using type = P;
};
template <reflected P, class Tag>
struct rebind_parameter<P, Tag> {
  using rebound = typename rebind<P, Tag>::type;
  using type = std::conditional_t<std::is_void_v<rebound>, P, rebound>;
};
template <template <class, class, class...> class S, class T, class P, class... Rest, class Tag>
struct rebind<S<T, P, Rest...>, Tag> {
  using type = S<Tag, typename rebind_parameter<P, Tag>::type, typename rebind_parameter<Rest, Tag>::type...>;
};
/// A count of parametrised structs, such as `nn::repeated`.
template <template <auto, class> class S, auto N, class P, class Tag>
struct rebind<S<N, P>, Tag> {
  using type = S<N, typename rebind_parameter<P, Tag>::type>;
};

/// The first template argument, where it is arithmetic: the element type that the tag replaces.
template <class S>
struct element_tag {
  using type = void;
};
template <template <class...> class S, scalar T, class... Rest>
struct element_tag<S<T, Rest...>> {
  using type = T;
};
template <template <class, auto...> class S, scalar T, auto... N>
  requires(sizeof...(N) > 0)
struct element_tag<S<T, N...>> {
  using type = T;
};

template <template <auto, class> class S, auto N, class P>
struct element_tag<S<N, P>> : element_tag<P> {};

template <class S>
consteval bool members_are_rebindable() {
  return with_members<S>([](auto... i) { return (argument<member_type<S, i>>::rebindable && ...); });
}

/// Whether a member of type `To` takes a traced value of type `From`: an `std::array<T, 2>`
/// takes two values as `T` takes one.
template <class To, class From>
consteval bool takes() {
  if constexpr (std::is_assignable_v<To&, From>) {
    return true;
  } else if constexpr (is_tuple<To> && is_tuple<From>) {
    if constexpr (std::tuple_size_v<To> != std::tuple_size_v<From>) return false;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (takes<std::tuple_element_t<I, To>, std::tuple_element_t<I, From>>() && ...);
      }(std::make_index_sequence<std::tuple_size_v<To>>{});
  } else {
    return false;
  }
}
template <class To, class From>
constexpr void put(To& to, From const& from) {
  if constexpr (std::is_assignable_v<To&, From>) to = from;
  else
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (put(std::get<I>(to), std::get<I>(from)), ...);
    }(std::make_index_sequence<std::tuple_size_v<To>>{});
}

template <class S, class Traced>
consteval bool members_match() {
  return with_members<S>(
      [](auto... i) { return (takes<member_type<Traced, i>, typename argument<member_type<S, i>>::traced>() && ...); });
}

/// Whether `S<T>` traces as `S<symbol<T>>`.
template <class S>
consteval bool is_rebindable() {
  using T = typename element_tag<S>::type;
  if constexpr (std::is_void_v<T>) {
    return false;
  } else if constexpr (!members_are_rebindable<S>()) {
    return false;
  } else {
    using Traced = typename rebind<S, symbol<T>>::type;
    if constexpr (!reflected<Traced>) return false;
    else return members_match<S, Traced>();
  }
}

template <class S, bool Rebindable>
struct traced_struct {
  using type = named_view<S>;
};
template <class S>
struct traced_struct<S, true> {
  using type = typename rebind<S, symbol<typename element_tag<S>::type>>::type;
};

/// A member's name, as it is printed with a sentence.
template <char... C>
struct member_called {};
template <class S, std::size_t I>
consteval auto called() {
  return []<std::size_t... C>(std::index_sequence<C...>) {
    return member_called<member_name<S, I>()[C]...>{};
  }(std::make_index_sequence<member_name<S, I>().size()>{});
}

template <class M>
inline constexpr bool is_floating_leaf = std::is_floating_point_v<M>;
template <class T, int... Dims>
inline constexpr bool is_floating_leaf<tensor<T, Dims...>> = std::is_floating_point_v<T>;
template <class M, std::size_t N>
inline constexpr bool is_floating_leaf<std::array<M, N>> = is_floating_leaf<M>;

/// The first member of a struct template over an element tag that is a floating tensor or number and does not follow
/// the tag, where another member does; -1 if there is none. Such a struct is seen as a `named_view`, which nobody
/// expects who wrote `float b` for `T b`.
template <class S>
consteval int first_member_beside_the_tag() {
  using T = typename element_tag<S>::type;
  if constexpr (std::is_void_v<T>) return -1;
  else if constexpr (!reflected<typename rebind<S, symbol<T>>::type>) return -1;
  else
    return with_members<S>([](auto... i) {
      using Traced = typename rebind<S, symbol<T>>::type;
      bool const follows[]{!std::is_same_v<member_type<S, i>, member_type<Traced, i>>..., false};
      bool const is_number[]{is_floating_leaf<member_type<S, i>>..., false};
      bool any_follows = false;
      for (bool each : follows) any_follows = any_follows || each;
      for (std::size_t at = 0; at < sizeof...(i); ++at)
        if (any_follows && !follows[at] && is_number[at]) return static_cast<int>(at);
      return -1;
    });
}

/// Whether there is no such member in `A` or in a part of it; else the sentence is said.
template <class A>
constexpr bool follows_its_tag() {
  if constexpr (!reflected<A>) {
    return true;
  } else if constexpr (argument<A>::rebindable) {
    return true;
  } else if constexpr (constexpr int at = first_member_beside_the_tag<A>(); at >= 0) {
    constexpr auto I = static_cast<std::size_t>(at);
    error::member_does_not_follow_the_element_type<A, member_type<A, I>, decltype(called<A, I>())>();
    return false;
  } else {
    return with_members<A>([](auto... i) { return (follows_its_tag<member_type<A, i>>() && ...); });
  }
}

/// The mistake in how a struct lists its members; `void` if there is none. A struct that is traced as itself is looked
/// at as it is traced: there all leaves have one size, and no padding between them. One that others made a Hana Struct
/// may leave out what its view then lacks.
template <class S, bool Rebindable>
constexpr auto mistake_in_members() {
  if constexpr (names_too_many_members<S>()) {
    return error::too_many_members<S>();
  } else if constexpr (constexpr int repeated = first_repeated_member<S>(); repeated >= 0) {
    return error::member_is_listed_twice<S, decltype(called<S, static_cast<std::size_t>(repeated)>())>();
  } else if constexpr (with_members<S>([](auto... i) { return (is_sound_argument<member_type<S, i>> && ...); })) {
    if constexpr (Rebindable || has_listed_members<S>)
      if constexpr (!lists_all_members<
                        typename std::conditional_t<Rebindable, traced_struct<S, true>, std::type_identity<S>>::type>())
        return error::member_is_not_listed<S>();
  }
}

}  // namespace detail

template <reflected S>
struct argument<S> {
  static constexpr bool rebindable = detail::is_rebindable<S>();
  using mistake = decltype(detail::mistake_in_members<S, rebindable>());
  using traced = typename detail::traced_struct<S, rebindable>::type;
  using gradient = typename detail::gradient_of_struct<S>::type;

  static constexpr traced trace(auto make) {
    traced t{};
    for_each_member<S>([&](auto i) {
      auto const value = argument<member_type<S, i>>::trace(make);
      if constexpr (rebindable) detail::put(member<i>(t), value);
      else traced::template part<i>(t) = value;
    });
    return t;
  }
  static constexpr void visit(auto& a, auto f) {
    for_each_member<S>([&](auto i) { argument<member_type<S, i>>::visit(member<i>(a), f); });
  }
};

ETCH_NAMESPACE_END
