// place: where the entries of each node are found once views are looked through.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::pass {

/// The node whose buffer holds a value, and the layout of the value in it.
struct place {
  int root = -1;
  layout where{};
};

/// The place of a node: its own buffer, or for a view its operand's, seen through another layout. Nothing where a view would need a copy.
constexpr std::optional<place> place_of(graph_view g, int id, const_span<place> earlier) {
  node const& n = g[id];
  op_facts const& op = facts_of(n);
  if (!op.is_view) return place{id, {0, contiguous_strides(n.extent)}};
  int const operand = g.operands(id)[0];
  place const& from = earlier[static_cast<std::size_t>(operand)];
  std::optional<layout> const where = op.project(from.where, g[operand].extent, n.extent);
  if (!where) return std::nullopt;
  return place{from.root, *where};
}

/// The places of all nodes of a materialised graph.
constexpr sequence<place> places_of(graph_view g) {
  sequence<place> places;
  for (int id = 0; id < g.size(); ++id) places.push_back(*place_of(g, id, places));
  return places;
}

constexpr bool is_input(node const& n) { return n.op == opcode_of<op::input>; }
/// Whether a kernel has to compute the node: it is neither given, nor a constant, nor a view.
constexpr bool is_computed(node const& n) { return !facts_of(n).is_nullary && !facts_of(n).is_view; }

}  // namespace etch::inline ETCH_ABI::pass
