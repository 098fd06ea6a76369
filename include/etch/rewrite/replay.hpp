// replay: builds a graph anew, node by node, through a function that says what each node becomes.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A copy of a graph; its nodes keep their indices.
constexpr graph copy_of(graph_view g) {
  graph to;
  to.reserve(g.size());
  to.pool = sequence<std::uint64_t>(g.pool.begin(), g.pool.end());
  for (node const& n : g.nodes)
    to.insert(n.op, n.type, n.extent, n.attributes,
              {g.edges.start + n.first_operand, static_cast<std::size_t>(n.arity)});
  for (int output : g.outputs) to.outputs.push_back(output);
  return to;
}

/// A copy of `g` that derivatives are appended to: it has room for them, and operations apply their identities.
constexpr graph copy_to_differentiate(graph_view g) {
  graph to = copy_of(g);
  to.reserve(4 * g.size());
  to.simplifying = true;
  return to;
}

/// How many operands, and outputs, each node is.
constexpr sequence<int> readers_of(graph_view g) {
  sequence<int> readers = filled(g.nodes.size(), 0);
  for (int operand : g.edges) ++readers.entry[operand];
  for (int output : g.outputs) ++readers.entry[output];
  return readers;
}

/// The operands of node `id` where `at` says that they are now; they lie in `room`.
constexpr const_span<int> mapped(graph_view g, int id, sequence<int> const& at, sequence<int>& room) {
  node const& n = g.nodes.start[id];
  if (room.count < static_cast<std::size_t>(n.arity)) room = filled(static_cast<std::size_t>(n.arity), 0);
  for (int i = 0; i < n.arity; ++i) room.entry[i] = at.entry[g.edges.start[n.first_operand + i]];
  return {room.entry, static_cast<std::size_t>(n.arity)};
}

/// Appends the nodes of `from` to `to`: `rewrite(to, node, operands in to)` gives the term each becomes.
/// Returns the new index of every node.
constexpr sequence<int> replay(graph_view from, graph& to, auto rewrite) {
  sequence<int> at = filled(from.nodes.size(), 0);
  sequence<int> operands;
  int const count = from.size();
  for (int id = 0; id < count; ++id)
    at.entry[id] = rewrite(to, from.nodes.start[id], mapped(from, id, at, operands)).id;
  return at;
}

/// An empty graph with room for as many nodes as `from` has. It keeps the pool of `from`, so that attributes keep their
/// meaning.
constexpr graph empty_like(graph_view from, bool simplifying) {
  graph to;
  to.reserve(from.size());
  to.pool = sequence<std::uint64_t>(from.pool.begin(), from.pool.end());
  to.simplifying = simplifying;
  return to;
}

/// The graph whose nodes `rewrite` gives, with the same outputs.
constexpr graph rebuild(graph_view from, bool simplifying, auto rewrite) {
  graph to = empty_like(from, simplifying);
  sequence<int> const at = replay(from, to, rewrite);
  for (int output : from.outputs) to.outputs.push_back(at[static_cast<std::size_t>(output)]);
  return to;
}

/// The rewrite that changes nothing by itself; in a simplifying graph it applies every identity.
constexpr term same_node(graph& to, node const& n, const_span<int> operands) {
  return rules_of(n).insert(to, n, operands);
}

/// The attribute of `n`, a node of a graph with the pool `pool`, as a node of `to`.
constexpr attribute attribute_in(graph& to, const_span<std::uint64_t> pool, node const& n) {
  return facts_of(n).has_words ? to.keep(words_at(pool, n.attributes)) : n.attributes;
}

/// The nodes in `to` that those of `body` become, where its inputs are the nodes `inputs`.
constexpr sequence<int> put_body(graph& to, graph_view body, const_span<int> inputs) {
  return replay(body, to, [&](graph& g, node const& n, const_span<int> operands) -> term {
    if (n.op == opcode_of<op::input>) return {&g, inputs.start[n.attributes]};
    if (!facts_of(n).has_words && g.recorder == nullptr) return same_node(g, n, operands);
    return {&g, g.insert(n.op, n.type, n.extent, attribute_in(g, body.pool, n), operands)};
  });
}

/// The loop `n` as `change(loop_body&)` leaves it.
constexpr term changed_loop(graph& to, node const& n, const_span<int> operands, auto change) {
  loop_body l = loop_of(words_at(to.pool, n.attributes));
  change(l);
  return {&to, insert_loop(to, l, operands)};
}

}  // namespace pass
ETCH_NAMESPACE_END
