// place: where the entries of each node are found once views are looked through and parts
// lie in what they are parts of.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Buffers start at multiples of this many bytes.
inline constexpr std::int64_t buffer_alignment = 64;

constexpr std::int64_t padded(std::int64_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}
constexpr std::int64_t padded_bytes(node const& n) { return padded(n.extent.size() * bytes_of(n.type)); }
/// Bytes of the node for each entry that counts; 0 where that is no question.
constexpr std::int64_t bytes_of_each(node const& n) {
  return n.extent.counted == 0 ? 0 : n.extent.size() / n.extent[n.extent.counted - 1] * bytes_of(n.type);
}

/// Whether the node's memory is given by the caller: an argument, or the number of entries that count.
constexpr bool is_input(node const& n) { return n.op == opcode_of<op::input> || n.op == opcode_of<op::count>; }
/// Whether a kernel has to compute the node: it is neither given, nor a constant, nor a
/// view, nor put together from parts.
constexpr bool is_computed(node const& n) {
  op_facts const& op = op_table.entry[n.op];
  return !op.is_nullary && !op.is_view && !op.is_assembly;
}
/// Whether the node stands in memory of its own, or in a region of a join's.
constexpr bool is_stored(node const& n) {
  return (is_computed(n) && !op_table.entry[n.op].is_loop) || n.op == opcode_of<op::join>;
}

/// The node that a value is, seen through views, the node whose buffer holds it, and its layout there.
struct place {
  int root = -1;
  int owner = -1;
  layout where{};
};

/// The storage that each node has of its own: all of a buffer, or the region of a join.
constexpr sequence<place> storage_of(graph_view g) {
  sequence<place> storage;
  storage.reserve(g.nodes.size());
  int const count = g.size();
  for (int id = 0; id < count; ++id) storage.push_back({id, id, {0, contiguous_strides(g.nodes.start[id].extent)}});
  for (int id = count - 1; id >= 0; --id) {  // from the outside in: a part of a part
    if (g.nodes.start[id].op != opcode_of<op::join>) continue;
    for (int part : g.operands(id)) {
      int const value = g.operands(part).start[0];
      storage.entry[value] = {value, storage.entry[id].owner,
                              region(g[part].attributes).within(storage.entry[id].where)};
    }
  }
  return storage;
}

/// The place of the view `n`: its operand's, seen through another layout. Nothing where it would need a copy.
constexpr std::optional<place> place_of_view(node const& n, place const& operand, shape const& of) {
  std::optional<layout> const where = op_table.entry[n.op].project(n.attributes, operand.where, of, n.extent);
  if (!where) return std::nullopt;
  return place{operand.root, operand.owner, *where};
}

/// The layout of node `id` in the value that it is a view of, if the entries of that adjoin. Nothing where it would
/// need a copy.
constexpr std::optional<layout> layout_in_root(graph_view g, int id) {
  sequence<int> views;
  for (; op_table.entry[g[id].op].is_view; id = g.operands(id)[0]) views.push_back(id);
  std::optional<layout> where = layout{0, contiguous_strides(g[id].extent)};
  for (std::size_t i = views.size(); where && i-- > 0;) {
    node const& view = g[views.entry[i]];
    where =
        op_table.entry[view.op].project(view.attributes, *where, g[g.operands(views.entry[i])[0]].extent, view.extent);
  }
  return where;
}

/// The places of all nodes of a materialised graph: a node's own storage, or for a view its
/// operand's, seen through another layout.
constexpr sequence<place> places_of(graph_view g) {
  sequence<place> places = storage_of(g);
  for (int id = 0; id < static_cast<int>(g.nodes.count); ++id)
    if (node const& n = g.nodes.start[id]; op_table.entry[n.op].is_view) {
      int const operand = g.edges.start[n.first_operand];
      places.entry[id] = *place_of_view(n, places.entry[operand], g.nodes.start[operand].extent);
    }
  return places;
}

}  // namespace pass
ETCH_NAMESPACE_END
