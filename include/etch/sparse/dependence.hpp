// dependence: which entries of a graph's values depend on which entries of an input, as sets of bits that flow from
// node to node.
#pragma once

#include <etch/machine/interpret.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A set of entries of the input, those from some first one on: as many at a time as a number has bits.
__extension__ using entry_set = unsigned __int128;
inline constexpr int entries_of_a_set = 128;

/// By entry of a value, in memory order, the entries of the input that it may depend on; empty where no entry depends
/// on any. Several copies of a value lie one after the other: those of the steps of a loop that are independent.
using entry_sets = sequence<entry_set>;

namespace detail {

/// Adds the sets of `from`, read in layout `of`, to those of `to` in layout `at`, for all positions of `s`.
constexpr void flow(shape const& s, entry_set* to, layout const& at, entry_set const* from, layout const& of) {
  std::int64_t const down = at.step[0], along = of.step[0];
  for (int i3 = 0; i3 < s[3]; ++i3)
    for (int i2 = 0; i2 < s[2]; ++i2)
      for (int i1 = 0; i1 < s[1]; ++i1) {
        entry_set* y = to + at.offset + at.step[3] * i3 + at.step[2] * i2 + at.step[1] * i1;
        entry_set const* x = from + of.offset + of.step[3] * i3 + of.step[2] * i2 + of.step[1] * i1;
        for (int i0 = 0; i0 < s[0]; ++i0) y[i0 * down] |= x[i0 * along];
      }
}

/// The layout of a value by itself.
constexpr layout own_layout(shape const& s) { return {0, contiguous_strides(s)}; }

constexpr entry_set union_of(entry_sets const& sets) {
  entry_set all = 0;
  for (entry_set each : sets) all |= each;
  return all;
}

/// Entries [first, first + size) of a value, of which several may be stored one after the other.
constexpr entry_sets part_of(entry_sets const& whole, std::size_t first, std::size_t size) {
  if (whole.empty()) return {};
  return {whole.begin() + first, whole.begin() + first + size};
}

/// A graph whose inputs have dependences, and its values, each in so many copies.
struct dependence_scope {
  graph_view g;
  const_span<entry_sets> inputs;
  std::size_t copies;
  sequence<entry_sets> of{};

  constexpr shape const& extent(int id, int operand) const {
    return g[g.operands(id)[static_cast<std::size_t>(operand)]].extent;
  }
  constexpr entry_sets const& operand(int id, int i) const {
    return of.entry[g.operands(id)[static_cast<std::size_t>(i)]];
  }
  constexpr std::size_t size_of(int id) const { return static_cast<std::size_t>(g[id].extent.size()); }

  /// Copy by copy, the sets of operand `i` of node `id` in layout `from` flow to those of `y` in layout `at`.
  constexpr void flow_to(entry_sets& y, int id, int i, shape const& over, layout const& at, layout const& from) const {
    entry_sets const& x = operand(id, i);
    std::size_t const size = static_cast<std::size_t>(extent(id, i).size());
    for (std::size_t copy = 0; copy < copies; ++copy)
      flow(over, y.begin() + copy * size_of(id), at, x.begin() + copy * size, from);
  }

