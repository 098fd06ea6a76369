// prune, canonical: only what the outputs need survives, renumbered from the outputs; in the bodies of loops too.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr graph prune(graph_view g);

/// The nodes that the outputs need, in the order they have; loops as they are. `all_inputs`: and all inputs.
constexpr graph drop_dead(graph_view g, bool all_inputs = false) {
  sequence<char> live = sequence<char>::zeros(g.nodes.size());
  for (int output : g.outputs) live.entry[output] = 1;
  for (int id = g.size() - 1; id >= 0; --id)
    if (live.entry[id])
      for (int operand : g.operands(id)) live.entry[operand] = 1;
  graph to;
  to.reserve(g.size());
  to.pool = sequence<std::uint64_t>(g.pool.begin(), g.pool.end());
  sequence<int> at = filled(g.nodes.size(), -1), operands;
  for (int id = 0; id < g.size(); ++id) {
    if (!live.entry[id] && !(all_inputs && g[id].op == opcode_of<op::input>)) continue;
    operands.clear();
    for (int operand : g.operands(id)) operands.push_back(at.entry[operand]);
    at.entry[id] = to.insert(g[id].op, g[id].type, g[id].extent, g[id].attributes, operands);
  }
  for (int output : g.outputs) to.outputs.push_back(at.entry[output]);
  return to;
}

namespace detail {

/// A loop of which only some results are used.
struct pruned_loop {
  int loop = -1;  ///< its node
  loop_body body;
  sequence<int> operands;  ///< nodes, of those that are kept
  sequence<int> result;    ///< new position of each result; -1 where it is gone
  sequence<int> stack;     ///< of a carry that is stacked too: the new position of the stack
};

constexpr graph walk_from_outputs(graph_view g, const_span<pruned_loop> loops, bool all_inputs = false);

/// A loop's body while it is settled what of it is needed.
struct body_in_use {
  graph body;
  sequence<int> value;    ///< node of each output; -1 where it is not needed
  sequence<int> stack;    ///< of a carry that is stacked too, and used: that stack
  sequence<char> needed;  ///< which outputs are needed: those used, and carries whose value is read in a step

