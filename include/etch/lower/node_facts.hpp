// node_facts: what grouping and fusing ask about each node, looked up once.
#pragma once

#include <etch/lower/kernel.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A node of a materialised graph.
struct node_facts {
  op_facts const* op = nullptr;
  element type{};
  shape extent{};
  shape space{};          ///< the iteration space in which it is computed
  form computes{};        ///< of the kernel that computes it
  bool computed = false;  ///< a kernel computes it
  bool joined = false;    ///< it is put together from parts
  bool kept = false;      ///< it is a view that says: read this from memory (`lower/rematerialise.hpp`)
  bool whole = false;     ///< it is all of a computed value, entry for entry in that value's own order
  int root = -1;          ///< the node that it is, seen through views
  int owner = -1;         ///< the node whose buffer holds it
  layout where{};         ///< in that buffer
};

/// The facts of all nodes, in order.
constexpr sequence<node_facts> facts_of_nodes(graph_view g) {
  sequence<place> const places = places_of(g);
  sequence<node_facts> values;
  values.reserve(g.nodes.size());
  place const* const at = places.begin();
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g.nodes.start[id];
    op_facts const& op = op_table.entry[n.op];
    place const& p = at[id];
    node const& root = g.nodes.start[p.root];
    op_facts const& of_root = op_table.entry[root.op];
    bool const kept = n.op == opcode_of<op::reshape> && n.attributes != 0;
    bool const root_is_computed = !of_root.is_nullary && !of_root.is_view && !of_root.is_assembly && !of_root.is_loop;
    values.push_back(
        {&op, n.type, n.extent, op.is_reduction ? g.nodes.start[g.edges.start[n.first_operand]].extent : n.extent,
         op.is_product                ? form::product
         : op.is_block                ? form::block
         : op.is_loop || op.is_result ? form::loop
                                      : form::elementwise,
         !op.is_nullary && !op.is_view && !op.is_assembly, n.op == opcode_of<op::join>, kept,
         !kept && root_is_computed && !of_root.is_reduction && !of_root.is_block && !of_root.is_result &&
             same_extents(n.extent, root.extent) && (p.root == id || same_layout(p.where, at[p.root].where, n.extent)),
         p.root, at[p.root].owner, p.where});
  }
  return values;
}

/// Whether operand `o`, whose root is `root`, is what a kernel over the space of `reader` has in a
/// register when it computes the root.
constexpr bool aligned(node_facts const& o, node_facts const& root, node_facts const& reader) {
  return o.whole && reader.computes == form::elementwise && root.type == reader.type &&
         same_extents(o.extent, reader.space);
}

}  // namespace pass
ETCH_NAMESPACE_END