  constexpr entry_sets of_node(int id) const;
  constexpr void product(entry_sets& y, int id) const;
  constexpr entry_sets loop(int id) const;
  constexpr void evaluate() {
    of.reserve(g.nodes.size());
    for (int id = 0; id < g.size(); ++id) of.push_back(of_node(id));
  }
};

/// A row of the result depends on that row of the left operand, a column on that of the right one.
constexpr void dependence_scope::product(entry_sets& y, int id) const {
  for (int i = 0; i < 2; ++i) {
    if (operand(id, i).empty()) continue;
    shape const& from = extent(id, i);
    shape summed = from;
    summed[1 - i] = 1;
    auto const size = static_cast<std::size_t>(from.size()), lines = static_cast<std::size_t>(summed.size());
    for (std::size_t copy = 0; copy < copies; ++copy) {
      entry_sets line = entry_sets::zeros(lines);
      flow(from, line.begin(), run::detail::broadcast_layout(summed, from), operand(id, i).begin() + copy * size,
           own_layout(from));
      flow(g[id].extent, y.begin() + copy * size_of(id), own_layout(g[id].extent), line.begin(),
           run::detail::broadcast_layout(summed, g[id].extent));
    }
  }
}

constexpr entry_sets dependence_scope::of_node(int id) const {
  node const& n = g[id];
  op_facts const& op = facts_of(n);
  if (n.op == opcode_of<op::input>) return inputs[static_cast<std::size_t>(n.attributes)];
  bool depends = false;
  for (int i = 0; i < n.arity; ++i) depends = depends || !operand(id, i).empty();
  if (!depends) return {};
  if (op.is_loop) return loop(id);
  if (!is_floating(n.type)) return {};
  entry_sets y = entry_sets::zeros(copies * size_of(id));
  for (int i = 0; i < n.arity; ++i) {
    if (operand(id, i).empty() || op.is_product) continue;
    shape const& from = extent(id, i);
    if (op.is_view) {
      flow_to(y, id, i, n.extent, own_layout(n.extent), *op.project(n.attributes, own_layout(from), from, n.extent));
    } else if (n.op == opcode_of<op::embed>) {
      flow_to(y, id, i, from, region(n.attributes).within(own_layout(n.extent)), own_layout(from));
    } else if (op.is_elementwise || n.op == opcode_of<op::join>) {
      flow_to(y, id, i, n.extent, own_layout(n.extent), run::detail::broadcast_layout(from, n.extent));
    } else if (op.is_reduction) {
      flow_to(y, id, i, from, run::detail::broadcast_layout(n.extent, from), own_layout(from));
    } else if (op.is_result) {
      loop_body const l = loop_at(g, g.operands(id)[0]);
      std::size_t first = 0;
      for (std::size_t r = 0; r < n.attributes; ++r)
        first += static_cast<std::size_t>(l.body[l.body.outputs[r]].extent.size() *
                                          (l.out[r] == loop_output::stack ? l.count : 1));
      std::size_t const all = operand(id, i).size() / copies;
      for (std::size_t copy = 0; copy < copies; ++copy)
        for (std::size_t at = 0; at < size_of(id); ++at)
          y[copy * size_of(id) + at] = operand(id, i)[copy * all + first + at];
    } else {  // all entries of such ops depend on all of their operands
      std::size_t const size = static_cast<std::size_t>(from.size());
      for (std::size_t copy = 0; copy < copies; ++copy) {
        entry_set const all = union_of(part_of(operand(id, i), copy * size, size));
        for (std::size_t at = 0; at < size_of(id); ++at) y[copy * size_of(id) + at] |= all;
      }
    }
  }
  if (op.is_product && rules_of(n).compute == nullptr) product(y, id);
  else if (op.is_product) {
    entry_set all = 0;
    for (int i = 0; i < n.arity; ++i) all |= union_of(operand(id, i));
    for (entry_set& each : y) each |= all;
  }
  if (union_of(y) == 0) return {};
  return y;
}

/// All results of a loop whose operands have the sets `operands`, one after the other.
constexpr entry_sets dependences_of_loop(loop_body const& l, sequence<entry_sets> const& operands) {
  sequence<entry_sets> results, inputs = operands, last;
  for (std::size_t r = 0; r < l.out.size(); ++r)
    results.push_back(entry_sets::zeros(static_cast<std::size_t>(l.body[l.body.outputs[r]].extent.size() *
                                                                 (l.out[r] == loop_output::stack ? l.count : 1))));
  sequence<int> const from = carries_in(l.in), to = carries_in(l.out);
  auto const entry = [&](entry_sets const& whole, int p) {
    std::size_t const size = whole.size() / static_cast<std::size_t>(l.count);
    return part_of(whole, static_cast<std::size_t>(p) * size, size);
  };
  bool at_once = from.empty();
  for (loop_input each : l.in) at_once = at_once && (each == loop_input::slice || each == loop_input::captured);
  std::size_t const copies = at_once ? static_cast<std::size_t>(l.count) : 1;
  for (int step = 0; step < (at_once ? 1 : l.count); ++step) {
    int const p = run::detail::position_of_step(l, step);
    for (std::size_t i = 0; i < l.in.size(); ++i) {
      if (l.in[i] == loop_input::captured && at_once) {
        inputs[i].clear();
        for (std::size_t copy = 0; copy < copies; ++copy)
          for (entry_set each : operands[i]) inputs[i].push_back(each);
      }
      if (l.in[i] == loop_input::slice && !at_once) inputs[i] = entry(operands[i], p);
      // Not by ?:, whose temporaries g++ 12 destroys twice in constant evaluation.
      if (has_companion(l.in[i])) inputs[i] = operands[i + 1];
      if (l.in[i] == loop_input::before && p > 0) inputs[i] = entry(operands[i], p - 1);
      if (l.in[i] == loop_input::after && p < l.count - 1) inputs[i] = entry(operands[i], p + 1);
    }
    for (std::size_t c = 0; step > 0 && c < from.size(); ++c) {
      entry_sets& carry = inputs[static_cast<std::size_t>(from[c])];
      entry_sets const& left = last[static_cast<std::size_t>(to[c])];
      if (l.gate < 0 || carry.empty()) carry = left;  // a step with a gate may leave what was there before
      else
        for (std::size_t at = 0; at < left.size(); ++at) carry[at] |= left[at];
    }
    dependence_scope body{l.body, inputs, copies};
    body.evaluate();
    last.clear();
    for (int output : l.body.outputs) last.push_back(body.of[static_cast<std::size_t>(output)]);
    for (std::size_t r = 0; r < l.out.size(); ++r) {
      std::size_t const size = results[r].size();
      if (l.out[r] == loop_output::carry) {
        results[r] = last[r];
        if (results[r].empty()) results[r] = entry_sets::zeros(size);
        continue;
      }
      std::size_t const first =
          l.out[r] == loop_output::stack && !at_once ? static_cast<std::size_t>(p) * last[r].size() : 0;
      for (std::size_t at = 0; at < last[r].size(); ++at)
        results[r][l.out[r] == loop_output::sum ? at % size : first + at] |= last[r][at];
    }
  }
  for (std::size_t c = 0; l.gate >= 0 && c < from.size(); ++c) {
    entry_sets& result = results[static_cast<std::size_t>(to[c])];
    entry_sets const& before = inputs[static_cast<std::size_t>(from[c])];
    for (std::size_t at = 0; at < before.size(); ++at) result[at] |= before[at];
  }
  entry_sets all;
  for (entry_sets const& result : results)
    for (entry_set each : result) all.push_back(each);
  return all;
}

constexpr entry_sets dependence_scope::loop(int id) const {
  loop_body const l = loop_at(g, id);
  entry_sets all;
  for (std::size_t copy = 0; copy < copies; ++copy) {
    sequence<entry_sets> operands;
    for (int i = 0; i < g[id].arity; ++i) {
      std::size_t const size = static_cast<std::size_t>(extent(id, i).size());
      operands.push_back(part_of(operand(id, i), copy * size, size));
    }
    for (entry_set each : dependences_of_loop(l, operands)) all.push_back(each);
  }
  return all;
}

}  // namespace detail

/// By entry of output 0 of a graph without composites, the entries [first, first + `entries_of_a_set`) of its input
/// number `leaf` that it may depend on. A superset: ops that are no loops over entries, such as factorisations, count
/// as dense.
constexpr entry_sets dependences_on(graph_view g, int leaf, int first) {
  sequence<entry_sets> inputs;
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].op != opcode_of<op::input>) continue;
    while (inputs.size() <= g[id].attributes) inputs.push_back({});
    if (static_cast<int>(g[id].attributes) != leaf) continue;
    entry_sets own = entry_sets::zeros(static_cast<std::size_t>(g[id].extent.size()));
    for (int i = 0; i < entries_of_a_set && first + i < static_cast<int>(own.size()); ++i)
      own[static_cast<std::size_t>(first + i)] = entry_set{1} << i;
    inputs[static_cast<std::size_t>(leaf)] = own;
  }
  detail::dependence_scope scope{g, inputs, 1};
  scope.evaluate();
  entry_sets found = scope.of[static_cast<std::size_t>(g.outputs[0])];
  if (found.empty()) found = entry_sets::zeros(static_cast<std::size_t>(g[g.outputs[0]].extent.size()));
  return found;
}

}  // namespace pass
ETCH_NAMESPACE_END
