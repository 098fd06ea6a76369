// counted: whether a graph goes along axes of which a count is known at run time only in ways that have a meaning
// there.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Whether so many entries of a value of `g` count as the program is told.
constexpr bool counts(graph_view g) {
  for (node const& n : g.nodes) {
    if (n.extent.counted != 0 || n.op == opcode_of<op::count>) return true;
    if (facts_of(n).is_loop && counts(loop_of(words_at(g.pool, n.attributes)).body)) return true;
  }
  return false;
}

namespace detail {

/// Whether node `id` treats every entry of the axis that is counted by itself, or all that count as one.
constexpr bool goes_along_counts(graph_view g, int id) {
  node const& n = g[id];
  op_facts const& op = facts_of(n);
  int counted = -1;  // the axis of an operand
  for (int o : g.operands(id))
    if (g[o].extent.counted != 0) counted = g[o].extent.counted - 1;
  if (op.is_loop) {
    loop_body const l = loop_of(words_at(g.pool, n.attributes));
    if (!counts(l.body)) return true;
    for (int each = 0; each < l.body.size(); ++each)
      if (!goes_along_counts(l.body, each)) return false;
    return true;
  }
  if (op.is_opaque) return counted < 0 && n.extent.counted == 0;
  if (counted < 0 || op.is_elementwise || op.is_reduction || op.is_result) return true;
  if (op.convolves != convolved::nothing) {  // the batch is their first axis
    shape const &a = g[g.operands(id)[0]].extent, &b = g[g.operands(id)[1]].extent;
    return op.convolves == convolved::kernel ? a.counted == 1 && b.counted == 1 && n.extent.counted == 0
                                             : a.counted == 1 && b.counted == 0 && n.extent.counted == 1;
  }
  if (op.is_product) return true;
  if (op.is_block) return op.counts;
  if (n.op == opcode_of<op::slice> || n.op == opcode_of<op::embed>) return region(n.attributes).axis != counted;
  if (n.op == opcode_of<op::reverse>) return ((n.attributes >> counted) & 1u) == 0;
  return (op.is_view || op.is_assembly) && n.extent.counted != 0;
}

}  // namespace detail

/// The first node of `g` that does not; -1 if there is none.
constexpr int first_uncountable(graph_view g) {
  if (!counts(g)) return -1;
  for (int id = 0; id < g.size(); ++id)
    if (!detail::goes_along_counts(g, id)) return id;
  return -1;
}

}  // namespace pass
ETCH_NAMESPACE_END
