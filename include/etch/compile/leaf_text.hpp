// leaf_text: the names of the leaves of a program's arguments as constants, for sentences about
// a call, which must not allocate.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/columns.hpp>
#include <etch/core/eigen.hpp>
#include <etch/core/named_view.hpp>
#include <etch/base/sequence.hpp>

#include <string_view>

ETCH_NAMESPACE_BEGIN
namespace detail {

constexpr void append_text(sequence<char>& to, std::string_view text) {
  for (char c : text) to.push_back(c);
}
constexpr void append_text(sequence<char>& to, int number) {
  if (number > 9) append_text(to, number / 10);
  to.push_back(static_cast<char>('0' + number % 10));
}

/// Appends the path of every leaf of an `A` behind `path`, each with a zero at its end: the paths of
/// `for_each_leaf_path` with subscripts. `Columns`: of the leaves that a program sees.
template <class A, bool Columns = false>
constexpr void append_leaf_paths(sequence<char>& to, sequence<char> const& path) {
  if constexpr (Columns && is_in_columns<A>) {
    append_text(to, std::string_view(path.data(), path.size())), to.push_back(0);
  } else if constexpr (reflected<A>) {
    for_each_member<A>([&](auto i) {
      sequence<char> next = path;
      append_text(next, "."), append_text(next, member_name<A, i>());
      append_leaf_paths<member_type<A, i>, Columns>(to, next);
    });
  } else if constexpr (requires { std::tuple_size<A>::value; }) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const append = [&]<std::size_t At>(std::integral_constant<std::size_t, At>) {
        sequence<char> next = path;
        append_text(next, "["), append_text(next, static_cast<int>(At)), append_text(next, "]");
        append_leaf_paths<std::tuple_element_t<At, A>, Columns>(to, next);
      };
      (append(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
  } else if constexpr (!std::is_empty_v<A>) {  // a layer without parameters has no leaf
    append_text(to, std::string_view(path.data(), path.size())), to.push_back(0);
  }
}
/// Puts them behind `title` and `name`, which is a text or a number.
template <class A, bool Columns = false>
constexpr void append_leaf_texts(sequence<char>& to, std::string_view title, auto name) {
  sequence<char> path;
  append_text(path, title), append_text(path, name);
  append_leaf_paths<A, Columns>(to, path);
}

/// Texts with zeros at their ends, as a constant: what `Make` returns, which is a constexpr
/// function of a sequence of characters.
template <auto Make>
consteval auto frozen_texts() {
  constexpr std::size_t size = Make().size();
  fixed<char, static_cast<int>(size == 0 ? 1 : size)> all{};
  sequence<char> const made = Make();
  for (std::size_t i = 0; i < size; ++i) all[i] = made[i];
  return all;
}

/// Text number `n`.
template <auto N>
constexpr std::string_view text_of(fixed<char, N> const& texts, int n) {
  char const* at = texts.data();
  for (; n > 0; --n) at += std::string_view(at).size() + 1;
  return at;
}

/// The first arguments of a program that are parts of later ones: their number and their names. Here there are none;
/// `wrt_members.hpp` has others.
struct no_parts {
  static constexpr int count = 0;
  static constexpr sequence<char> name(int) { return {}; }
};
/// The parts of loss `F`.
template <class F>
struct parts_of_loss {
  using type = no_parts;
};

/// The name of a leaf that a program sees of arguments of types `A`, such as "argument 0.hidden.weight". The first
/// `Parts::count` of them are parts of later ones, and do not count.
template <class Parts, class... A>
std::string_view leaf_text(int leaf) {
  static constexpr auto names = frozen_texts<[] {
    sequence<char> all;
    [[maybe_unused]] int position = -Parts::count;
    [[maybe_unused]] auto const append = [&]<class Each>(std::type_identity<Each>) {
      if (position < 0) append_leaf_paths<Each, true>(all, Parts::name(position + Parts::count));
      else append_leaf_texts<Each, true>(all, "argument ", position);
      ++position;
    };
    (append(std::type_identity<A>{}), ...);
    return all;
  }>();
  return text_of(names, leaf);
}

}  // namespace detail
ETCH_NAMESPACE_END
