// verify: checks every invariant of a graph, and names the first that fails.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::pass {

/// The first violated invariant as a sentence; null where the graph is well formed.
constexpr char const* find_fault(graph_view g) {
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g[id];
    if (n.op >= op::list::size) return "an opcode is not in the op list";
    op_facts const& op = facts_of(n);
    if (op.arity != any_number && n.arity != op.arity) return "a node has a number of operands that is not its op's";
    if (n.first_operand < 0 || static_cast<std::size_t>(n.first_operand + n.arity) > g.edges.size())
      return "a node's operands lie outside the edges";
    for (int e : n.extent.extent)
      if (e < 1) return "an extent is less than 1";
    sequence<node const*> operands;
    for (int i = 0; i < n.arity; ++i) {
      int const from = g.operands(id)[static_cast<std::size_t>(i)];
      if (from < 0 || from >= id) return "an operand does not come before its node";
      operands.push_back(&g[from]);
    }
    if (!op.consistent(n, operands)) return "a node's shape or element type does not follow from its operands";
  }
  for (int output : g.outputs)
    if (output < 0 || output >= g.size()) return "an output is not a node";
  return nullptr;
}

/// Passes silently where the graph is well formed, else says which invariant fails.
constexpr void verify(graph_view g) {
  if (char const* fault = find_fault(g)) error::graph_is_malformed(fault);
}

}  // namespace etch::inline ETCH_ABI::pass
