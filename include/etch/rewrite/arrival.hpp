// arrival: the entries of an adjoint at which something arrived. Behind a branch that `select` did not take nothing
// arrives, which is more than a zero: a zero times an infinite derivative is NaN.
#pragma once

#include <etch/rewrite/activity.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// An adjoint, 0 where nothing arrived. `mask` is 1 where something did and 0 elsewhere; none where every entry counts.
struct arrival {
  term adjoint{}, mask{};

  constexpr bool exists() const { return adjoint.exists(); }
};

namespace detail {

/// `g` summed down to `target`, from which the forward pass had broadcast.
constexpr term sum_to(term g, shape const& target) {
  if (same_extents(target, g.owner->nodes.entry[g.id].extent)) return fit(g, target);
  attribute axes = 0;
  for (int axis = 0; axis < max_rank; ++axis)
    if (target[axis] == 1 && g.extent()[axis] != 1) axes |= attribute{1} << axis;
  if (axes != 0) g = emit<op::sum>(axes, g);
  return fit(g, target);
}

/// `x` where `m` is 1, else 0.
constexpr term gated(term m, term x) {
  return m.exists() ? emit<op::select>(0, m, x, constant(*x.owner, x->type, 0)) : x;
}

/// 1 where `condition` is not 0 (or is 0, if not `if_true`), else 0; in `type`.
constexpr term indicator(term condition, bool if_true, element type) {
  term const zero = constant(*condition.owner, condition->type, 0);
  term const m = if_true ? emit<op::not_equal>(0, condition, zero) : emit<op::equal>(0, condition, zero);
  return in_type(m, type);
}
/// Whether `x` is 1 or 0 throughout, as far as its node tells.
constexpr bool is_indicator(term x) {
  while (facts_of(*x).is_view || is<op::embed>(x)) x = x.operand(0);
  if (is<op::mul>(x)) return is_indicator(x.operand(0)) && is_indicator(x.operand(1));
  return is<op::equal>(x) || is<op::not_equal>(x) || is<op::less>(x) || is<op::less_equal>(x) || is<op::arrived>(x) ||
         is_constant(x, 1) || is_constant(x, 0);
}
constexpr term not_zero(term count) { return is_indicator(count) ? count : indicator(count, true, count->type); }

/// 1 where both masks are.
constexpr term both(term a, term b) {
  if (!a.exists() || a == b) return b;
  return b.exists() ? a * b : a;
}

/// Whether `m` is 1 throughout, as far as its node tells: parts of a partition together are.
constexpr bool is_everything(term m) {
  auto const is_one = [](term x) { return is_constant({x.owner, beneath_views(*x.owner, x.id)}, 1); };
  if (!is<op::join>(m)) return is_one(m);
  std::int64_t covered = 0;
  for (int id : m.owner->operands(m.id)) {
    term const part{m.owner, id};
    if (!is<op::embed>(part) || !is_one(part.operand(0))) return false;
    covered += part.operand(0).extent().size();
  }
  return covered == m.extent().size();
}

/// 1 where one of several masks is; none where they leave no gap.
constexpr term either(const_span<term> masks) {
  term const count = sum_of(masks);
  return is_everything(count) ? term{} : not_zero(count);
}

/// `m` summed down to `target` as an adjoint is: 1 where any entry is.
constexpr term any_to(term m, shape const& target) {
  if (!m.exists()) return m;
  term const beneath = etch::detail::unbroadcast(m);
  if (broadcasts(beneath.extent(), target) && same_extents(broadcast_shape(beneath.extent(), target), target))
    return fit(beneath, target);
  term const count = sum_to(m, target);
  return same_extents(m.extent(), target) ? count : not_zero(count);
}

/// `m`, if it marks whole columns of the product of points `n` (rows, if `side` is 0), but not all or none: as one
/// entry for each. Else nothing.
constexpr term lines_in(node const& n, term m, int side) {
  if (!m.exists() || n.op != opcode_of<op::matmul> || n.attributes != op::matmul::of_points) return {};
  term const line = etch::detail::unbroadcast(m);
  return line.extent()[1 - side] == 1 && line.extent().size() > 1 ? line : term{};
}

/// The entries of operand `i` of node `n`, an op that `reaches` them so, at which the node's adjoint arrives,
/// if it arrived at those that `m` marks (all, without a mask). `x` are the operands; `pullback` gives the
/// adjoints of all for an adjoint of the node.
constexpr term reached(reach reaches, node const& n, const_span<term> x, std::size_t i, term m, auto pullback) {
  graph& g = *x[i].owner;
  shape const& target = x[i].extent();
  auto const counted = [&](term ones) {
    sequence<term> counts;
    pullback(ones, counts);
    term const count = sum_to(counts.entry[i], target);
    return is_everything(count) ? term{} : not_zero(count);
  };
  switch (reaches) {
    case reach::entrywise:
      return any_to(m.exists() ? fit(m, n.extent) : m, target);
    case reach::counted:
      return m.exists() ? counted(m) : m;
    case reach::picked:
      return counted(m.exists() ? m : fit(constant(g, n.type, 1), n.extent));
    case reach::along_axes:
      if (!m.exists()) return m;
      if (!same_extents(n.extent, target)) return fit(m, target);
      return fit(any_to(m, op::reduction::infer(n.attributes, {n.extent})), target);
    case reach::anywhere:
      return m.exists() ? fit(any_to(m, shape{}), target) : m;
    case reach::lines:
      for (int side : {0, 1})
        if (term const line = lines_in(n, m, side); line.exists()) {
          shape s = target;
          s[1 - side] = 1;
          if (static_cast<int>(i) != side) s[side] = 1;
          return fit(any_to(line, s), target);
        }
      [[fallthrough]];
    case reach::whole:
      if (!m.exists() || etch::detail::unbroadcast(m).extent().size() != 1) return {};
      return fit(fit(etch::detail::unbroadcast(m), shape{}), target);
  }
  return {};
}

/// The entries of its operands that the adjoint of node `n` of `g` reaches: what its op says. A rule of the user's in
/// which what follows from the adjoint is computed entry by entry reaches entry by entry, any other all entries from
/// anywhere.
constexpr reach reach_of(graph_view g, node const& n) {
  op_facts const& op = facts_of(n);
  if (!op.has_words || op.is_loop) return op.reaches;
  graph const rule = loop_of(words_at(g.pool, n.attributes)).body;
  sequence<char> live = sequence<char>::zeros(rule.nodes.size()), follows = live;
  for (int output : rule.outputs) live.entry[output] = 1;
  for (int id = rule.size() - 1; id >= 0; --id)
    if (live.entry[id])
      for (int operand : rule.operands(id)) live.entry[operand] = 1;
  for (int id = 0; id < rule.size(); ++id) {
    bool const is_adjoint = rule[id].op == opcode_of<op::input> && rule[id].attributes == 0;
    bool any = is_adjoint;
    for (int operand : rule.operands(id)) any = any || follows.entry[operand];
    follows.entry[id] = any;
    if (live.entry[id] && any && !is_adjoint && !facts_of(rule[id]).is_elementwise &&
        rule[id].op != opcode_of<op::broadcast>)
      return reach::anywhere;
  }
  return reach::entrywise;
}

/// Whether a graph, or the body of a loop in it, chooses between values.
constexpr bool chooses(graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (g[id].op == opcode_of<op::select> || (facts_of(g[id]).is_loop && chooses(loop_at(g, id).body))) return true;
  return false;
}

/// Marks the nodes of `g` that follow into a branch of a `select`, so that it matters where their adjoint arrived.
/// Others, and programs that choose nothing, are spared the masks. `from` are nodes whose adjoints have masks from the
/// outset.
constexpr sequence<char> guarded(graph_view g, const_span<char> active, const_span<int> from) {
  sequence<char> found = sequence<char>::zeros(g.nodes.size());
  for (int id : from) found.entry[id] = 1;
  for (int id = g.size() - 1; id >= 0; --id) {
    if (!active.start[id]) continue;
    node const& n = g.nodes.start[id];
    if (found.entry[id] || n.op == opcode_of<op::select> || (facts_of(n).is_loop && chooses(loop_at(g, id).body)))
      for (int operand : g.operands(id)) found.entry[operand] = 1;
  }
  return found;
}

}  // namespace detail

}  // namespace pass
ETCH_NAMESPACE_END
