// saved_nodes: which values of a loop's steps are kept for the way back, where it does not keep carries only.
#pragma once

#include <etch/op/table.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace pass::detail {

/// Whether node `id` is the stack of a loop that keeps few carries.
constexpr bool is_sampled(graph_view b, int id) {
  return b[id].op == opcode_of<op::stacked_steps> &&
         snapshots_in(words_at(b.pool, b[b.operands(id)[0]].attributes)) > 0;
}

/// Leaves out of what a loop saves what is computed again within a few additions from what is at hand on the way back:
/// what is the same at every step, what is saved, and what is `needed` and so read or computed again already. What has
/// few entries stays saved: it comes back before its operands could be added. So does what a comparison is made of,
/// which would not hold any more if the last digit differed: the largest entry of `x` is found by `x == y`.
struct cheap_nodes {
  static constexpr std::int64_t few = 64;

  graph_view b;
  const_span<loop_input> in;
  const_span<char> needed, varies;  ///< by node; `varies` where the node is not the same at every step

  /// Of `saved`, what has to be, where all carries are at hand or only those that are needed; and how many entries a
  /// step then keeps.
  struct choice {
    sequence<char> saved;
    std::int64_t kept = 0;
  };
  constexpr choice choose(sequence<char> const& saved, bool with_all_carries) const {
    constexpr int most = 15, never = most + 1;
    choice c{saved};
    sequence<char> const compared = read_by_comparisons();
    sequence<int> cost = filled(b.nodes.size(), never);  // of computing it again, in additions
    for (int id = 0; id < b.size(); ++id) {
      node const& n = b[id];
      op_facts const& op = facts_of(n);
      int own = op.is_elementwise ? op.cost : op.is_view ? 0 : op.is_assembly ? op.arity != 1 : never;
      for (int operand : b.operands(id)) {
        bool const is_part = op.is_view && cost.entry[operand] > 0 && b[operand].extent.size() != n.extent.size();
        own = is_part ? never : std::min(own + cost.entry[operand], never);
      }
      if (own < never && n.extent.size() > few && !compared.entry[id]) c.saved.entry[id] = 0;
      bool is_at_hand = needed.start[id] || !varies.start[id];
      if (!is_at_hand && is_own_input(n)) {
        bool const is_carry = in[static_cast<std::size_t>(n.attributes)] == loop_input::carry;
        is_at_hand = !is_carry || with_all_carries;
        if (is_carry && with_all_carries) c.kept += n.extent.size();
      }
      if (c.saved.entry[id]) c.kept += n.extent.size();
      cost.entry[id] = is_at_hand ? 0 : own;
    }
    return c;
  }

 private:
  constexpr bool is_own_input(node const& n) const {
    return n.op == opcode_of<op::input> && static_cast<std::size_t>(n.attributes) < in.size();
  }
  constexpr sequence<char> read_by_comparisons() const {
    sequence<char> compared = sequence<char>::zeros(b.nodes.size());
    for (int id = b.size() - 1; id >= 0; --id) {
      op_facts const& op = facts_of(b[id]);
      if ((op.is_elementwise && !op.differentiable) ||
          (compared.entry[id] && (op.is_elementwise || op.is_view || op.is_assembly)))
        for (int operand : b.operands(id)) compared.entry[operand] = 1;
    }
    return compared;
  }
};

/// Marks the nodes of the body `b` of a backward loop that are to be kept from the forward loop: what depends on no
/// input from `first_seed` on, and is read by what does. Views, constants, what is the same at every step, what
/// only the way back asked for, entry by entry, and the carries of a loop that keeps few of them, is computed again
/// from what is kept; so is what follows from it within a few additions, which take no longer than its way to memory
/// and back.
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
  bool any_large = false;
  for (int id = 0; id < b.size(); ++id)
    any_large = any_large || (saved.entry[id] && b[id].extent.size() > cheap_nodes::few);
  if (!any_large) return saved;
  cheap_nodes const cheap{b, in, needed, varies};
  cheap_nodes::choice const without = cheap.choose(saved, false), with = cheap.choose(saved, true);
  return with.kept < without.kept ? with.saved : without.saved;
}

}  // namespace pass::detail
ETCH_NAMESPACE_END
