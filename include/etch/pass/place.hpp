// place: where the entries of each node are found once views are looked through and parts lie in what they are parts of.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::pass {

/// Buffers start at multiples of this many bytes.
inline constexpr std::int64_t buffer_alignment = 64;

constexpr std::int64_t padded(std::int64_t bytes) { return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment; }
constexpr std::int64_t padded_bytes(node const& n) { return padded(n.extent.size() * bytes_of(n.type)); }

constexpr bool is_input(node const& n) { return n.op == opcode_of<op::input>; }
/// Whether a kernel has to compute the node: it is neither given, nor a constant, nor a view, nor put together from parts.
constexpr bool is_computed(node const& n) {
  op_facts const& op = facts_of(n);
  return !op.is_nullary && !op.is_view && !op.is_assembly;
}
/// Whether the node stands in memory of its own, or in a region of a join's.
constexpr bool is_stored(node const& n) { return (is_computed(n) && !facts_of(n).is_loop) || n.op == opcode_of<op::join>; }

/// The node that a value is, seen through views, the node whose buffer holds it, and its layout there.
struct place {
  int root = -1;
  int owner = -1;
  layout where{};
};

/// Where each node has its own storage: all of a buffer, or the region of a join.
constexpr sequence<place> storage_of(graph_view g) {
  sequence<place> storage;
  storage.reserve(g.nodes.size());
  for (int id = 0; id < g.size(); ++id) storage.push_back({id, id, {0, contiguous_strides(g[id].extent)}});
  for (int id = g.size() - 1; id >= 0; --id) {  // from the outside in: a part of a part
    if (g[id].op != opcode_of<op::join>) continue;
    for (int part : g.operands(id)) {
      int const value = g.operands(part).start[0];
      storage.entry[value] = {value, storage.entry[id].owner, region(g[part].attributes).within(storage.entry[id].where)};
    }
  }
  return storage;
}

/// The place of a node: its own storage, or for a view its operand's, seen through another layout. Nothing where a view would need a copy.
constexpr std::optional<place> place_of(graph_view g, int id, const_span<place> earlier, place const& storage) {
  node const& n = g[id];
  op_facts const& op = facts_of(n);
  if (!op.is_view) return storage;
  int const operand = g.operands(id)[0];
  place const& from = earlier[static_cast<std::size_t>(operand)];
  std::optional<layout> const where = op.project(n.attributes, from.where, g[operand].extent, n.extent);
  if (!where) return std::nullopt;
  return place{from.root, from.owner, *where};
}

/// The places of all nodes of a materialised graph.
constexpr sequence<place> places_of(graph_view g) {
  sequence<place> const storage = storage_of(g);
  sequence<place> places;
  places.reserve(g.nodes.size());
  for (int id = 0; id < g.size(); ++id) {
    if (facts_of(g[id]).is_view) places.push_back(*place_of(g, id, places, storage.entry[id]));
    else places.push_back(storage.entry[id]);
  }
  return places;
}

}  // namespace etch::inline ETCH_ABI::pass
