// differentiate: reverse mode, from graph to graph. The result is an ordinary graph, so it can be differentiated again.
#pragma once

#include <etch/rewrite/reverse_loop.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr swept backpropagate(graph_view g, graph& to, const_span<seed> seeds, const_span<int> wrt);

/// A loop that the sweep went through, and its words with what the way back needs among its results.
struct extended_loop {
  int loop;
  attribute words;
};

/// An adjoint that has arrived at `node` of the graph that is swept, with its mask (-1: none), and waits there.
struct waiting_adjoint {
  int node, adjoint, mask;
};

/// A reverse sweep between two nodes: those from `reached` on are done. What it has built so far, where the nodes of
/// the graph that it goes through stand at the same indices, and what waits at nodes below, at inputs and at results of
/// loops below.
struct paused_sweep {
  graph to;
  int reached;
  sequence<waiting_adjoint> waiting;
  sequence<extended_loop> extended;
};

namespace detail {

/// One reverse sweep through `g`, whose nodes stand at the same indices in `to`.
class reverse_sweep {
 public:
  constexpr reverse_sweep(graph_view g, graph& to, const_span<int> wrt)
      : g_(g), to_(to), active_(influenced(g, wrt)), adjoint_(g.nodes.size()) {}

  constexpr void run(const_span<seed> seeds) {
    int last = -1;
    sequence<int> masked;
    for (seed const& each : seeds) {
      adjoint_.add(each.node, each.arrived);
      last = std::max(last, each.node);
      if (each.arrived.mask.exists()) masked.push_back(each.node);
    }
    guarded_ = guarded(g_, active_, masked);
    go_down(last, 0);
  }

  /// Goes on with a sweep that was paused, down to the node `until`. `to` is that of the sweep.
  constexpr void resume(paused_sweep const& from, int until) {
    auto const is_at_loop = [&](int id) { return id >= from.reached && facts_of(g_[id]).is_result; };
    for (waiting_adjoint const& each : from.waiting) {
      arrival arrived{{&to_, each.adjoint}, {}};
      if (each.mask >= 0) arrived.mask = {&to_, each.mask};
      if (is_at_loop(each.node)) arrived_.push_back({each.node, arrived});
      else adjoint_.add(each.node, arrived);
    }
    extended_ = from.extended;
    guarded_ = guarded(g_, active_, {});
    go_down(from.reached - 1, until);
  }
  /// The adjoints that wait when the sweep has come to `until`.
  constexpr sequence<waiting_adjoint> waiting(int until) const {
    sequence<waiting_adjoint> all;
    for (int id = 0; id < g_.size(); ++id)
      if (id < until || g_[id].op == opcode_of<op::input>)
        adjoint_.for_each(id, [&](arrival const& a) { all.push_back({id, a.adjoint.id, a.mask.id}); });
    for (seed const& each : arrived_)
      if (g_.operands(each.node)[0] < until) all.push_back({each.node, each.arrived.adjoint.id, each.arrived.mask.id});
    return all;
  }
  constexpr sequence<extended_loop> const& extended() const { return extended_; }

  /// The adjoint of node `id`; none where nothing arrived.
  constexpr arrival adjoint_of(int id) { return adjoint_.any(id) ? adjoint_.total(id) : arrival{}; }

  /// Puts the loops in the place of what they are now, with what the way back needs among their
  /// results. Returns where each node now is.
  constexpr sequence<int> put_extended_loops() {
    sequence<int> at;
    if (extended_.empty()) return at;
    graph fresh;
    fresh.reserve(to_.size());
    fresh.pool = to_.pool;
    fresh.simplifying = to_.simplifying;
    fresh.precise = to_.precise;
    sequence<int> operands;
    for (int id = 0; id < to_.size(); ++id) {
      node const n = to_[id];
      operands.clear();
      for (int operand : to_.operands(id)) operands.push_back(at.entry[operand]);
      attribute attributes = n.attributes;
      for (auto const& [loop, words] : extended_)
        if (loop == id) attributes = words;
      at.push_back(fresh.insert(n.op, n.type, n.extent, attributes, operands));
    }
    for (int output : to_.outputs) fresh.outputs.push_back(at.entry[output]);
    to_ = std::move(fresh);
    return at;
  }

