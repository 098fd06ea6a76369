// jumps: what comparisons, roundings and conditions are made of, which is rounded alike wherever it is computed.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN

/// Whether the node `n`, computed entry by entry, jumps where its operand number `which` passes some number: of a
/// comparison, a rounding, a condition.
constexpr bool jumps_with(node const& n, int which) {
  return facts_of(n).is_elementwise && (!facts_of(n).differentiable || (n.op == opcode_of<op::select> && which == 0));
}
/// Marks what such operands are made of, entry by entry.
constexpr sequence<char> made_into_jumps(graph_view g) {
  sequence<char> marks = sequence<char>::zeros(g.nodes.size());
  for (int id = g.size() - 1; id >= 0; --id) {
    op_facts const& op = facts_of(g[id]);
    bool const hands_on = marks.entry[id] && (op.is_elementwise || op.is_view || op.is_assembly);
    int which = 0;
    for (int operand : g.operands(id))
      if (jumps_with(g[id], which++) || hands_on) marks.entry[operand] = 1;
  }
  return marks;
}

/// Whether a compiler may contract the node `n` and its operand `o` to one operation with one rounding, as it sees fit,
/// where one kernel computes both: a sum, or an op of many instructions, and what may end in a multiplication. A sign,
/// or an identity, hides none.
constexpr bool may_contract(node const& n, node const& o) {
  auto const is_sum = [](node const& x) { return facts_of(x).sums_of == 0b11; };
  return (is_sum(n) || facts_of(n).cost > 1) && facts_of(o).is_elementwise && !is_sum(o);
}
/// Marks what has to be rounded before a sum that a jump is made of reads it: square(a) - square(b) is 0 where a = b,
/// and a number that a comparison finds positive in one kernel is positive in all.
constexpr sequence<char> settled_before_jumps(graph_view g) {
  sequence<char> settled = sequence<char>::zeros(g.nodes.size());
  sequence<char> const marks = made_into_jumps(g);
  for (int id = 0; id < g.size(); ++id)
    if (marks.entry[id])
      for (int operand : g.operands(id))
        if (int const o = beneath_views(g, operand); may_contract(g[id], g[o])) settled.entry[o] = 1;
  return settled;
}

ETCH_NAMESPACE_END
