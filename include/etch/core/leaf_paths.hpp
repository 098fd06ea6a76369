// for_each_leaf_path: walks the leaves of an argument's type with the path of members and positions that leads to each.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/columns.hpp>
#include <etch/core/eigen.hpp>
#include <etch/core/named_view.hpp>

#include <string>

ETCH_NAMESPACE_BEGIN

/// How the element of an array or a tuple is written in a path: `layers[0].weight`, or as in files `layers.0.weight`.
enum class path_style { subscripts, dots };

/// Calls `f.template operator()<Leaf>(path)` for each leaf of an argument of type `A`, in the order of
/// `argument<A>::visit`. Paths begin with `path`. `Columns`: the leaves that a program sees, of which equal
/// layers are one (`core/columns.hpp`).
template <class A, bool Columns = false>
void for_each_leaf_path(std::string const& path, path_style style, auto&& f) {
  auto const dotted = [&](std::string const& step) { return path.empty() ? step : path + "." + step; };
  if constexpr (Columns && detail::is_in_columns<A>) {
    f.template operator()<A>(path);
  } else if constexpr (reflected<A>) {
    for_each_member<A>([&](auto i) {
      for_each_leaf_path<member_type<A, i>, Columns>(dotted(std::string(member_name<A, i>())), style, f);
    });
  } else if constexpr (requires { std::tuple_size<A>::value; }) {
    auto const at = [&](std::string const& i) { return style == path_style::dots ? dotted(i) : path + "[" + i + "]"; };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_leaf_path<std::tuple_element_t<I, A>, Columns>(at(std::to_string(I)), style, f), ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
  } else if constexpr (!std::is_empty_v<A>) {  // a layer without parameters has no leaf
    f.template operator()<A>(path);
  }
}

ETCH_NAMESPACE_END
