// saved_nodes: which values of a loop's steps are kept for the way back, where it does not keep carries only.
#pragma once

#include <etch/op/jumps.hpp>

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
/// few entries stays saved: it comes back before its operands could be added; and so does what is `stacked` anyway. A
/// comparison is computed again only of what is at hand, and what it reads stays saved, since it might not hold any
/// more if the last digit differed: the largest entry of `x` is found by `x == y`.
class cheap_nodes {
 public:
  /// The part of what is saved that has to be, and how many entries a step then keeps.
  struct choice {
    sequence<char> saved;
    std::int64_t kept = 0;
  };

  /// By node: what is `needed`, what `varies` from step to step, and what is stacked whatever is saved.
  constexpr cheap_nodes(graph_view b, const_span<loop_input> in, const_span<char> needed, const_span<char> varies,
                        const_span<char> stacked)
      : b_(b), in_(in), needed_(needed), varies_(varies), stacked_(stacked), compared_(made_into_jumps(b)) {}

  /// Whether node `id` is not so small that it stays saved.
  constexpr bool is_large(int id) const { return b_[id].extent.size() > 64; }
  /// Whether `id` is a carry that nothing reads on the way back yet.
  constexpr bool is_idle_carry(int id) const {
    return is_own_input(id) && input_kind(id) == loop_input::carry && !needed_.start[id];
  }

  /// The choice where all carries are at hand, or only those that are needed.
  constexpr choice choose(sequence<char> const& saved, bool with_all_carries) const {
    constexpr int never = 16;
    choice c{saved};
    sequence<int> cost = filled(b_.nodes.size(), never);  // of computing a node again, in additions
    for (int id = 0; id < b_.size(); ++id) {
      op_facts const& op = facts_of(b_[id]);
      // Of what is put together, the join is the pass over memory, and its parts are none.
      int total = op.is_elementwise ? op.cost : op.is_view || op.arity == 1 ? 0 : 1;
      if (!op.is_elementwise && !op.is_view && !op.is_assembly) total = never;
      for (int operand : b_.operands(id)) {
        bool const is_part = op.is_view && b_[operand].extent.size() != b_[id].extent.size();
        bool const must_be_at_hand = is_part || compared_.entry[operand];
        total = must_be_at_hand && cost.entry[operand] > 0 ? never : std::min(total + cost.entry[operand], never);
      }
      if (total < never && is_large(id) && !compared_.entry[id] && !stacked_.start[id]) c.saved.entry[id] = 0;
      if (c.saved.entry[id] || (with_all_carries && is_idle_carry(id))) c.kept += b_[id].extent.size();
      bool const is_at_hand = needed_.start[id] || !varies_.start[id] ||
                              (is_own_input(id) && (with_all_carries || input_kind(id) != loop_input::carry));
      cost.entry[id] = is_at_hand ? 0 : total;
    }
    return c;
  }

 private:
  graph_view b_;
  const_span<loop_input> in_;
  const_span<char> needed_, varies_, stacked_;
  sequence<char> compared_;

  constexpr bool is_own_input(int id) const {
    return b_[id].op == opcode_of<op::input> && static_cast<std::size_t>(b_[id].attributes) < in_.size();
  }
  constexpr loop_input input_kind(int id) const { return in_[static_cast<std::size_t>(b_[id].attributes)]; }
};

/// Marks the nodes of the body `b` of a backward loop that are to be kept from the forward loop: what depends on no
/// input from `first_seed` on, and is read by what does. Views, constants, what is the same at every step, what
/// only the way back asked for, entry by entry, and the carries of a loop that keeps few of them, is computed again
/// from what is kept; so is what follows from it within a few additions, which take no longer than its way to memory
/// and back.
/// `original` are the nodes of the way there, `stacked` those of them that the loop stacks or hands on.
constexpr sequence<char> saved_nodes(graph_view b, const_span<loop_input> in, int first_seed, const_span<char> original,
                                     const_span<char> stacked) {
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
  cheap_nodes const cheap(b, in, needed, varies, stacked);
  bool any_large = false, any_idle_carry = false;
  for (int id = 0; id < b.size(); ++id) {
    any_large = any_large || (saved.entry[id] && cheap.is_large(id));
    any_idle_carry = any_idle_carry || cheap.is_idle_carry(id);
  }
  if (!any_large) return saved;
  cheap_nodes::choice const few = cheap.choose(saved, false);
  if (!any_idle_carry) return few.saved;
  cheap_nodes::choice const all = cheap.choose(saved, true);
  return all.kept < few.kept ? all.saved : few.saved;
}

}  // namespace pass::detail
ETCH_NAMESPACE_END