 private:
  graph_view g_;
  graph& to_;
  sequence<char> active_, guarded_;
  contributions adjoint_;
  sequence<seed> arrived_;  // at results of loops
  sequence<extended_loop> extended_;
  sequence<term> x_, contribution_;

  /// Through the nodes from `last` down to `until`.
  constexpr void go_down(int last, int until) {
    for (int id = last; id >= until; --id) {
      if (!active_.entry[id]) continue;
      op_facts const& op = facts_of(g_.nodes.start[id]);
      if (op.is_loop) through_loop(id);
      else if (adjoint_.any(id) && op.is_result) arrived_.push_back({id, adjoint_.total(id)});
      else if (adjoint_.any(id) && op.differentiable) through(id, op);
    }
  }

  constexpr void through(int id, op_facts const& op) {
    node const& n = g_.nodes.start[id];
    int const* const operands = g_.edges.start + n.first_operand;
    x_.clear();
    for (int i = 0; i < n.arity; ++i) x_.push_back({&to_, operands[i]});
    arrival const incoming = adjoint_.total(id);
    for (int side = 0; side < 2 && op.reaches == reach::lines; ++side)
      if (term const line = lines_in(n, incoming.mask, side); line.exists())
        if (term& x = x_.entry[side]; same_extents(broadcast_shape(line.extent(), x.extent()), x.extent()))
          x = gated(line, x);
    mask const masked = op.is_elementwise ? mask_of(incoming.adjoint) : mask{};
    bool const is_masked = masked.exists();
    op_rules const& rules = rules_of(n);
    (to_.precise ? rules.precise_pullback : rules.pullback)(n, is_masked ? masked.value : incoming.adjoint, {&to_, id},
                                                            x_, contribution_);
    for (int i = 0; i < n.arity && i < op.active_operands; ++i) {
      int const operand = operands[i];
      if (!active_.entry[operand]) continue;
      term& c = contribution_.entry[i];
      if ((op.is_view || op.is_assembly) && is_constant(etch::detail::unbroadcast(c), 0)) continue;  // not picked
      if (is_masked) c = masked.apply(c);
      if (!guarded_.entry[operand]) adjoint_.add(operand, {sum_to(c, g_.nodes.start[operand].extent), {}});
      else
        adjoint_.add(operand, arriving(id, static_cast<std::size_t>(i), incoming,
                                       is_masked && gated(incoming.mask, masked.value) == incoming.adjoint));
    }
  }

  /// The contribution to operand `i` of node `id`, and where it arrives. `is_masked` says that the mask
  /// of `incoming` is already applied.
  constexpr arrival arriving(int id, std::size_t i, arrival const& incoming, bool is_masked) {
    node const& n = g_[id];
    op_facts const& op = facts_of(n);
    term c = contribution_.entry[i], m = incoming.mask;
    bool const is_passed_on =
        etch::detail::unbroadcast(c) == etch::detail::unbroadcast(incoming.adjoint);  // so 0 where that is
    auto const in_type_of_c = [&](term x) { return x.exists() ? in_type(x, c->type) : x; };
    if (op.is_elementwise && !is_masked && !is_passed_on) c = gated(in_type_of_c(m), c);
    c = sum_to(c, x_.entry[i].extent());
    if (n.op == opcode_of<op::select>) m = both(m, fit(indicator(x_.entry[0], i == 1, n.type), n.extent));
    reach const reaches = reach_of(g_, n);
    m = in_type_of_c(reached(reaches, n, x_, i, m, [&](term g, sequence<term>& adjoints) {
      rules_of(n).pullback(n, g, {&to_, id}, x_, adjoints);
    }));
    bool const is_rule_of_user = reaches != op.reaches;
    bool const is_one_by_one = reaches == reach::entrywise || reaches == reach::counted || reaches == reach::picked;
    if ((!is_one_by_one || is_rule_of_user) && !is_passed_on) c = gated(m, c);
    return {c, m};
  }

