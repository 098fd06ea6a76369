// differentiate: reverse mode, from graph to graph. The result is an ordinary graph, so it can be differentiated again.
#pragma once

#include <etch/pass/replay.hpp>

namespace etch::inline ETCH_ABI::pass {

namespace detail {

/// `g` summed down to `target`, from which the forward pass had broadcast.
constexpr term sum_to(term g, shape const& target) {
  if (same_extents(target, g.extent())) return fit(g, target);
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

/// What has arrived at each node of the graph, until it is summed.
class contributions {
 public:
  constexpr explicit contributions(std::size_t nodes) : first_(filled(nodes, -1)), last_(filled(nodes, -1)) {}

  constexpr bool any(int node) const { return first_.entry[node] >= 0; }
  constexpr void add(int node, term value) {
    int const fresh = static_cast<int>(entries_.size());
    entries_.push_back({value});
    int& last = last_.entry[node];
    (last >= 0 ? entries_.entry[last].next : first_.entry[node]) = fresh;
    last = fresh;
  }
  constexpr term total(int node) {
    int const first = first_.entry[node];
    if (entries_.entry[first].next < 0) return entries_.entry[first].value;
    terms_.clear();
    for (int i = first; i >= 0; i = entries_.entry[i].next) terms_.push_back(entries_.entry[i].value);
    return sum_of(terms_);
  }

 private:
  struct entry {
    term value{};
    int next = -1;
  };
  sequence<entry> entries_;
  sequence<int> first_, last_;  // by node
  sequence<term> terms_;
};

/// Which nodes depend on one of the leaves `wrt`.
constexpr sequence<char> influenced(graph_view g, const_span<int> wrt) {
  sequence<char> active = sequence<char>::zeros(g.nodes.size());
  for (int leaf : wrt) active.entry[leaf] = 1;
  for (int id = 0; id < g.size(); ++id) {
    int const* const operand = g.operands(id).start;
    for (int i = 0, n = std::min(g[id].arity, facts_of(g[id]).active_operands); i < n; ++i)
      if (active.entry[operand[i]]) active.entry[id] = 1;
  }
  return active;
}

}  // namespace detail

/// Whether the first output depends on one of the nodes `leaves` through differentiable operations.
constexpr bool influences(graph_view g, const_span<int> leaves) {
  return detail::influenced(g, leaves)[static_cast<std::size_t>(g.outputs[0])] != 0;
}

/// Appends to the outputs of `g` the gradients of its first output (one entry) with respect to the nodes `wrt`, in their order.
/// Only nodes between the leaves and that output get an adjoint; contributions to one adjoint are added in the order they arise. With
/// `precise`, rules are taken in the form that is accurate everywhere, where an op has one.
constexpr graph differentiate(graph_view g, const_span<int> wrt, bool precise = false) {
  graph to = copy_of(g);
  to.reserve(4 * g.size());
  to.simplifying = true;
  sequence<char> const active = detail::influenced(g, wrt);
  detail::contributions adjoint(g.nodes.size());
  int const loss = g.outputs[0];
  adjoint.add(loss, fit(constant(to, g[loss].type, 1), g[loss].extent));

  sequence<term> x, contribution;
  for (int id = loss; id >= 0; --id) {
    op_facts const& op = facts_of(g[id]);
    if (!active.entry[id] || !op.differentiable || !adjoint.any(id)) continue;
    x.clear();
    for (int operand : g.operands(id)) x.push_back({&to, operand});
    term const incoming = adjoint.total(id);
    std::optional<detail::mask> const masked = op.is_elementwise ? detail::mask_of(incoming) : std::nullopt;
    auto const rule = precise ? op.precise_pullback : op.pullback;
    rule(g[id], masked ? masked->value : incoming, {&to, id}, x, contribution);
    for (int i = 0, n = std::min(g[id].arity, op.active_operands); i < n; ++i) {
      int const operand = g.operands(id).start[i];
      if (!active.entry[operand]) continue;
      if (masked) contribution.entry[i] = masked->apply(contribution.entry[i]);
      adjoint.add(operand, detail::sum_to(contribution.entry[i], g[operand].extent));
    }
  }

  for (int leaf : wrt)
    to.outputs.push_back(adjoint.any(leaf) ? adjoint.total(leaf).id : fit(constant(to, g[leaf].type, 0), g[leaf].extent).id);
  return to;
}

}  // namespace etch::inline ETCH_ABI::pass
