// flops: floating-point operations: 2 m n k of a product, one an entry of an element-wise op, one an entry that a reduction reads.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::pass {

constexpr std::int64_t count_flops(graph_view g);

/// Of one evaluation of node `id`; of a loop, all its steps.
constexpr std::int64_t flops_of(graph_view g, int id) {
  node const& n = g[id];
  op_facts const& op = facts_of(n);
  if (op.is_elementwise) return op.cost > 0 ? n.extent.size() : 0;
  if (op.is_reduction) return g[g.operands(id)[0]].extent.size();
  if (op.is_product) return 2 * n.extent.size() * g[g.operands(id)[0]].extent[1];
  if (!op.is_loop) return 0;
  loop_body const l = loop_at(g, id);
  return l.count * count_flops(l.body);
}

/// Of one evaluation of all nodes.
constexpr std::int64_t count_flops(graph_view g) {
  std::int64_t flops = 0;
  for (int id = 0; id < g.size(); ++id) flops += flops_of(g, id);
  return flops;
}

}  // namespace etch::inline ETCH_ABI::pass
