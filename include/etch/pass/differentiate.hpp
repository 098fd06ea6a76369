// differentiate: reverse mode, from graph to graph. The result is an ordinary graph, so it can be differentiated again.
#pragma once

#include <etch/pass/replay.hpp>

namespace etch::inline ETCH_ABI::pass {

namespace detail {

/// `g` summed down to `target`, from which the forward pass had broadcast.
constexpr term sum_to(term g, shape const& target) {
  attribute axes = 0;
  for (int axis = 0; axis < max_rank; ++axis)
    if (target[axis] == 1 && g.extent()[axis] != 1) axes |= attribute{1} << axis;
  if (axes != 0) g = emit<op::sum>(axes, g);
  return fit(g, target);
}

/// An adjoint `value` that counts only where `condition` chooses it, and is 0 elsewhere.
struct mask {
  term condition, value;
  bool chosen_if_true;

  constexpr term apply(term x) const {
    term const zero = constant(*x.owner, x->type, 0);
    // In another type a condition near 0 could become 0: whether it is 0 is converted, not the condition itself.
    bool const same_type = condition->type == x->type;
    term const c = same_type ? condition
                             : emit<op::cast>(static_cast<attribute>(x->type), equal_to(condition, constant(*x.owner, condition->type, 0)));
    return chosen_if_true == same_type ? emit<op::select>(0, c, x, zero) : emit<op::select>(0, c, zero, x);
  }
};

/// The mask that a `select` put on its branch. It is applied again after each element-wise rule behind the branch, so that a NaN or inf
/// that such a rule makes where the branch was not taken never arrives.
constexpr std::optional<mask> mask_of(term adjoint) {
  if (!is<op::select>(adjoint)) return std::nullopt;
  if (is_constant(adjoint.operand(2), 0)) return mask{adjoint.operand(0), adjoint.operand(1), true};
  if (is_constant(adjoint.operand(1), 0)) return mask{adjoint.operand(0), adjoint.operand(2), false};
  return std::nullopt;
}

/// Which nodes depend on one of the leaves `wrt`.
constexpr sequence<char> influenced(graph_view g, const_span<int> wrt) {
  sequence<char> active = filled(g.nodes.size(), '\0');
  for (int leaf : wrt) active[static_cast<std::size_t>(leaf)] = 1;
  for (int id = 0; id < g.size(); ++id)
    for (int operand : g.operands(id))
      if (active[static_cast<std::size_t>(operand)] && (facts_of(g[id]).differentiable)) active[static_cast<std::size_t>(id)] = 1;
  return active;
}

}  // namespace detail

/// Whether the first output depends on one of the nodes `leaves` through differentiable operations.
constexpr bool influences(graph_view g, const_span<int> leaves) {
  return detail::influenced(g, leaves)[static_cast<std::size_t>(g.outputs[0])] != 0;
}

/// Appends to the outputs of `g` the gradients of its first output (one entry) with respect to the nodes `wrt`, in their order.
/// Only nodes between the leaves and that output get an adjoint; contributions to one adjoint are added in the order they arise.
constexpr graph differentiate(graph_view g, const_span<int> wrt) {
  graph to;
  to.simplifying = true;
  sequence<int> const at = replay(g, to, same_node);
  sequence<char> const active = detail::influenced(g, wrt);
  sequence<int> adjoint = filled(g.nodes.size(), -1);  // index in `to`, -1 where nothing has arrived
  auto const index = [](int i) { return static_cast<std::size_t>(i); };
  int const loss = g.outputs[0];
  adjoint[index(loss)] = fit(constant(to, g[loss].type, 1), g[loss].extent).id;

  fixed<term, 8> operands_in_to{}, contribution{};
  for (int id = loss; id >= 0; --id) {
    op_facts const& op = facts_of(g[id]);
    if (adjoint[index(id)] < 0 || !active[index(id)] || !op.differentiable) continue;
    std::size_t arity = 0;
    for (int operand : g.operands(id)) operands_in_to[arity++] = {&to, at[index(operand)]};
    term const incoming{&to, adjoint[index(id)]};
    std::optional<detail::mask> const masked = op.is_elementwise ? detail::mask_of(incoming) : std::nullopt;
    op.pullback(g[id], masked ? masked->value : incoming, {&to, at[index(id)]}, const_span<term>(operands_in_to).first(arity),
                contribution);
    for (std::size_t i = 0; i < arity; ++i) {
      int const operand = g.operands(id)[i];
      if (!active[index(operand)]) continue;
      if (masked) contribution[i] = masked->apply(contribution[i]);
      term const part = detail::sum_to(contribution[i], g[operand].extent);
      int& sum = adjoint[index(operand)];
      sum = sum < 0 ? part.id : (term{&to, sum} + part).id;
    }
  }

  for (int output : g.outputs) to.outputs.push_back(at[index(output)]);
  for (int leaf : wrt)
    to.outputs.push_back(adjoint[index(leaf)] >= 0 ? adjoint[index(leaf)] : fit(constant(to, g[leaf].type, 0), g[leaf].extent).id);
  return to;
}

}  // namespace etch::inline ETCH_ABI::pass
