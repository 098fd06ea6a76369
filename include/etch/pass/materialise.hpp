// materialise: inserts a copy wherever a value must stand in memory of its own but does not yet.
#pragma once

#include <etch/pass/assemble.hpp>

namespace etch::inline ETCH_ABI::pass {

namespace detail {

/// `materialise` for a graph whose joins are written in full.
constexpr graph materialise_assembled(graph_view from) {
  graph to;
  sequence<place> places;
  sequence<place> const storage = storage_of(from);
  auto const index = [](int i) { return static_cast<std::size_t>(i); };
  /// Inserts a node; `own` is the layout of its own storage.
  auto const put = [&](node const& n, const_span<int> operands, layout const& own) {
    int const id = to.insert(n.op, n.type, n.extent, n.attributes, operands);
    if (id == static_cast<int>(places.size()))
      if (std::optional<place> const p = place_of(to, id, places, {id, id, own})) places.push_back(*p);
    return id;
  };
  auto const copy = [&](int id, int mark) {
    int const operand[] = {id};
    return put(node{opcode_of<op::copy>, to[id].type, to[id].extent, static_cast<attribute>(mark), 0, 0}, operand,
               {0, contiguous_strides(to[id].extent)});
  };

  sequence<int> at, operands;
  for (int id = 0; id < from.size(); ++id) {
    node const& n = from[id];
    op_facts const& op = facts_of(n);
    operands.clear();
    for (int operand : from.operands(id)) {
      int o = at[index(operand)];
      node const& root = to[places[index(o)].root];
      if (op.is_view && !op.project(n.attributes, places[index(o)].where, to[o].extent, n.extent)) o = copy(o, 0);
      if ((op.is_product || op.is_block) && !is_stored(root) && !is_input(root)) o = copy(o, 0);
      operands.push_back(o);
    }
    at.push_back(put(n, operands, storage[index(id)].where));
  }

  // A computed value under another shape is the same memory, so its own node can be the output.
  sequence<place> const home = storage_of(to);
  auto const storage_for = [&](int output) {
    int const id = at[index(output)];
    place const& p = places[index(id)];
    bool const same_memory = is_stored(to[p.root]) && home[index(p.root)].owner == p.root &&
                             to[id].extent.size() == to[p.root].extent.size() && is_contiguous(p.where, to[id].extent) &&
                             p.where.offset == 0;
    return same_memory ? p.root : id;
  };
  sequence<int> uses = filled(static_cast<std::size_t>(to.size()), 0);  // by buffer
  for (int id = 0; id < to.size(); ++id)
    if (is_computed(to[id]))
      for (int operand : to.operands(id)) {
        int const root = places[index(operand)].root;
        if (root >= 0) ++uses[index(home[index(root)].owner)];
      }
  for (int output : from.outputs) ++uses[index(storage_for(output))];
  int slot = 0;
  for (int output : from.outputs) {
    int const id = storage_for(output);
    // Sums may be accumulated into a caller's storage; other reductions may not, so they end in a copy.
    bool const direct = is_stored(to[id]) && uses[index(id)] == 1 && home[index(id)].owner == id && facts_of(to[id]).accumulates;
    to.outputs.push_back(direct ? id : copy(id, ++slot));
  }
  return to;
}

}  // namespace detail

/// The same graph, in which every view is a layout of some buffer, every operand of a product or block lies in memory, every part of a join
/// is computed in the join's buffer, and every output is a node that is computed straight into its final storage and read by nobody else.
constexpr graph materialise(graph_view from) {
  for (node const& n : from.nodes)
    if (n.op == opcode_of<op::embed>) return detail::materialise_assembled(assemble(from));
  return detail::materialise_assembled(from);
}

}  // namespace etch::inline ETCH_ABI::pass
