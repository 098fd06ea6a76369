// sampled_carries: which carries a loop keeps at a few steps only, since the loop that goes back through it computes
// the others again. In the graph both are loops like any other: this decides what lies in memory.
#pragma once

#include <etch/base/revolve.hpp>
#include <etch/lower/place.hpp>
#include <etch/rewrite/flops.hpp>
#include <etch/rewrite/prune.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A loop and the one that goes back through it.
struct sampled_carries {
  int forward = -1, backward = -1;  ///< their nodes; -1: nothing is sampled
  int snapshots = 0;                ///< steps whose carries are in memory at once
  sequence<int> outputs;            ///< of the forward loop: those that give the sampled carries
  sequence<int> stacks;             ///< their stacks, nodes that hold the snapshots
  sequence<int> inputs;             ///< of the backward loop: those that read them

  constexpr bool exists() const { return forward >= 0; }
  /// Which of the sampled carries has the stack `node`; their number if none has.
  constexpr std::size_t number_of(int node) const {
    return static_cast<std::size_t>(std::find(stacks.begin(), stacks.end(), node) - stacks.begin());
  }
};

/// An operand of the steps that run again.
struct input_again {
  loop_input kind{};
  int node = -1;
  int sampled = -1;  ///< which of the sampled carries it is
};

/// The steps of a loop, as the one that goes back through it runs them for the sampled carries.
struct steps_again {
  sampled_carries of;
  graph body;  ///< its outputs are the sampled carries
  sequence<input_again> in;
};

namespace detail {

constexpr int unshaped(graph_view g, int id) {
  while (g[id].op == opcode_of<op::reshape>) id = g.operands(id)[0];
  return id;
}

/// The reader of a stack: input `input` of the loop at `loop`. `is_only` says that there is no other.
struct stack_reader {
  int loop = -1, input = -1;
  bool is_only = false;
};
/// The loop that reads the node `stack` of a loop of `count` steps on its way back; if `back` is not -1, that one.
constexpr stack_reader reader_of(graph_view g, int stack, int count, int back) {
  stack_reader found;
  int readers = 0;
  for (int output : g.outputs) readers += output == stack;
  for (int id = stack + 1; id < g.size(); ++id) {
    const_span<int> const operands = g.operands(id);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] != stack) continue;
      ++readers;
      if (!facts_of(g[id]).is_loop || (back >= 0 && id != back)) continue;
      loop_body const l = loop_at(g, id);
      if (l.backward && !l.points && l.gate < 0 && l.count == count && l.in.entry[i] == loop_input::before)
        found.loop = id, found.input = static_cast<int>(i);
    }
  }
  found.is_only = readers == 1 && found.loop >= 0;
  return found;
}

/// Whether the loop `back` reads stacks of another loop than `loop` as it would on its way back through that.
constexpr bool reads_carries_of_another(graph_view g, int back, int loop) {
  loop_body const l = loop_at(g, back);
  const_span<int> const operands = g.operands(back);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (l.in.entry[i] == loop_input::before && g[operands[i]].op == opcode_of<op::stacked_steps> &&
        g.operands(operands[i])[0] != loop)
      return true;
  return false;
}

/// The values of `body` that its outputs `wanted` need, by node.
constexpr sequence<char> live_for(graph_view body, const_span<int> wanted) {
  sequence<char> live = sequence<char>::zeros(body.nodes.size());
  for (int r : wanted) live.entry[body.outputs[static_cast<std::size_t>(r)]] = 1;
  for (int id = body.size() - 1; id >= 0; --id)
    if (live.entry[id])
      for (int operand : body.operands(id)) live.entry[operand] = 1;
  return live;
}

}  // namespace detail

/// The sampled carries of the loop at node `loop`: those whose stacks nobody but one loop on its way back reads, where
/// whatever they are computed from is sampled, too, or stacked for all steps.
constexpr sampled_carries sampled_by(graph_view g, int loop) {
  if (snapshots_in(words_at(g.pool, g[loop].attributes)) == 0) return {};
  loop_body const l = loop_at(g, loop);
  if (l.backward || l.points || l.gate >= 0 || l.snapshots >= l.count) return {};
  for (loop_input each : l.in)
    if (has_companion(each)) return {};
  sequence<int> const from = carries_in(l.in), to = carries_in(l.out);
  sequence<int> carry_at = filled(l.in.size(), -1), stack = filled(to.size(), -1);
  for (std::size_t c = 0; c < from.size(); ++c) carry_at.entry[from.entry[c]] = static_cast<int>(c);
  for (int id = loop + 1; id < g.size(); ++id) {
    if (g[id].op != opcode_of<op::stacked_steps> || g.operands(id)[0] != loop) continue;
    int const value = detail::unshaped(l.body, l.body.outputs.entry[g[id].attributes]);
    for (std::size_t c = 0; c < to.size(); ++c)
      if (detail::unshaped(l.body, l.body.outputs.entry[to.entry[c]]) == value) {
        if (stack.entry[c] >= 0) return {};
        stack.entry[c] = id;
      }
  }
  sampled_carries s;
  for (std::size_t c = 0; c < to.size(); ++c) {
    if (stack.entry[c] < 0) continue;
    if (s.number_of(stack.entry[c]) < s.stacks.size()) return {};
    detail::stack_reader const r = detail::reader_of(g, stack.entry[c], l.count, s.backward);
    if (!r.is_only) continue;
    s.backward = r.loop;
    s.outputs.push_back(to.entry[c]);
    s.stacks.push_back(stack.entry[c]);
    s.inputs.push_back(r.input);
  }
  if (s.stacks.empty() || detail::reads_carries_of_another(g, s.backward, loop)) return {};
  sequence<char> const live = detail::live_for(l.body, s.outputs);
  for (int id = 0; id < l.body.size(); ++id) {
    if (!live.entry[id] || l.body[id].op != opcode_of<op::input>) continue;
    int const c = carry_at.entry[l.body[id].attributes];
    if (c < 0) continue;
    if (stack.entry[c] < 0 || detail::reader_of(g, stack.entry[c], l.count, s.backward).loop < 0) return {};
  }
  s.forward = loop;
  s.snapshots = l.snapshots;
  return s;
}