  /// Settles `stack` and `needed` for loop `l`, of which the results `used` are used.
  constexpr void find_needed(loop_body const& l, sequence<char> const& used) {
    needed = used;
    for (std::size_t r = 0; r < l.out.size(); ++r)
      for (std::size_t s = 0; s < l.out.size(); ++s)
        if (used.entry[r] && used.entry[s] && l.gate < 0 && l.snapshots == 0 && l.out.entry[r] == loop_output::carry &&
            l.out.entry[s] == loop_output::stack && value.entry[r] == value.entry[s])
          stack.entry[r] = static_cast<int>(s);
    for (std::size_t r = 0; r < l.out.size(); ++r)
      if (stack.entry[r] >= 0) needed.entry[r] = 0;
    sequence<int> const from = carries_in(l.in), to = carries_in(l.out);
    for (bool settled = false; !settled;) {
      settled = true;
      sequence<char> live = sequence<char>::zeros(static_cast<std::size_t>(body.size()));
      for (std::size_t r = 0; r < l.out.size(); ++r)
        if (needed.entry[r]) live.entry[value.entry[r]] = 1;
      for (int id = body.size() - 1; id >= 0; --id) {
        if (!live.entry[id]) continue;
        for (int operand : body.operands(id)) live.entry[operand] = 1;
        if (body[id].op != opcode_of<op::input>) continue;
        for (std::size_t c = 0; c < from.size(); ++c)
          if (from.entry[c] == static_cast<int>(body[id].attributes) && !needed.entry[to.entry[c]])
            needed.entry[to.entry[c]] = 1, settled = false;
      }
      for (std::size_t c = 0; c < from.size(); ++c)
        if (from.entry[c] == l.gate && !needed.entry[to.entry[c]]) needed.entry[to.entry[c]] = 1, settled = false;
    }
  }
  /// Prunes the loops inside, with which inputs may vanish and outputs become one.
  constexpr void prune_inside() {
    body.outputs.clear();
    for (std::size_t r = 0; r < needed.size(); ++r)
      if (needed.entry[r]) body.outputs.push_back(value.entry[r]);
    body = prune(body);
    for (std::size_t r = 0, at = 0; r < needed.size(); ++r)
      value.entry[r] = needed.entry[r] ? body.outputs.entry[at++] : -1;
  }
};

constexpr body_in_use find_use(loop_body const& l, sequence<char> const& used) {
  body_in_use u{l.body, l.body.outputs, filled(l.out.size(), -1), {}};
  u.find_needed(l, used);
  for (bool settled = l.body.pool.empty(); !settled;) {
    sequence<char> const before = u.needed;
    u.prune_inside();
    u.find_needed(l, used);
    settled = std::equal(before.begin(), before.end(), u.needed.begin());
  }
  return u;
}

/// The loop `l` at node `id` with only the results `used`, its inputs in the order in which its body reads them.
constexpr pruned_loop prune_loop(graph_view g, int id, loop_body const& l, sequence<char> const& used) {
  sequence<int> const from = carries_in(l.in), to = carries_in(l.out);
  pruned_loop p;
  p.loop = id;
  p.body.count = l.count, p.body.backward = l.backward, p.body.keeps_carries = l.keeps_carries,
  p.body.snapshots = l.snapshots, p.body.points = l.points, p.body.counted = l.counted;
  auto const add_companion = [&](std::size_t i) {
    if (!has_companion(l.in.entry[i])) return;
    p.body.in.push_back(l.in.entry[i + 1]);
    p.operands.push_back(g.operands(id)[i + 1]);
  };
  p.result = filled(l.out.size(), -1);
  p.stack = filled(l.out.size(), -1);
  body_in_use use = find_use(l, used);
  sequence<char> const& needed = use.needed;
  sequence<int> const& value = use.value;

  // Carries come first, among inputs and outputs, then whatever is left. Outputs that are one value are one result.
  graph& body = use.body;
  body.outputs.clear();
  sequence<int> position = filled(l.in.size(), -1);  // new position of each input
  auto const input_from = [&](std::size_t i) {
    position.entry[i] = static_cast<int>(p.body.in.size());
    p.body.in.push_back(l.in.entry[i]);
    p.operands.push_back(g.operands(id)[i]);
  };
  auto const leave = [&](std::size_t r) {
    int& at = p.result.entry[r];
    for (std::size_t i = 0; i < p.body.out.size(); ++i)
      if (l.out.entry[r] != loop_output::carry && p.body.out.entry[i] == l.out.entry[r] &&
          body.outputs.entry[i] == value.entry[r])
        at = static_cast<int>(i);
    if (at >= 0) return;
    at = static_cast<int>(p.body.out.size());
    p.body.out.push_back(l.out.entry[r]);
    body.outputs.push_back(value.entry[r]);
  };
  for (std::size_t c = 0; c < from.size(); ++c)
    if (auto const r = static_cast<std::size_t>(to.entry[c]); needed.entry[r])
      input_from(static_cast<std::size_t>(from.entry[c])), leave(r);
  for (std::size_t r = 0; r < l.out.size(); ++r)
    if (needed.entry[r] && l.out.entry[r] != loop_output::carry) leave(r);
  for (std::size_t r = 0; r < l.out.size(); ++r)
    if (use.stack.entry[r] >= 0) p.stack.entry[r] = p.result.entry[use.stack.entry[r]];

  graph const walked = walk_from_outputs(body, {});
  for (int node = 0; node < walked.size(); ++node) {
    if (walked[node].op != opcode_of<op::input>) continue;
    auto const i = static_cast<std::size_t>(walked[node].attributes);
    if (position.entry[i] >= 0) continue;
    input_from(i);
    add_companion(i);
  }
  for (std::size_t i = 0; i < l.in.size(); ++i)  // the carries of another loop, which may be computed again from all
    if (l.snapshots > 0 && has_companion(l.in.entry[i]) && position.entry[i] < 0) input_from(i), add_companion(i);
  if (l.gate >= 0) {  // the body need not read it
    auto const i = static_cast<std::size_t>(l.gate);
    if (position.entry[i] < 0) input_from(i), add_companion(i);
    p.body.gate = position.entry[i];
  }
  graph& numbered = p.body.body;
  numbered.reserve(walked.size());
  numbered.pool = walked.pool;
  for (int node = 0; node < walked.size(); ++node) {
    auto const& n = walked[node];
    bool const is_input = n.op == opcode_of<op::input>;
    numbered.insert(n.op, n.type, n.extent,
                    is_input ? static_cast<attribute>(position.entry[n.attributes]) : n.attributes,
                    walked.operands(node));
  }
  numbered.outputs = walked.outputs;
  return p;
}

/// The loops of `g` that the outputs need, each with what is needed of it.
constexpr sequence<pruned_loop> pruned_loops(graph_view g) {
  sequence<pruned_loop> loops;
  if (g.pool.empty()) return loops;
  sequence<char> live = sequence<char>::zeros(g.nodes.size());
  for (int output : g.outputs) live.entry[output] = 1;
  for (int id = g.size() - 1; id >= 0; --id) {
    if (!live.entry[id]) continue;
    const_span<int> operands = g.operands(id);
    if (facts_of(g[id]).is_loop) {
      loop_body const l = loop_at(g, id);
      sequence<char> used = sequence<char>::zeros(l.out.size());
      for (int later = id + 1; later < g.size(); ++later)
        if (live.entry[later] && facts_of(g[later]).is_result && g.operands(later)[0] == id)
          used.entry[g[later].attributes] = 1;
      loops.push_back(prune_loop(g, id, l, used));
      operands = loops.back().operands;
    }
    for (int operand : operands) live.entry[operand] = 1;
  }
  return loops;
}

/// The nodes that the outputs need, in the order of a depth-first walk from the outputs; `loops` in their pruned form,
/// others as they are. With `all_inputs`, these come first, needed or not.
constexpr graph walk_from_outputs(graph_view g, const_span<pruned_loop> loops, bool all_inputs) {
  struct visit {
    int id = 0;
    std::size_t next = 0;  // its operands before this one have been visited
  };
  graph to;
  to.reserve(g.size());
  auto const loop_of = [&](int id) -> pruned_loop const* {
    for (pruned_loop const& each : loops)
      if (each.loop == id) return &each;
    return nullptr;
  };
  sequence<int> at = filled(g.nodes.size(), -1);
  for (int id = 0; all_inputs && id < g.size(); ++id)
    if (node const& n = g[id]; n.op == opcode_of<op::input>)
      at.entry[id] = to.insert(n.op, n.type, n.extent, n.attributes, {});
  auto const put = [&](int id, const_span<int> operands) {
    node const& n = g[id];
    pruned_loop const* const loop = loops.empty() ? nullptr : loop_of(facts_of(n).is_result ? g.operands(id)[0] : id);
    if (loop == nullptr)
      return to.insert(n.op, n.type, n.extent,
                       facts_of(n).has_words ? to.keep(words_at(g.pool, n.attributes)) : n.attributes, operands);
    if (loop->loop == id) return insert_loop(to, loop->body, operands);
    // A carry that is stacked too is the last entry of the stack: it needs no memory of its own.
    int const stack = loop->stack.entry[n.attributes];
    term const result = result_of(to, loop->body, operands[0], stack >= 0 ? stack : loop->result.entry[n.attributes]);
    return stack < 0 ? result.id : entry_at(result, loop->body.backward ? 0 : loop->body.count - 1, n.extent).id;
  };
  sequence<visit> stack;
  sequence<int> operands;
  for (int output : g.outputs) {
    if (at.entry[output] < 0) stack.push_back({output});
    while (!stack.empty()) {
      visit& top = stack.back();
      pruned_loop const* const loop = loops.empty() ? nullptr : loop_of(top.id);
      const_span<int> const from = loop != nullptr ? const_span<int>(loop->operands) : g.operands(top.id);
      while (top.next < from.size() && at.entry[from.start[top.next]] >= 0) ++top.next;
      if (top.next < from.size()) {
        stack.push_back({from[top.next]});
        continue;
      }
      operands.clear();
      for (int operand : from) operands.push_back(at.entry[operand]);
      at.entry[top.id] = put(top.id, operands);
      stack.pop_back();
    }
    to.outputs.push_back(at.entry[output]);
  }
  return to;
}

}  // namespace detail

/// The nodes that the outputs need, in the order of a depth-first walk from the outputs. The order in which a lambda
/// wrote independent statements leaves no trace, so programs of equal structure have equal graphs.
constexpr graph prune(graph_view g) { return detail::walk_from_outputs(g, detail::pruned_loops(g)); }

/// Prunes a traced graph, all of whose inputs stay, in front. Every later pass sees the nodes in this
/// order, so that what it does in the order of nodes (contributions to an adjoint are added in it) does not
/// depend on the order of statements either.
constexpr graph canonical(graph_view g) { return detail::walk_from_outputs(g, detail::pruned_loops(g), true); }

}  // namespace pass
ETCH_NAMESPACE_END
