// materialise: inserts a copy wherever a value must stand in memory of its own but does not yet.
#pragma once

#include <etch/pass/place.hpp>

namespace etch::inline ETCH_ABI::pass {

/// The same graph, in which every view is a layout of some buffer, every operand of a product lies in memory, and every output is a
/// node that is computed straight into its final storage and read by nobody else.
constexpr graph materialise(graph_view from) {
  graph to;
  sequence<place> places;
  auto const index = [](int i) { return static_cast<std::size_t>(i); };
  auto const put = [&](node const& n, const_span<int> operands) {
    int const id = to.insert(n.op, n.type, n.extent, n.attributes, operands);
    if (id == static_cast<int>(places.size()))
      if (std::optional<place> const p = place_of(to, id, places)) places.push_back(*p);
    return id;
  };
  auto const copy = [&](int id, int mark) {
    int const operand[] = {id};
    return put(node{opcode_of<op::copy>, to[id].type, to[id].extent, static_cast<attribute>(mark), 0, 0}, operand);
  };

  sequence<int> at;
  fixed<int, 8> operands{};
  for (int id = 0; id < from.size(); ++id) {
    node const& n = from[id];
    op_facts const& op = facts_of(n);
    std::size_t arity = 0;
    for (int operand : from.operands(id)) {
      int& o = operands[arity++];
      o = at[index(operand)];
      if (op.is_view && !op.project(places[index(o)].where, to[o].extent, n.extent)) o = copy(o, 0);
      if (op.is_product && !is_computed(to[places[index(o)].root]) && !is_input(to[places[index(o)].root])) o = copy(o, 0);
    }
    at.push_back(put(n, const_span<int>(operands).first(arity)));
  }

  // A computed value under another shape is the same memory, so its own node can be the output.
  auto const storage = [&](int output) {
    int const id = at[index(output)];
    place const& p = places[index(id)];
    bool const same_memory =
        is_computed(to[p.root]) && to[id].extent.size() == to[p.root].extent.size() && is_contiguous(p.where, to[id].extent);
    return same_memory ? p.root : id;
  };
  sequence<int> uses = filled(static_cast<std::size_t>(to.size()), 0);
  for (int id = 0; id < to.size(); ++id)
    if (is_computed(to[id]))
      for (int operand : to.operands(id)) ++uses[index(places[index(operand)].root)];
  for (int output : from.outputs) ++uses[index(storage(output))];
  int slot = 0;
  for (int output : from.outputs) {
    int const id = storage(output);
    // Sums may be accumulated into a caller's storage; other reductions may not, so they end in a copy.
    bool const direct = is_computed(to[id]) && uses[index(id)] == 1 && (!facts_of(to[id]).is_reduction || to[id].op == opcode_of<op::sum>);
    to.outputs.push_back(direct ? id : copy(id, ++slot));
  }
  return to;
}

}  // namespace etch::inline ETCH_ABI::pass
