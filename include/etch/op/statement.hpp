// statement: one node of a graph as a line of text, `%3 = sum<0>(%2) : f32[1, 128]`.
#pragma once

#include <etch/op/table.hpp>

#include <string>

ETCH_NAMESPACE_BEGIN

/// The name of a node's op, followed by what the op says of its attribute: `sum<0>`, `slice<1, 0, 32>`, `fill 0.5`.
inline std::string operation_of(node const& n) {
  auto const describe = text_table[n.op].describe;
  return describe == nullptr ? facts_of(n).name : facts_of(n).name + describe(n);
}

/// Element type and shape: `f32[32, 128]`.
inline std::string type_of(node const& n) { return name_of(n.type) + to_string(n.extent); }

/// Describes a node: element type and shape, or of a loop its steps: `8 steps`, `8 steps, last to first`.
inline std::string kind_of(graph_view g, int id) {
  if (!facts_of(g[id]).is_loop) return type_of(g[id]);
  loop_body const l = loop_at(g, id);
  return std::to_string(l.count) + (l.count == 1 ? " step" : " steps") + (l.backward ? ", last to first" : "");
}

/// Node `id` as a statement.
inline std::string statement_of(graph_view g, int id) {
  std::string text = "%" + std::to_string(id) + " = " + operation_of(g[id]);
  char const* before = "(%";
  for (int operand : g.operands(id)) {
    text += before + std::to_string(operand);
    before = ", %";
  }
  return text + (g[id].arity > 0 ? ") : " : " : ") + kind_of(g, id);
}

/// The outputs as a statement.
inline std::string return_of(graph_view g) {
  std::string text = "return";
  char const* before = " %";
  for (int output : g.outputs) {
    text += before + std::to_string(output);
    before = ", %";
  }
  return text;
}

ETCH_NAMESPACE_END
