// flops: floating-point operations: 2 m n k of a product, one an entry of an element-wise op, one
// an entry that a reduction reads.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr std::int64_t count_flops(graph_view g);

/// Two for every product of an entry of the kernel and one of the image; those with zeros around it count, too.
constexpr std::int64_t flops_of_convolution(graph_view g, int id) {
  const_span<int> const x = g.operands(id);
  convolved const gives = facts_of(g[id]).convolves;
  shape const &result = g[gives == convolved::result  ? id
                          : gives == convolved::image ? x[0]
                                                      : x[1]]
                            .extent,
              &kernel = g[gives == convolved::kernel ? id : x[1]].extent;
  return 2 * result.size() * kernel.size() / kernel[3];
}

/// The operations of one evaluation of node `id`; of a loop, those of all its steps.
constexpr std::int64_t flops_of(graph_view g, int id) {
  node const& n = g[id];
  op_facts const& op = facts_of(n);
  if (op.is_elementwise) return op.cost > 0 ? n.extent.size() : 0;
  if (op.is_reduction) return g[g.operands(id)[0]].extent.size();
  if (op.convolves != convolved::nothing) return flops_of_convolution(g, id);
  if (op.is_product) return 2 * n.extent.size() * g[g.operands(id)[0]].extent[1];
  if (!op.is_loop) return 0;
  loop_body const l = loop_at(g, id);
  return l.count * count_flops(l.body);
}

/// The operations of one evaluation of all nodes.
constexpr std::int64_t count_flops(graph_view g) {
  std::int64_t flops = 0;
  for (int id = 0; id < g.size(); ++id) flops += flops_of(g, id);
  return flops;
}

}  // namespace pass
ETCH_NAMESPACE_END
