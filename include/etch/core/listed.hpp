// listed: whether ETCH_MEMBERS names every data member of its struct, once.
#pragma once

#include <etch/core/members.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Made by `ETCH_MEMBERS`, of this struct or of a base.
template <class S>
concept has_listed_members = reflected<S> && requires { typename S::hana_accessors_impl::etch_members; };

template <class S>
consteval bool names_too_many_members() {
  if constexpr (has_listed_members<S>)
    return S::hana_accessors_impl::etch_too_many::value || member_count<S> > most_members;
  else return false;
}

/// The first member that is named again; -1 if none is.
template <class S>
consteval int first_repeated_member() {
  return with_members<S>([](auto... i) {
    std::array<std::string_view, sizeof...(i)> const names{member_name<S, i>()...};
    for (std::size_t a = 0; a < names.size(); ++a)
      for (std::size_t b = a + 1; b < names.size(); ++b)
        if (names[a].size() == names[b].size() && names[a] == names[b]) return static_cast<int>(a);
    return -1;
  });
}

enum class kind { any, with_entries, empty, base };

/// Converts to what initialises a data member or a base of `S`, if it is of that kind.
template <class S, kind Kind>
struct initialiser {
  template <class M>
  static consteval bool accepts() {
    if constexpr (std::is_same_v<M, S>) return false;
    else if constexpr (Kind == kind::any) return true;
    else if constexpr (std::is_empty_v<M>) return Kind == kind::empty;
    else if constexpr (std::is_base_of_v<M, S>) return Kind == kind::base;
    else return Kind == kind::with_entries;
  }
  template <class M>
    requires(accepts<M>())
  constexpr operator M() const noexcept;
};

template <class S, std::size_t>
using any_initialiser = initialiser<S, kind::any>;

template <class S, std::size_t... I>
consteval bool has_more_elements_than(std::index_sequence<I...>) {
  return requires { S{any_initialiser<S, I>{}..., any_initialiser<S, sizeof...(I)>{}}; };
}

/// The number of data members of an aggregate that are not empty, behind those that `Before` initialises; negative if
/// they are those of a base, which are not counted.
template <class S, class... Before>
consteval int count_members_with_entries() {
  if constexpr (requires { S{Before{}..., initialiser<S, kind::with_entries>{}}; })
    return 1 + count_members_with_entries<S, Before..., initialiser<S, kind::with_entries>>();
  else if constexpr (requires { S{Before{}..., initialiser<S, kind::empty>{}}; })
    return count_members_with_entries<S, Before..., initialiser<S, kind::empty>>();
  else if constexpr (requires { S{Before{}..., initialiser<S, kind::base>{}}; }) return -1'000'000;
  else return 0;
}

/// Whether every data member of `S` is listed, but for empty ones. Sizes tell nearly always: where those listed add up
/// to the struct's, there is room for no other. Padding, empty members and bases leave room; then an aggregate is asked
/// how many initialisers it takes, and any other struct must not be larger than its members can make it in the worst
/// order. (With constructors a member as small as that padding goes unseen, such as a `bool` beside an empty member.)
template <class S>
consteval bool lists_all_members() {
  if constexpr (std::is_empty_v<S>) {
    return true;
  } else {
    constexpr std::size_t listed = with_members<S>([](auto... i) { return (sizeof(member_type<S, i>) + ... + 0); });
    if constexpr (listed == sizeof(S)) {
      return true;
    } else {
      constexpr int with_entries =
          with_members<S>([](auto... i) { return (!std::is_empty_v<member_type<S, i>> + ... + 0); });
      constexpr std::size_t largest = with_members<S>([](auto... i) {
        return (((sizeof(member_type<S, i>) + alignof(S) - 1) / alignof(S) * alignof(S)) + ... +
                (std::is_polymorphic_v<S> ? 2 * alignof(S) : 0));
      });
      if constexpr (std::is_aggregate_v<S>) {
        if constexpr (has_more_elements_than<S>(std::make_index_sequence<member_count<S>>{})) {
          constexpr int counted = count_members_with_entries<S>();
          if constexpr (counted >= with_entries) return counted == with_entries;
        }
      }
      return sizeof(S) <= largest;
    }
  }
}

/// Whether `S` is a struct whose list of members misses one; an answer for any type.
template <class S>
consteval bool misses_members() {
  if constexpr (has_listed_members<S>) return !lists_all_members<S>();
  else return false;
}

}  // namespace detail
ETCH_NAMESPACE_END
