// origin: the statement of a graph that a result which is not finite comes from. The graph is computed again, node by
// node, and gone back through. For debugging; it allocates.
#pragma once

#include <etch/compile/causes.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace run {

namespace detail {

/// The entries of the nodes of a graph that make results what they are, by node; empty where there are none.
using marked_entries = std::vector<std::vector<char>>;

/// The finds of a way back through a graph, each the first in the order of computation.
struct origins {
  std::string made;         ///< infinities or NaN of finite operands
  std::string nan_made;     ///< NaN of infinities
  std::string of_constant;  ///< what a constant of the graph has brought in, which is meant to be infinite
};

inline void mark(scope const& s, marked_entries& marked, int id, std::size_t entry) {
  std::vector<char>& of = marked[static_cast<std::size_t>(id)];
  if (of.empty()) of.resize(s.of(id).size());
  of[entry] = 1;
}

inline void go_back_through_loop(scope const& s, int loop, marked_entries& marked, origins& found);

/// Goes back from the marked entries, none of which is finite, and marks what they come from.
inline void go_back(scope const& s, marked_entries& marked, origins& found) {
  for (int id = s.graph.size() - 1; id >= 0; --id) {
    node const& n = s.graph[id];
    if (facts_of(n).is_loop) go_back_through_loop(s, id, marked, found);
    if (marked[static_cast<std::size_t>(id)].empty() || facts_of(n).is_loop || facts_of(n).is_result ||
        pass::is_input(n))
      continue;
    std::vector<char> const at = marked[static_cast<std::size_t>(id)];
    node_entry made, nan_made, of_constant;
    for (std::size_t entry = 0; entry < at.size(); ++entry) {
      if (!at[entry]) continue;
      bool any = false, any_nan = false, only_constants = true;
      for_each_cause(s, {id, entry}, [&](node_entry const& cause) {
        any = true;
        any_nan = any_nan || is_nan(s.at(cause));
        if (s.is_constant(cause.node)) return;
        only_constants = false;
        mark(s, marked, cause.node, cause.entry);
      });
      node_entry& kind = !any ? made : is_nan(s.at({id, entry})) && !any_nan ? nan_made : of_constant;
      if (kind.node < 0 && (&kind != &of_constant || only_constants)) kind = {id, entry};
      if (reads_everything(n)) break;
    }
    if (made.node >= 0) (n.op == opcode_of<op::fill> ? found.of_constant : found.made) = s.report(made);
    if (nan_made.node >= 0) found.nan_made = s.report(nan_made);
    if (of_constant.node >= 0) found.of_constant = s.report(of_constant);
  }
}

/// The marked results of a loop, by their number: nodes, -1 where none is.
inline sequence<int> marked_results(graph_view g, int loop, loop_body const& l, marked_entries const& marked) {
  sequence<int> nodes = filled(l.out.size(), -1);
  for (int id = loop + 1; id < g.size(); ++id)
    if (facts_of(g[id]).is_result && g.operands(id)[0] == loop && !marked[static_cast<std::size_t>(id)].empty())
      nodes[static_cast<std::size_t>(g[id].attributes)] = id;
  return nodes;
}

/// Goes back through the steps of a loop, from marked entries of its results to its operands.
inline void go_back_through_loop(scope const& s, int loop, marked_entries& marked, origins& found) {
  loop_body const l = loop_at(s.graph, loop);
  sequence<int> const results = marked_results(s.graph, loop, l, marked);
  if (std::all_of(results.begin(), results.end(), [](int id) { return id < 0; })) return;
  sequence<int> const carried_in = carries_in(l.in), carried_out = carries_in(l.out);
  std::vector<numbers> operands;
  for (int operand : s.graph.operands(loop)) operands.push_back(s.of(operand));
  std::vector<std::vector<numbers>> carries;  // before each step
  static_cast<void>(run_loop(l, operands, s.call.functions, [&](std::vector<numbers> const& inputs) {
    carries.emplace_back();
    for (int i : carried_in) carries.back().push_back(inputs[static_cast<std::size_t>(i)]);
  }));

  marked_entries carried(carried_out.size());  // by carry, behind the step
  for (std::size_t c = 0; c < carried.size(); ++c)
    if (int const id = results[static_cast<std::size_t>(carried_out[c])]; id >= 0)
      carried[c] = marked[static_cast<std::size_t>(id)];
  sequence<char> arrives = filled(l.out.size(), '\0');  // by result, whether a step leaves it so
  std::string const later = std::exchange(found.made, "");
  for (int step = l.count - 1; step >= 0; --step) {
    std::vector<numbers> inputs = operands;
    feed(l, operands, position_of_step(l, step), inputs);
    for (std::size_t c = 0; c < carried.size(); ++c)
      inputs[static_cast<std::size_t>(carried_in[c])] = carries[static_cast<std::size_t>(step)][c];
    bool const runs = l.gate < 0 || inputs[static_cast<std::size_t>(l.gate)][0] != 0;  // if not, carries stay the same
    scope const body{s.call, l.body, values_of_nodes(l.body, inputs, s.call.functions), &s, loop, step, &l};
    marked_entries in_body(body.values.size());
    auto const mark_output = [&](std::size_t r, std::vector<char> const& of, std::size_t first) {
      int const output = l.body.outputs[r];
      for (std::size_t entry = 0; first + entry < of.size() && entry < body.of(output).size(); ++entry)
        if (of[first + entry] && !all_finite(&body.of(output)[entry], 1))
          mark(body, in_body, output, entry), arrives[r] = 1;
    };
    for (std::size_t r = 0; runs && r < l.out.size(); ++r) {
      if (results[r] < 0 || l.out[r] == loop_output::carry) continue;
      auto const p = static_cast<std::size_t>(l.out[r] == loop_output::stack ? position_of_step(l, step) : 0);
      mark_output(r, marked[static_cast<std::size_t>(results[r])], p * body.of(l.body.outputs[r]).size());
    }
    for (std::size_t c = 0; runs && c < carried.size(); ++c)
      mark_output(static_cast<std::size_t>(carried_out[c]), std::exchange(carried[c], {}), 0);
    go_back(body, in_body, found);

    for (int id = 0; id < l.body.size(); ++id) {
      if (!pass::is_input(l.body[id])) continue;
      int const i = static_cast<int>(l.body[id].attributes);
      std::vector<char>& of = in_body[static_cast<std::size_t>(id)];
      for (std::size_t c = 0; c < carried.size(); ++c)
        if (carried_in[c] == i) runs ? carried[c] = of : of = carried[c];
      scope::source const from = body.source_of(i);
      if (from.node < 0 || s.is_constant(from.node)) continue;
      std::size_t const slices = from.slice < 0 ? 1 : static_cast<std::size_t>(l.count),
                        size = s.of(from.node).size() / slices;
      for (std::size_t entry = 0; entry < of.size(); ++entry)
        if (of[entry]) mark(s, marked, from.node, static_cast<std::size_t>(std::max(from.slice, 0)) * size + entry);
    }
  }
  for (std::size_t r = 0; r < l.out.size() && found.made.empty(); ++r) {
    if (results[r] < 0 || l.out[r] != loop_output::sum || arrives[r]) continue;
    std::vector<char> const& of = marked[static_cast<std::size_t>(results[r])];  // finite in every step: the sum is not
    found.made = s.report({results[r], static_cast<std::size_t>(std::find(of.begin(), of.end(), 1) - of.begin())});
  }
  if (found.made.empty()) found.made = later;
}

/// The values of a program's leaves, by their number.
inline std::vector<numbers> values_of_leaves(observed_call const& call) {
  std::vector<numbers> leaves;
  for (node const& n : call.graph.nodes) {
    if (!pass::is_input(n)) continue;
    auto const leaf = static_cast<std::size_t>(n.attributes);
    if (leaves.size() <= leaf) leaves.resize(leaf + 1);
    with_element(n.type, [&]<class T>(T) {
      T const* const from = reinterpret_cast<T const*>(call.leaves[leaf]);
      for (std::size_t i = 0; i < static_cast<std::size_t>(n.extent.size()); ++i)
        leaves[leaf].push_back(static_cast<double>(from[i]));
    });
  }
  return leaves;
}

/// The first output of `g` of which `is_finite(output)` is false; their number where there is none.
inline std::size_t first_output(graph_view g, auto is_finite) {
  std::size_t output = 0;
  while (output < g.outputs.size() && is_finite(output)) ++output;
  return output;
}

}  // namespace detail