  constexpr void through_loop(int id) {
    loop_in_sweep loop{loop_at(g_, id), g_.operands(id), {}, {}};
    loop.arrived = filled(loop.body.out.size(), arrival{});
    bool any = false;
    for (seed const& each : arrived_)
      if (g_.operands(each.node)[0] == id) loop.arrived.entry[g_[each.node].attributes] = each.arrived, any = true;
    if (!any) return;
    for (int operand : loop.operands) loop.is_guarded = loop.is_guarded || guarded_.entry[operand];
    loop.active = activity_of(loop.body, [&](std::size_t i) { return active_.entry[loop.operands[i]] != 0; });
    reversed_loop const r =
        reverse_loop(to_, loop, [&](graph_view body, graph& to, const_span<seed> seeds, const_span<int> wrt) {
          to.precise = to_.precise;
          return backpropagate(body, to, seeds, wrt);
        });
    extended_.push_back({id, to_.keep(words_of(r.extended))});
    for (seed const& each : r.contributions)
      if (active_.entry[each.node]) adjoint_.add(each.node, each.arrived);
  }
};

}  // namespace detail

namespace detail {

/// The findings of a sweep through `g` to its first node.
constexpr swept results_of(reverse_sweep& sweep, graph_view g, const_span<int> wrt) {
  swept result;
  for (int leaf : wrt) {
    arrival const arrived = sweep.adjoint_of(leaf);
    result.adjoints.push_back(arrived.adjoint.id);
    result.masks.push_back(arrived.mask.id);
  }
  sequence<int> const at = sweep.put_extended_loops();
  for (int id = 0; id < g.size(); ++id) result.forward.push_back(at.empty() ? id : at.entry[id]);
  if (!at.empty())
    for (sequence<int>* each : {&result.adjoints, &result.masks})
      for (int& id : *each) id = id < 0 ? id : at.entry[id];
  result.moved = at;
  return result;
}

}  // namespace detail

/// The reverse sweep through `g`, whose nodes stand at the same indices in `to`: from `seeds` to the nodes `wrt`. Only
/// nodes between them get an adjoint; contributions to one adjoint are added in the order they arise.
constexpr swept backpropagate(graph_view g, graph& to, const_span<seed> seeds, const_span<int> wrt) {
  detail::reverse_sweep sweep(g, to, wrt);
  sweep.run(seeds);
  return detail::results_of(sweep, g, wrt);
}

/// The sweep from the first output of `g` (one entry), before its first node. With `precise`, rules are taken in the
/// form that is accurate everywhere, where an op has one.
constexpr paused_sweep begin_sweep(graph_view g, bool precise = false) {
  graph to = copy_to_differentiate(g);
  to.precise = precise;
  int const loss = g.outputs[0], one = fit(constant(to, g[loss].type, 1), g[loss].extent).id;
  return {std::move(to), g.size(), {{loss, one, -1}}, {}};
}
/// The sweep `from` to the inputs `wrt` of `g`, when it has come to the node `until`. A sweep in parts ends as one at
/// once does; each part may be a constant of its own.
constexpr paused_sweep sweep_on(graph_view g, paused_sweep from, const_span<int> wrt, int until) {
  detail::reverse_sweep sweep(g, from.to, wrt);
  sweep.resume(from, until);
  sequence<waiting_adjoint> waiting = sweep.waiting(until);
  sequence<extended_loop> extended = sweep.extended();
  return {std::move(from.to), until, std::move(waiting), std::move(extended)};
}
/// `g` with the gradients by its inputs `wrt` behind its outputs, in their order: the rest of the sweep `from`.
constexpr graph end_sweep(graph_view g, paused_sweep from, const_span<int> wrt) {
  graph& to = from.to;
  detail::reverse_sweep sweep(g, to, wrt);
  sweep.resume(from, 0);
  swept const result = detail::results_of(sweep, g, wrt);
  for (std::size_t i = 0; i < wrt.size(); ++i) {
    node const& leaf = g[wrt[i]];
    int const adjoint = result.adjoints.entry[i];
    to.outputs.push_back(adjoint >= 0 ? adjoint : fit(constant(to, leaf.type, 0), leaf.extent).id);
  }
  return std::move(to);
}

/// Appends to the outputs of `g` the gradients of its first output (one entry) with respect to its inputs `wrt`, in
/// their order. `precise` is that of `begin_sweep`.
constexpr graph differentiate(graph_view g, const_span<int> wrt, bool precise = false) {
  return end_sweep(g, begin_sweep(g, precise), wrt);
}

}  // namespace pass
ETCH_NAMESPACE_END
