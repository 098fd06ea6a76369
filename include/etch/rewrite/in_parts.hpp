// in_parts: what costs one operation an entry, and of which only parts are read, is computed again in each part from
// the array behind it, and never put into memory.
#pragma once

#include <etch/op/table.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace pass::detail {

/// Whether `n` is computed entry by entry, and of all entries.
constexpr bool is_entrywise(node const& n) { return facts_of(n).is_elementwise && n.extent.counted == 0; }

/// By node: whether only nodes for which `reads_parts(id)` read it, directly or as parts of something.
constexpr sequence<bool> read_in_parts(graph_view g, auto reads_parts) {
  sequence<bool> only = filled(g.nodes.size(), true), live = filled(g.nodes.size(), false);
  for (int output : g.outputs) only.entry[output] = false, live.entry[output] = true;
  for (int id = g.size(); id-- > 0;) {
    if (!live.entry[id]) continue;
    bool const hands_on = g[id].op == opcode_of<op::slice> || facts_of(g[id]).is_assembly;
    bool const in_parts = reads_parts(id) || (hands_on && only.entry[id]);
    for (int each : g.operands(id)) live.entry[each] = true, only.entry[each] = only.entry[each] && in_parts;
  }
  return only;
}

/// The one operand of node `id` with as many entries, where the others are numbers and the node costs no more than an
/// addition an entry; else -1.
constexpr int array_behind(graph_view g, int id) {
  node const& n = g[id];
  int found = -1;
  if (!is_entrywise(n) || facts_of(n).cost > 1) return -1;
  for (int each : g.operands(id)) {
    if (g[each].extent.size() == 1) continue;
    if (found >= 0 || !same_extents(g[each].extent, n.extent)) return -1;
    found = each;
  }
  return found;
}

/// `x`, a slice of a node of `again`, as that node computed of the same slice of the array behind it; any other `x`
/// itself.
constexpr term computed_of_part(term x, const_span<int> again) {
  if (again.empty()) return x;
  sequence<node> slices;
  term of = x;
  for (; is<op::slice>(of); of = of.operand(0)) slices.push_back(*of);
  if (slices.empty() || std::find(again.begin(), again.end(), of.id) == again.end()) return x;
  int const array = array_behind(*of.owner, of.id);  // none where an identity made another op of the node
  if (array < 0) return x;
  term part{x.owner, array};
  for (std::size_t i = slices.size(); i-- > 0;) {
    region const r(slices[i].attributes);
    part = slice(part, r, slices[i].extent[r.axis]);
  }
  node const n = *of;
  sequence<int> operands;
  for (int each : of.owner->operands(of.id)) operands.push_back(each == array ? part.id : each);
  return fit({x.owner, rules_of(n).insert(*x.owner, n, operands).id}, x.extent());
}

}  // namespace pass::detail
ETCH_NAMESPACE_END
