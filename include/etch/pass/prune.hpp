// prune: only what the outputs need survives, renumbered from the outputs.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::pass {

/// The nodes that the outputs need, in the order of a depth-first walk from the outputs. The order in which a lambda wrote independent
/// statements leaves no trace, so programs of equal structure have equal graphs.
constexpr graph prune(graph_view g) {
  graph to;
  sequence<int> at = filled(g.nodes.size(), -1);
  sequence<int> stack;  // nodes whose operands are being visited
  fixed<int, 8> operands{};
  for (int output : g.outputs) {
    stack.push_back(output);
    while (!stack.empty()) {
      int const id = stack.back();
      if (at[static_cast<std::size_t>(id)] >= 0) {
        stack.pop_back();
        continue;
      }
      std::size_t arity = 0;
      int pending = -1;
      for (int operand : g.operands(id)) {
        operands[arity] = at[static_cast<std::size_t>(operand)];
        if (operands[arity++] < 0) {
          pending = operand;
          break;
        }
      }
      if (pending >= 0) {
        stack.push_back(pending);
        continue;
      }
      node const& n = g[id];
      at[static_cast<std::size_t>(id)] = to.insert(n.op, n.type, n.extent, n.attributes, const_span<int>(operands).first(arity));
      stack.pop_back();
    }
    to.outputs.push_back(at[static_cast<std::size_t>(output)]);
  }
  return to;
}

}  // namespace etch::inline ETCH_ABI::pass
