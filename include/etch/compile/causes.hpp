// causes: the operands' entries for which an entry of a node is not finite.
#pragma once

#include <etch/compile/computed_scope.hpp>

ETCH_NAMESPACE_BEGIN
namespace run::detail {

/// Node `id` with inputs for operands, to be computed with other values.
inline graph node_alone(graph_view g, int id) {
  graph alone;
  alone.pool = sequence<std::uint64_t>(g.pool.begin(), g.pool.end());
  sequence<int> inputs;
  for (int operand : g.operands(id))
    inputs.push_back(input(alone, g[operand].type, g[operand].extent, static_cast<int>(inputs.size())).id);
  alone.insert(g[id].op, g[id].type, g[id].extent, g[id].attributes, inputs);
  return alone;
}

/// Calls `f(entry)` for the entries of operands, none of them finite, that make `e` infinite or NaN. Of an entry-wise
/// op it is the one with 1 in whose place `e` is finite; of an op that reads everything the first that keeps `e` from
/// being finite when there is 1 in place of those behind it. If there is no such entry it is all that are read, where
/// `e` and some of them are NaN those.
inline void for_each_cause(scope const& s, node_entry const& e, auto f) {
  node const& n = s.graph[e.node];
  const_span<int> const operands = s.graph.operands(e.node);
  /// An entry of operand number `operand`.
  struct cause {
    std::size_t operand, entry;
  };
  sequence<cause> causes;
  sequence<double> x;  // of an entry-wise op
  bool nan_arrives = false;
  for_each_read(s.graph, e.node, e.entry, [&](int o, std::size_t entry) {
    auto const operand = static_cast<std::size_t>(o);
    double const value = s.of(operands[operand])[entry];
    if (facts_of(n).is_elementwise) x.push_back(value);
    if (all_finite(&value, 1)) return;
    causes.push_back({operand, entry});
    nan_arrives = nan_arrives || is_nan(value);
  });
  auto const call = [&](cause const& c) { f(node_entry{operands[c.operand], c.entry}); };

  for (bool constants : {false, true})
    for (cause const& c : causes) {
      if (x.empty() || s.is_constant(operands[c.operand]) != constants) continue;
      double const old = std::exchange(x[c.operand], 1.0), y = rules_of(n).value(n.type, x);
      x[c.operand] = old;
      if (all_finite(&y, 1)) return call(c);
    }
  if (reads_everything(n) && !causes.empty()) {
    graph const alone = node_alone(s.graph, e.node);
    auto const is_finite_with = [&](std::size_t count) {
      std::vector<numbers> values;
      for (int operand : operands) values.push_back(s.of(operand));
      for (std::size_t i = count; i < causes.size(); ++i) values[causes[i].operand][causes[i].entry] = 1;
      return all_finite(&values_of_nodes(alone, values, s.call.functions).back()[e.entry], 1);
    };
    std::size_t finite = 0, other = causes.size();  // numbers of causes with which `e` is finite, and is not
    if (is_finite_with(finite)) {
      while (other - finite > 1) {
        std::size_t const middle = finite + (other - finite) / 2;
        (is_finite_with(middle) ? finite : other) = middle;
      }
      return call(causes[finite]);
    }
  }
  for (cause const& c : causes)
    if (!nan_arrives || !is_nan(s.at(e)) || is_nan(s.of(operands[c.operand])[c.entry])) call(c);
}

}  // namespace run::detail
ETCH_NAMESPACE_END
