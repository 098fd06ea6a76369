// to_text: a graph as a person reads it, one numbered statement a line. For debugging; it allocates.
#pragma once

#include <etch/op/table.hpp>

#include <cstdio>
#include <string>

namespace etch::inline ETCH_ABI {

/// Every node as `%3 = matmul(%1, %2) : f32[32, 128]`, then the outputs.
inline std::string to_text(graph_view g) {
  std::string text;
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g[id];
    text += "%" + std::to_string(id) + " = " + facts_of(n).name;
    if (n.op == opcode_of<op::input>) text += " " + std::to_string(n.attributes);
    if (n.op == opcode_of<op::fill>) {
      char number[32];
      std::snprintf(number, sizeof number, " %.17g", value_of(n.attributes));
      text += number;
    }
    for (int i = 0; i < n.arity; ++i) text += (i == 0 ? "(%" : ", %") + std::to_string(g.operands(id)[static_cast<std::size_t>(i)]);
    text += n.arity > 0 ? ") : " : " : ";
    text += name_of(n.type) + to_string(n.extent) + "\n";
  }
  text += "return";
  for (std::size_t i = 0; i < g.outputs.size(); ++i) text += (i == 0 ? " %" : ", %") + std::to_string(g.outputs[i]);
  return text + "\n";
}

}  // namespace etch::inline ETCH_ABI
