// activity: which values depend on given leaves, through loops too.
#pragma once

#include <etch/op/table.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The node of each input of a graph, by position; -1 where it is not read.
constexpr sequence<int> input_nodes(graph_view g, std::size_t inputs) {
  sequence<int> nodes = filled(inputs, -1);
  for (int id = 0; id < g.size(); ++id)
    if (g[id].op == opcode_of<op::input>) nodes.entry[g[id].attributes] = id;
  return nodes;
}

/// The inputs and outputs of a loop's body that depend on given leaves outside.
struct loop_activity {
  sequence<char> in, out;
};

constexpr sequence<char> influenced(graph_view g, const_span<int> wrt);

/// The activity of loop `l` whose operand i is active if `operand_is_active(i)`.
constexpr loop_activity activity_of(loop_body const& l, auto operand_is_active) {
  loop_activity a{sequence<char>::zeros(l.in.size()), sequence<char>::zeros(l.out.size())};
  for (std::size_t i = 0; i < l.in.size(); ++i)
    a.in.entry[i] = operand_is_active(i) || (has_companion(l.in.entry[i]) && operand_is_active(i + 1));
  sequence<int> const nodes = input_nodes(l.body, l.in.size()), from = carries_in(l.in), to = carries_in(l.out);
  for (bool settled = false;
       !settled;) {  // a carry is active if what is handed to it is: at most one round for each carry
    settled = true;
    sequence<int> leaves;
    for (std::size_t i = 0; i < l.in.size(); ++i)
      if (a.in.entry[i] && nodes.entry[i] >= 0) leaves.push_back(nodes.entry[i]);
    sequence<char> const active = influenced(l.body, leaves);
    for (std::size_t r = 0; r < l.out.size(); ++r) a.out.entry[r] = active.entry[l.body.outputs.entry[r]];
    // Where a step does not run, the carry is what it was.
    for (std::size_t c = 0; l.gate >= 0 && c < from.size(); ++c)
      if (a.in.entry[from.entry[c]]) a.out.entry[to.entry[c]] = 1;
    for (std::size_t c = 0; c < from.size(); ++c)
      if (a.out.entry[to.entry[c]] && !a.in.entry[from.entry[c]]) a.in.entry[from.entry[c]] = 1, settled = false;
  }
  return a;
}

/// Marks the nodes that depend on one of the leaves `wrt` through differentiable operations.
constexpr sequence<char> influenced(graph_view g, const_span<int> wrt) {
  struct loop_results {
    int loop;
    sequence<char> out;
  };
  sequence<loop_results> loops;
  sequence<char> active = sequence<char>::zeros(g.nodes.size());
  for (int leaf : wrt) active.entry[leaf] = 1;
  for (int id = 0; id < static_cast<int>(g.nodes.count); ++id) {
    node const& n = g.nodes.start[id];
    op_facts const& op = facts_of(n);
    int const* const operand = g.edges.start + n.first_operand;
    for (int i = 0; i < n.arity && i < op.active_operands; ++i)
      if (active.entry[operand[i]]) active.entry[id] = 1;
    if (op.is_loop) {
      loops.push_back(
          {id, activity_of(loop_at(g, id), [&](std::size_t i) { return active.entry[operand[i]] != 0; }).out});
      for (char each : loops.back().out) active.entry[id] |= each;
    }
    if (op.is_result)
      for (loop_results const& each : loops)
        if (each.loop == operand[0]) active.entry[id] = each.out.entry[g[id].attributes];
  }
  return active;
}

/// Whether the first output depends on one of the nodes `leaves` through differentiable operations.
constexpr bool influences(graph_view g, const_span<int> leaves) {
  return influenced(g, leaves)[static_cast<std::size_t>(g.outputs[0])] != 0;
}

}  // namespace pass
ETCH_NAMESPACE_END
