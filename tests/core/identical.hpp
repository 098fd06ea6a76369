// identical: whether two graphs have the same nodes in the same order, and the same outputs.
#pragma once

#include <etch/graph/graph.hpp>

#include <algorithm>

namespace graphs {

constexpr bool identical(etch::graph_view a, etch::graph_view b) {
  if (a.size() != b.size() || a.edges.size() != b.edges.size() || !std::ranges::equal(a.outputs, b.outputs) ||
      !std::ranges::equal(a.pool, b.pool))
    return false;
  for (int id = 0; id < a.size(); ++id) {
    etch::node const &x = a[id], &y = b[id];
    if (x.op != y.op || x.type != y.type || !(x.extent == y.extent) || x.attributes != y.attributes ||
        !std::ranges::equal(a.operands(id), b.operands(id)))
      return false;
  }
  return true;
}

}  // namespace graphs
