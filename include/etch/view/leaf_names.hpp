// leaf_names: what the leaves of an argument are called: the path of members and positions that leads to each.
#pragma once

#include <etch/core/leaf_paths.hpp>

#include <string>
#include <vector>

ETCH_NAMESPACE_BEGIN

/// A leaf of an argument.
struct leaf_name {
  std::string path;  ///< `0.hidden.weight`, `1[2]`
  bool has_gradient = false;
};

/// The leaves of all arguments as a program sees them, each path starting with the argument's position.
template <class... A>
std::vector<leaf_name> leaf_names() {
  std::vector<leaf_name> names;
  int position = 0;
  auto const add = [&]<class Leaf>(std::string const& path) {
    bool has_gradient = true;
    if constexpr (!detail::is_in_columns<Leaf>)
      has_gradient = std::is_floating_point_v<typename argument<Leaf>::traced::scalar_type>;
    names.push_back({path, has_gradient});
  };
  (for_each_leaf_path<A, true>(std::to_string(position++), path_style::subscripts, add), ...);
  return names;
}

ETCH_NAMESPACE_END
