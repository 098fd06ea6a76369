// leaf_names: what the leaves of an argument are called: the path of members and positions that leads to each.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/eigen.hpp>
#include <etch/core/record.hpp>

#include <string>
#include <vector>

namespace etch::inline ETCH_ABI {

/// A leaf of an argument.
struct leaf_name {
  std::string path;  ///< `0.hidden.weight`, `1[2]`
  bool has_gradient = false;
};

/// Appends the leaves of an argument of type `A`, in the order of `argument<A>::visit`.
template <class A>
void append_leaf_names(std::string const& path, std::vector<leaf_name>& names) {
  if constexpr (reflected<A>) {
    for_each_member<A>([&](auto i) { append_leaf_names<member_type<A, i>>(path + "." + std::string(member_name<A, i>()), names); });
  } else if constexpr (requires { std::tuple_size<A>::value; }) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (append_leaf_names<std::tuple_element_t<I, A>>(path + "[" + std::to_string(I) + "]", names), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<A>>{});
  } else {
    names.push_back({path, std::is_floating_point_v<typename argument<A>::traced::scalar_type>});
  }
}

/// The leaves of all arguments, each path starting with the argument's position.
template <class... A>
std::vector<leaf_name> leaf_names() {
  std::vector<leaf_name> names;
  int position = 0;
  (append_leaf_names<A>(std::to_string(position++), names), ...);
  return names;
}

}  // namespace etch::inline ETCH_ABI
