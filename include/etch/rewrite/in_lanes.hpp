// in_lanes: the body of a loop of points over registers: what differs from point to point holds one point in each lane.
#pragma once

#include <etch/rewrite/counted.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// Marks the nodes of the body that differ from point to point; with `parts`, also whatever is put together
/// from parts, which lie in one buffer.
constexpr sequence<char> varying_nodes(loop_body const& l, bool parts) {
  graph const& b = l.body;
  sequence<char> varies = sequence<char>::zeros(static_cast<std::size_t>(b.size()));
  for (int id = 0; id < b.size(); ++id) {
    if (b[id].op == opcode_of<op::input>) varies.entry[id] = l.in.entry[b[id].attributes] == loop_input::slice;
    bool varying = varies.entry[id] != 0 || (parts && facts_of(b[id]).is_assembly);
    for (int operand : b.operands(id)) varying = varying || varies.entry[operand];
    varies.entry[id] = varying;
  }
  return varies;
}

}  // namespace detail

/// Whether the steps of `l` can be taken in lanes: they are independent, and every op on what differs from point to
/// point works on whole registers of one element type.
constexpr bool fits_lanes(loop_body const& l) {
  if (!l.points || register_bytes == 0 || l.count < 2 || counts(l.body)) return false;
  sequence<char> const varies = detail::varying_nodes(l, true);
  element common = element::boolean;
  for (int id = 0; id < l.body.size(); ++id) {
    if (!varies.entry[id]) continue;
    node const& n = l.body[id];
    op_facts const& op = facts_of(n);
    bool const is_input = n.op == opcode_of<op::input>;
    bool const known = is_input || op.is_elementwise || op.is_reduction || op.is_view || op.is_assembly ||
                       (op.is_product && op.convolves == convolved::nothing);
    if (!known || n.op == opcode_of<op::cast> || !is_floating(n.type) ||
        (common != element::boolean && common != n.type))
      return false;
    common = n.type;
  }
  for (int output : l.body.outputs)
    if (!is_floating(l.body[output].type)) return false;
  return true;
}

/// The body of `l`, whose outputs all are registers; what is the same at every point stays as it is.
constexpr graph in_lanes(loop_body const& l) {
  graph const& b = l.body;
  sequence<char> const varies = detail::varying_nodes(l, true);
  graph to;
  to.reserve(b.size());
  to.pool = b.pool;
  sequence<int> at, operands;
  auto const in_register = [&](int id) {
    if (is_lanes(to[id].type)) return id;
    node const n = to[id];
    int const operand[] = {id};
    return to.insert(opcode_of<op::copy>, lanes_of(n.type), n.extent, 0, operand);
  };
  for (int id = 0; id < b.size(); ++id) {
    node const& n = b[id];
    operands.clear();
    for (int operand : b.operands(id))
      operands.push_back(facts_of(n).is_assembly ? in_register(at.entry[operand]) : at.entry[operand]);
    at.push_back(to.insert(n.op, varies.entry[id] ? lanes_of(n.type) : n.type, n.extent, n.attributes, operands));
  }
  for (int output : b.outputs) to.outputs.push_back(in_register(at.entry[output]));
  return to;
}

}  // namespace pass
ETCH_NAMESPACE_END
