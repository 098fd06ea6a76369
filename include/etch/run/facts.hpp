// facts: what the compiler knows of a program before it runs.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI {

/// Constants of a compiled program.
struct program_facts {
  int nodes = 0;                     ///< values in the graph of value and gradients
  std::int64_t workspace_bytes = 0;  ///< memory for intermediate values, all of it
  std::int64_t flops = 0;  ///< floating-point operations of a call: 2 m n k a product, one an entry of an element-wise op or reduction
};

namespace pass {

/// Floating-point operations of one evaluation of all nodes.
constexpr std::int64_t count_flops(graph_view g) {
  std::int64_t flops = 0;
  for (int id = 0; id < g.size(); ++id) {
    op_facts const& op = facts_of(g[id]);
    if (op.is_elementwise && op.cost > 0) flops += g[id].extent.size();
    if (op.is_reduction) flops += g[g.operands(id)[0]].extent.size();
    if (op.is_loop) {
      loop_body const l = loop_at(g, id);
      flops += l.count * count_flops(l.body);
    }
    if (op.is_product) flops += 2 * g[id].extent.size() * g[g.operands(id)[0]].extent[1];
  }
  return flops;
}

}  // namespace pass

}  // namespace etch::inline ETCH_ABI
