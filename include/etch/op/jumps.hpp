// jumps: what comparisons, roundings and conditions are made of.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN

/// Whether the node `n`, computed entry by entry, jumps where its operand number `which` passes some number: of a
/// comparison, a rounding, a condition.
constexpr bool jumps_with(node const& n, int which) {
  return facts_of(n).is_elementwise && (!facts_of(n).differentiable || (n.op == opcode_of<op::select> && which == 0));
}
/// Marks in `made` what jumps are made of with node `id`, and what it hands on entry by entry if it is marked itself.
constexpr void mark_made_into_jumps(graph_view g, int id, sequence<char>& made) {
  op_facts const& op = facts_of(g[id]);
  bool const hands_on = made.entry[id] && (op.is_elementwise || op.is_view || op.is_assembly);
  int which = 0;
  for (int operand : g.operands(id))
    if (jumps_with(g[id], which++) || hands_on) made.entry[operand] = 1;
}
/// Marks what such operands are made of, entry by entry.
constexpr sequence<char> made_into_jumps(graph_view g) {
  sequence<char> made = sequence<char>::zeros(g.nodes.size());
  for (int id = g.size() - 1; id >= 0; --id) mark_made_into_jumps(g, id, made);
  return made;
}

ETCH_NAMESPACE_END