/// Why an output of a call is not finite, as a sentence without its end; empty where all are. Of a call that has not
/// run, its statements tell whether it will be.
inline std::string why_not_finite(observed_call const& call) {
  graph_view const g = call.graph;
  if (pass::counts(g)) {
    graph const counted = pass::at_count(g, *reinterpret_cast<int const*>(call.leaves[-1]));
    observed_call there = call;
    there.graph = counted;
    return why_not_finite(there);
  }
  std::size_t output = 0;
  if (call.outputs != nullptr) {
    output = detail::first_output(g, [&](std::size_t i) {
      return with_element(g[g.outputs[i]].type, [&]<class T>(T) {
        return all_finite(reinterpret_cast<T const*>(call.outputs[i]),
                          static_cast<std::size_t>(g[g.outputs[i]].extent.size()));
      });
    });
    if (output == g.outputs.size()) return "";
  }
  std::vector<numbers> const leaves = detail::values_of_leaves(call);
  detail::scope const whole{call, g, values_of_nodes(g, leaves, call.functions)};
  auto const of = [&](std::size_t i) -> numbers const& { return whole.of(g.outputs[i]); };
  if (call.outputs == nullptr) {
    output = detail::first_output(g, [&](std::size_t i) { return all_finite(of(i).data(), of(i).size()); });
    if (output == g.outputs.size()) return "";
  }
  std::string const sentence = call.name_of_output(static_cast<int>(output), call.results) + " is not finite, ";
  std::size_t entry = 0;
  while (entry < of(output).size() && all_finite(&of(output)[entry], 1)) ++entry;
  if (entry == of(output).size())
    return sentence + (call.accumulates && static_cast<int>(output) >= call.results
                           ? "though what this call adds to it is: it was not before, or the sum is too large"
                           : "though its statements, computed one by one, are: the program adds in another order");
  detail::marked_entries marked(whole.values.size());
  detail::origins found;
  for (; entry < of(output).size(); ++entry)
    if (!all_finite(&of(output)[entry], 1)) detail::mark(whole, marked, g.outputs[output], entry);
  detail::go_back(whole, marked, found);
  for (int id = 0; id < g.size(); ++id) {
    std::vector<char> const& arrives = marked[static_cast<std::size_t>(id)];
    if (!pass::is_input(g[id]) || arrives.empty()) continue;
    int const leaf = static_cast<int>(g[id].attributes);
    auto const at = static_cast<std::size_t>(std::find(arrives.begin(), arrives.end(), 1) - arrives.begin());
    return sentence + "since " + call.name_of_leaf(leaf) + " is not" +
           detail::text_of_entry(g[id].extent, at, whole.of(id)[at], call.is_turned(leaf));
  }
  return sentence + "since " +
         (!found.made.empty()       ? found.made
          : !found.nan_made.empty() ? found.nan_made
                                    : found.of_constant);
}

}  // namespace run
ETCH_NAMESPACE_END
