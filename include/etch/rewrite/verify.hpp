// verify: checks every invariant of a graph, and names the first that fails.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Whether the shape and the element type of a node follow from its operands.
template <class Op>
constexpr bool follows(node const& n, const_span<node const*> operands) {
  bool types_fit = true;
  if constexpr (requires { Op::type(n.attributes); }) types_fit = Op::type(n.attributes) == n.type;
  else if constexpr (!requires { Op::mixed_types; })
    for (node const* each : operands) types_fit = types_fit && each->type == n.type;
  if constexpr (has_words<Op> || is_a<Op, result_kind> || is_a<Op, opaque_kind>) {
    return true;  // what a loop's nodes must be follows from its body; find_fault_of_loop asks
  } else if constexpr (Op::arity == any_number) {
    for (node const* each : operands)
      if (!same_extents(each->extent, n.extent)) return false;
    return types_fit;
  } else {
    shapes<Op::arity> of;
    for (std::size_t i = 0; i < operands.size(); ++i) of[i] = operands[i]->extent;
    if constexpr (takes_shape<Op>) return Op::accepts(n.attributes, n.extent, of) && types_fit;
    else return Op::infer(n.attributes, of) == n.extent && types_fit;
  }
}
template <class... Op>
constexpr bool follows_as_one_of(op_list<Op...>, node const& n, const_span<node const*> operands) {
  bool result = false;
  (void)((n.op == opcode_of<Op> && (result = follows<Op>(n, operands), true)) || ...);
  return result;
}

}  // namespace detail

namespace pass {

constexpr char const* find_fault(graph_view g);

namespace detail {

/// The first violated invariant of the loop at node `id`, whose operands come before it.
constexpr char const* find_fault_of_loop(graph_view g, int id) {
  std::size_t const first = g[id].attributes >> 32, count = g[id].attributes & 0xffffffffu;
  if (count == 0 || first + count > g.pool.size() || g.pool[first] != count) return "a loop has no words in the pool";
  loop_body const l = loop_at(g, id);
  if (char const* fault = find_fault(l.body)) return fault;
  if (l.count < 1) return "a loop has no steps";
  if (g[id].arity != static_cast<int>(l.in.size())) return "a loop has not one operand for each input of its body";
  if (l.out.size() != l.body.outputs.size()) return "a loop has not one result for each output of its body";
  sequence<node const*> inputs = filled(l.in.size(), static_cast<node const*>(nullptr));
  for (int in = 0; in < l.body.size(); ++in) {
    node const& n = l.body[in];
    if (n.op != opcode_of<op::input>) continue;
    if (n.attributes >= l.in.size()) return "the body of a loop reads an input that the loop does not feed";
    if (inputs.entry[n.attributes] != nullptr) return "two nodes of a loop's body are one input";
    inputs.entry[n.attributes] = &n;
  }
  for (std::size_t i = 0; i < l.in.size(); ++i) {
    loop_input const f = l.in.entry[i];
    bool const is_whole = f == loop_input::carry || f == loop_input::captured;
    node const& operand = g[g.operands(id)[i]];
    if (!is_whole && (operand.extent.rank == 0 || operand.extent[operand.extent.rank - 1] != l.count))
      return "a loop's operand has not one entry for each step";
    if (has_companion(f) && (i + 1 == l.in.size() || l.in.entry[i + 1] != loop_input::captured))
      return "an input fed from another step has no operand for the step without one";
    if (inputs.entry[i] == nullptr) continue;
    node const& in = *inputs.entry[i];
    auto const fits = [&](node const& n, bool whole) {
      return n.type == in.type &&
             (whole ? n.extent == in.extent
                    : in.extent.rank < max_rank && n.extent == stacked(in.extent, l.count, l.counted));
    };
    if (!fits(operand, is_whole) || (has_companion(f) && !fits(g[g.operands(id)[i + 1]], true)))
      return "a loop's operand does not fit the input that it feeds";
  }
  if (l.gate >= static_cast<int>(l.in.size()) ||
      (l.gate >= 0 && inputs.entry[l.gate] != nullptr && inputs.entry[l.gate]->extent.size() != 1))
    return "the gate of a loop is no input of one number";
  sequence<int> const from = carries_in(l.in), to = carries_in(l.out);
  if (from.size() != to.size()) return "a loop hands on more or fewer carries than it takes";
  for (std::size_t c = 0; c < from.size(); ++c) {
    node const &begins = g[g.operands(id)[static_cast<std::size_t>(from.entry[c])]],
               &next = l.body[l.body.outputs.entry[to.entry[c]]];
    if (begins.type != next.type || !(begins.extent == next.extent)) return "a carry changes its shape or element type";
  }
  return nullptr;
}

/// The first violated invariant of a result of a loop.
constexpr char const* find_fault_of_result(graph_view g, int id) {
  node const& n = g[id];
  int const loop = g.operands(id)[0];
  if (!facts_of(g[loop]).is_loop) return "a loop's result has an operand that is no loop";
  loop_body const l = loop_at(g, loop);
  if (n.attributes >= l.out.size()) return "a loop has no such result";
  graph expected;
  int const none = expected.insert(opcode_of<op::loop>, element::f32, shape{}, 0, {});
  node const& result = *result_of(expected, l, none, static_cast<int>(n.attributes));
  return result.op == n.op && result.type == n.type && result.extent == n.extent
             ? nullptr
             : "a loop's result is not what its body yields";
}

}  // namespace detail

/// The first violated invariant as a sentence; null where the graph is well formed.
constexpr char const* find_fault(graph_view g) {
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g[id];
    if (n.op >= op::list::size) return "an opcode is not in the op list";
    op_facts const& op = facts_of(n);
    if (op.arity != any_number && n.arity != op.arity) return "a node has a number of operands that is not its op's";
    if (n.first_operand < 0 || static_cast<std::size_t>(n.first_operand + n.arity) > g.edges.size())
      return "a node's operands lie outside the edges";
    for (int e : n.extent.extent)
      if (e < 1) return "an extent is less than 1";
    sequence<node const*> operands;
    for (int i = 0; i < n.arity; ++i) {
      int const from = g.operands(id)[static_cast<std::size_t>(i)];
      if (from < 0 || from >= id) return "an operand does not come before its node";
      operands.push_back(&g[from]);
    }
    if (!etch::detail::follows_as_one_of(op::list{}, n, operands))
      return "a node's shape or element type does not follow from its operands";
    if (op.is_loop)
      if (char const* fault = detail::find_fault_of_loop(g, id)) return fault;
    if (op.is_result)
      if (char const* fault = detail::find_fault_of_result(g, id)) return fault;
    for (int i = 0; i < n.arity; ++i)
      if (facts_of(*operands[static_cast<std::size_t>(i)]).is_loop && !op.is_result) return "a loop is read as a value";
  }
  for (int output : g.outputs)
    if (output < 0 || output >= g.size()) return "an output is not a node";
  return nullptr;
}

/// Passes silently where the graph is well formed, else says which invariant fails.
constexpr void verify(graph_view g) {
  if (char const* fault = find_fault(g)) error::graph_is_malformed(fault);
}

}  // namespace pass
ETCH_NAMESPACE_END