/// The steps that the loop at node `loop` runs again on its way back.
constexpr steps_again steps_again_in(graph_view g, int loop) {
  steps_again again;
  if (snapshots_in(words_at(g.pool, g[loop].attributes)) == 0) return again;
  for (int operand : g.operands(loop)) {
    if (g[operand].op != opcode_of<op::stacked_steps> || again.of.exists()) continue;
    again.of = sampled_by(g, g.operands(operand)[0]);
    if (again.of.backward != loop) again.of = {};
  }
  if (!again.of.exists()) return again;

  int const forward = again.of.forward;
  loop_body l = loop_at(g, forward);
  sequence<int> const from = carries_in(l.in), to = carries_in(l.out), outputs = l.body.outputs;
  sequence<char> const live = detail::live_for(l.body, again.of.outputs);
  sequence<char> is_read = sequence<char>::zeros(l.in.size());
  for (int id = 0; id < l.body.size(); ++id)
    if (live.entry[id] && l.body[id].op == opcode_of<op::input>) is_read.entry[l.body[id].attributes] = 1;
  sequence<int> position = filled(l.in.size(), -1);
  for (std::size_t i = 0; i < l.in.size(); ++i) {
    int const operand = g.operands(forward)[i];
    auto const at = static_cast<std::size_t>(std::find(from.begin(), from.end(), static_cast<int>(i)) - from.begin());
    int sampled = -1;
    for (std::size_t q = 0; at < from.size() && q < again.of.outputs.size(); ++q)
      if (again.of.outputs.entry[q] == to.entry[at]) sampled = static_cast<int>(q);
    if (!is_read.entry[i] && sampled < 0) continue;
    position.entry[i] = static_cast<int>(again.in.size());
    if (at == from.size() || sampled >= 0) {
      again.in.push_back({l.in.entry[i], operand, sampled});
      continue;
    }
    // A carry that is stacked for all steps is found there.
    for (int id = forward + 1; id < g.size(); ++id)
      if (g[id].op == opcode_of<op::stacked_steps> && g.operands(id)[0] == forward &&
          detail::unshaped(l.body, outputs.entry[g[id].attributes]) ==
              detail::unshaped(l.body, outputs.entry[to.entry[at]]))
        again.in.push_back({loop_input::before, id, -1});
    again.in.push_back({loop_input::captured, operand, -1});
  }
  l.body.outputs.clear();
  for (int r : again.of.outputs) l.body.outputs.push_back(outputs.entry[r]);
  for (node& n : l.body.nodes)
    if (n.op == opcode_of<op::input> && position.entry[n.attributes] >= 0)
      n.attributes = static_cast<attribute>(position.entry[n.attributes]);
  again.body = drop_dead(l.body);
  return again;
}

/// Bytes that the entries of node `id` take in memory: of a stack of sampled carries those of its snapshots.
constexpr std::int64_t bytes_in_memory(graph_view g, int id) {
  node const& n = g[id];
  std::int64_t const all = n.extent.size() * bytes_of(n.type);
  if (n.op != opcode_of<op::stacked_steps>) return all;
  sampled_carries const s = sampled_by(g, g.operands(id)[0]);
  return s.number_of(id) == s.stacks.size() ? all : all / n.extent[n.extent.rank - 1] * s.snapshots;
}
/// Bytes of node `id`'s buffer.
constexpr std::int64_t buffer_bytes(graph_view g, int id) { return padded(bytes_in_memory(g, id)); }

/// The operations of one evaluation of all nodes, with those of steps that run again.
constexpr std::int64_t count_flops_as_run(graph_view g);

/// The operations of one evaluation of node `id`, with those of steps that run again.
constexpr std::int64_t flops_as_run(graph_view g, int id) {
  if (!facts_of(g[id]).is_loop) return flops_of(g, id);
  loop_body const l = loop_at(g, id);
  steps_again const again = steps_again_in(g, id);
  std::int64_t const steps = again.of.exists() ? etch::detail::steps_run_again(l.count, again.of.snapshots) : 0;
  return l.count * count_flops_as_run(l.body) + (steps == 0 ? 0 : steps * count_flops_as_run(again.body));
}
constexpr std::int64_t count_flops_as_run(graph_view g) {
  std::int64_t flops = 0;
  for (int id = 0; id < g.size(); ++id) flops += flops_as_run(g, id);
  return flops;
}

}  // namespace pass
ETCH_NAMESPACE_END
