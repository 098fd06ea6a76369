// prune, order: only what the outputs need survives, renumbered from the outputs.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::pass {

namespace detail {

/// The nodes that the outputs need, in the order of a depth-first walk from the outputs, behind those of `g` that `at` already numbers in
/// `to`.
constexpr graph walked(graph_view g, graph to, sequence<int> at) {
  struct visit {
    int id = 0;
    std::size_t next = 0;  // its operands before this one have been visited
  };
  sequence<visit> stack;
  sequence<int> operands;
  for (int output : g.outputs) {
    if (at.entry[output] < 0) stack.push_back({output});
    while (!stack.empty()) {
      visit& top = stack.back();
      const_span<int> const from = g.operands(top.id);
      while (top.next < from.size() && at.entry[from.start[top.next]] >= 0) ++top.next;
      if (top.next < from.size()) {
        stack.push_back({from[top.next]});
        continue;
      }
      operands.clear();
      for (int operand : from) operands.push_back(at.entry[operand]);
      node const& n = g[top.id];
      at.entry[top.id] = to.insert(n.op, n.type, n.extent, n.attributes, operands);
      stack.pop_back();
    }
    to.outputs.push_back(at.entry[output]);
  }
  return to;
}

}  // namespace detail

/// The nodes that the outputs need, in the order of a depth-first walk from the outputs. The order in which a lambda wrote independent
/// statements leaves no trace, so programs of equal structure have equal graphs.
constexpr graph prune(graph_view g) {
  graph to;
  to.reserve(g.size());
  return detail::walked(g, std::move(to), filled(g.nodes.size(), -1));
}

/// The same for a traced graph, all of whose inputs stay, in front. Every later pass sees the nodes in this order, so that what it does in
/// the order of nodes (contributions to an adjoint are added in it) does not depend on the order of statements either.
constexpr graph order(graph_view g) {
  graph to;
  to.reserve(g.size());
  sequence<int> at = filled(g.nodes.size(), -1);
  for (int id = 0; id < g.size(); ++id)
    if (node const& n = g[id]; n.op == opcode_of<op::input>) at.entry[id] = to.insert(n.op, n.type, n.extent, n.attributes, {});
  return detail::walked(g, std::move(to), std::move(at));
}

}  // namespace etch::inline ETCH_ABI::pass
