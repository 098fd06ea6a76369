// saved_nodes: which values of a loop's steps are kept for the way back, where it does not keep carries only.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass::detail {

/// Whether node `id` is the stack of a loop that keeps few carries.
constexpr bool is_sampled(graph_view b, int id) {
  return b[id].op == opcode_of<op::stacked_steps> &&
         snapshots_in(words_at(b.pool, b[b.operands(id)[0]].attributes)) > 0;
}

/// Marks the nodes of the body `b` of a backward loop that are to be kept from the forward loop: what depends on no
/// input from `first_seed` on, and is read by what does. Views, constants, what is the same at every step, what
/// only the way back asked for, entry by entry, and the carries of a loop that keeps few of them, is computed again
/// from what is kept.
constexpr sequence<char> saved_nodes(graph_view b, const_span<loop_input> in, int first_seed,
                                     const_span<char> original) {
  sequence<char> backward = sequence<char>::zeros(b.nodes.size()), varies = backward, live = backward,
                 needed = backward, saved = backward;
  for (int id = 0; id < b.size(); ++id) {
    node const& n = b[id];
    if (n.op == opcode_of<op::input>) {
      int const position = static_cast<int>(n.attributes);
      backward.entry[id] = position >= first_seed;
      varies.entry[id] = position >= first_seed || in[static_cast<std::size_t>(position)] != loop_input::captured;
    }
    for (int operand : b.operands(id)) {
      backward.entry[id] |= backward.entry[operand];
      varies.entry[id] |= varies.entry[operand];
    }
  }
  for (int output : b.outputs) (backward.entry[output] ? live : needed).entry[output] = 1;
  for (int id = b.size() - 1; id >= 0; --id) {
    op_facts const& op = facts_of(b[id]);
    if (needed.entry[id] && !op.is_nullary) {
      bool const again = op.is_view || op.is_loop || !varies.entry[id] || is_sampled(b, id) ||
                         (op.is_elementwise && !original[static_cast<std::size_t>(id)]);
      saved.entry[id] = !again;
    }
    if (live.entry[id] || (needed.entry[id] && !saved.entry[id]))
      for (int operand : b.operands(id)) (backward.entry[operand] ? live : needed).entry[operand] = 1;
  }
  return saved;
}

}  // namespace pass::detail
ETCH_NAMESPACE_END
