// Structs as arguments. A struct template over the element tag is traced as itself, with symbols for members;
// any other reflected struct is traced as a record of the same member names.
#pragma once

#include <etch/core/argument.hpp>

#include <boost/hana/unpack.hpp>

namespace etch::inline ETCH_ABI {

/// What a lambda sees of a reflected struct `S` that is no template over its element tag: its members by name,
/// `boost::hana::at_key(r, name)` or `r[name]` with a Hana string. It is a Hana Struct itself.
template <reflected S>
struct record {
  template <std::size_t... I>
  static auto members_of(std::index_sequence<I...>) -> std::tuple<typename argument<member_type<S, I>>::traced...>;
  using tuple_type = decltype(members_of(std::make_index_sequence<member_count<S>>{}));
  tuple_type values;

  template <class Name>
  constexpr auto operator[](Name) const {
    constexpr std::size_t at = position<Name>();
    if constexpr (at < member_count<S>) return std::get<at>(values);
    else return error::member_does_not_exist<S, Name>();
  }

 private:
  template <class Name>
  static consteval std::size_t position() {
    std::size_t at = member_count<S>;
    for_each_member<S>([&](auto i) {
      if (member_name<S, i>() == boost::hana::to<char const*>(Name{})) at = i;
    });
    return at;
  }
};

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
requires(sizeof...(N) > 0) struct rebind<S<T, N...>, Tag> {
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
requires(sizeof...(N) > 0) struct element_tag<S<T, N...>> {
  using type = T;
};

template <class S>
consteval bool members_are_rebindable() {
  return with_members<S>([](auto... i) { return (argument<member_type<S, i>>::rebindable && ...); });
}

template <class S, class Traced>
consteval bool members_match() {
  return with_members<S>(
      [](auto... i) { return (std::is_assignable_v<member_type<Traced, i>&, typename argument<member_type<S, i>>::traced> && ...); });
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
  using type = record<S>;
};
template <class S>
struct traced_struct<S, true> {
  using type = typename rebind<S, symbol<typename element_tag<S>::type>>::type;
};

}  // namespace detail

template <reflected S>
struct argument<S> {
  static constexpr bool rebindable = detail::is_rebindable<S>();
  using traced = typename detail::traced_struct<S, rebindable>::type;
  using gradient = S;

  static constexpr traced trace(auto make) {
    traced t{};
    for_each_member<S>([&](auto i) {
      auto const value = argument<member_type<S, i>>::trace(make);
      if constexpr (rebindable) member<i>(t) = value;
      else std::get<i>(t.values) = value;
    });
    return t;
  }
  static constexpr void visit(auto& a, auto f) {
    for_each_member<S>([&](auto i) { argument<member_type<S, i>>::visit(member<i>(a), f); });
  }
};

}  // namespace etch::inline ETCH_ABI

namespace boost::hana {

template <class S>
struct accessors_impl<etch::record<S>> {
  template <std::size_t I>
  struct get {
    template <class R>
    constexpr decltype(auto) operator()(R&& r) const {
      return std::get<I>(std::forward<R>(r).values);
    }
  };
  static constexpr auto apply() {
    return etch::with_members<S>([](auto... i) { return make_tuple(make_pair(first(at_c<i>(accessors<S>())), get<i>{})...); });
  }
};

}  // namespace boost::hana
