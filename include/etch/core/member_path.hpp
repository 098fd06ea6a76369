// member_path: a member of a struct by its name, as a template argument: "head", "body.weight", "layers.2.bias".
#pragma once

#include <etch/core/named_view.hpp>
#include <etch/base/sequence.hpp>

ETCH_NAMESPACE_BEGIN

/// Names of members, and positions in arrays and tuples, from the outermost to the innermost, with points between them.
template <std::size_t N>
struct member_path {
  char text[N]{};

  consteval member_path(char const (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

namespace detail {

/// A path as a sentence about it names it.
template <member_path Path>
struct named {};

/// The first step of a path as a number; -1 if it is none.
constexpr int position_in(std::string_view step) {
  int position = step.empty() || step.size() > 6 ? -1 : 0;
  for (char c : step)
    if (position >= 0) position = c >= '0' && c <= '9' ? 10 * position + (c - '0') : -1;
  return position;
}

/// The part of an `A` that the step names; -1 if there is none.
template <class A>
constexpr int part_named(std::string_view step) {
  int found = -1;
  if constexpr (reflected<A>) {
    for_each_member<A>([&](auto i) {
      if (member_name<A, i>() == step) found = i;
    });
  } else if constexpr (requires { std::tuple_size<A>::value; }) {
    if (int const at = position_in(step); at < static_cast<int>(std::tuple_size_v<A>)) found = at;
  }
  return found;
}

/// Whether there is what `Path` names from character `From` on.
template <class A, member_path Path, std::size_t From = 0>
constexpr bool has_part() {
  if constexpr (From > Path.view().size()) {
    return true;
  } else {
    constexpr std::size_t end = std::min(Path.view().find('.', From), Path.view().size());
    constexpr int part = part_named<A>(Path.view().substr(From, end - From));
    if constexpr (part < 0) return false;
    else if constexpr (reflected<A>) return has_part<member_type<A, part>, Path, end + 1>();
    else return has_part<std::tuple_element_t<static_cast<std::size_t>(part), A>, Path, end + 1>();
  }
}

/// Appends the positions of the parts that lead to what `Path` names, which exists.
template <class A, member_path Path, std::size_t From = 0>
constexpr void append_positions(sequence<int>& to) {
  if constexpr (From <= Path.view().size()) {
    constexpr std::size_t end = std::min(Path.view().find('.', From), Path.view().size());
    constexpr int part = part_named<A>(Path.view().substr(From, end - From));
    to.push_back(part);
    if constexpr (reflected<A>) append_positions<member_type<A, part>, Path, end + 1>(to);
    else append_positions<std::tuple_element_t<static_cast<std::size_t>(part), A>, Path, end + 1>(to);
  }
}

/// Whether one of two parts is in the other, or they are the same.
template <class A, member_path First, member_path Second>
constexpr bool overlap() {
  sequence<int> a, b;
  append_positions<A, First>(a), append_positions<A, Second>(b);
  bool same = true;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) same = same && a[i] == b[i];
  return same;
}

/// The part of `a` that `Path` names from character `From` on. In a traced argument it is where it is in the argument.
template <class A, member_path Path, std::size_t From = 0>
constexpr auto& part_of(auto& a) {
  if constexpr (From > Path.view().size()) {
    return a;
  } else {
    constexpr std::size_t end = std::min(Path.view().find('.', From), Path.view().size());
    constexpr int part = part_named<A>(Path.view().substr(From, end - From));
    if constexpr (reflected<A>) return part_of<member_type<A, part>, Path, end + 1>(member<part>(a));
    else return part_of<std::tuple_element_t<static_cast<std::size_t>(part), A>, Path, end + 1>(std::get<part>(a));
  }
}

/// The type of that part.
template <class A, member_path Path>
using part_type = std::remove_cvref_t<decltype(part_of<A, Path>(std::declval<A&>()))>;

}  // namespace detail

ETCH_NAMESPACE_END
