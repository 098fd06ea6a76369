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

/// The shape without the entries that do not count where `n` do.
constexpr shape at_count(shape s, int n) {
  if (s.counted != 0) s[s.counted - 1] = n;
  s.counted = 0;
  return s;
}

/// The first node of `g` that does not; -1 if there is none.
constexpr int first_uncountable(graph_view g) {
  if (!counts(g)) return -1;
  for (int id = 0; id < g.size(); ++id)
    if (!detail::goes_along_counts(g, id)) return id;
  return -1;
}

/// The program `g` where `n` entries count, as one of fixed shapes: to be evaluated, not to be compiled.
constexpr graph at_count(graph_view g, int n) {
  graph to;
  to.reserve(g.size());
  for (int id = 0; id < g.size(); ++id) {
    node const& each = g[id];
    if (each.op == opcode_of<op::count>) {
      to.append(opcode_of<op::fill>, each.type, {}, attribute_of(n), {});
      continue;
    }
    attribute attributes = each.attributes;
    if (facts_of(each).is_loop) {
      loop_body l = loop_of(words_at(g.pool, attributes));
      if (l.counted) l.count = n;
      l.counted = false;
      l.body = at_count(l.body, n);
      attributes = to.keep(words_of(l));
    } else if (facts_of(each).has_words) {
      attributes = to.keep(words_at(g.pool, attributes));
    }
    to.append(each.op, each.type, at_count(each.extent, n), attributes, g.operands(id));
  }
  to.outputs = sequence<int>(g.outputs.begin(), g.outputs.end());
  return to;
}

}  // namespace pass
ETCH_NAMESPACE_END
