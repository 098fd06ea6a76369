// materialise: inserts a copy wherever a value must stand in memory of its own but does not yet.
#pragma once

#include <etch/lower/assemble.hpp>
#include <etch/lower/contraction.hpp>
#include <etch/rewrite/strided_slices.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// Whether operand `which` of a convolution, `x` at `where`, has its batch where a register can
/// load it; true for all other ops.
constexpr bool lanes_are_neighbours(op_facts const& op, int which, node const& x, layout const& where) {
  bool const is_image = op.convolves == convolved::kernel || (op.convolves != convolved::nothing && which == 0);
  return !is_image || where.step[0] == 1 || lane_count(x.type, x.extent[0]) == 1;
}

}  // namespace detail

/// Inserts copies so that every view is a layout of some buffer, every operand of a product, block or loop lies in
/// memory (a loop's and a user's function's without gaps, since these know nothing of what is outside, but for slices
/// that are read in their places), every part of a join is computed in the join's buffer, and every output is a node
/// that is computed straight into its final storage and read by nobody else. Joins in `from` are written in full
/// (`assemble`). `numbers`, if given, receives the new number of every node.
constexpr graph materialise(graph_view from, sequence<int>* numbers = nullptr) {
  graph to;
  to.reserve(from.size() + from.size() / 4);
  to.pool = sequence<std::uint64_t>(from.pool.begin(), from.pool.end());
  sequence<place> places;
  places.reserve(from.nodes.size() + from.nodes.size() / 4);
  sequence<place> const storage = storage_of(from);
  /// Inserts a node; `own` is the layout of its own storage.
  auto const put = [&](node const& n, const_span<int> operands, layout const& own) {
    int const id = to.insert(n.op, n.type, n.extent, n.attributes, operands);
    if (id < static_cast<int>(places.count)) return id;
    if (!op_table.entry[n.op].is_view) places.push_back({id, id, own});
    else
      places.push_back(*place_of_view(to.nodes.entry[id], places.entry[operands.start[0]],
                                      to.nodes.entry[operands.start[0]].extent));
    return id;
  };
  auto const copy = [&](int id, int mark) {
    int const operand[] = {id};
    return put(node{opcode_of<op::copy>, to[id].type, to[id].extent, static_cast<attribute>(mark), 0, 0}, operand,
               {0, contiguous_strides(to[id].extent)});
  };
  /// Whether the body of the loop `n` can read slices of the node `o` of the new graph, its operand number `which`,
  /// where they lie: of a view of an argument, or of a value with a buffer of its own, which lives on for that and
  /// must not be much larger.
  auto const is_read_in_place = [&](node const& n, int which, int o) {
    node const& x = to.nodes.entry[o];
    place const& p = places.entry[o];
    node const& root = to.nodes.entry[p.root];
    return op_table.entry[x.op].is_view && is_contiguous(places.entry[p.root].where, root.extent) &&
           (is_input(root) || root.extent.size() <= 2 * x.extent.size()) &&
           memory_of_slices(loop_of(words_at(to.pool, n.attributes)), static_cast<std::size_t>(which), p.where, x)
               .has_value();
  };
  /// Whether `n`, which does not read just any layout, can read the node `o` of the new graph
  /// as its operand number `which`.
  auto const fits = [&](node const& n, op_facts const& op, int o, int which) {
    place const& p = places.entry[o];
    shape const& extent = to.nodes.entry[o].extent;
    if (op.is_view) return op.project(n.attributes, p.where, extent, n.extent).has_value();
    node const& root = to.nodes.entry[p.root];
    if (!is_stored(root) && !is_input(root)) return false;
    if (op.is_loop) return is_contiguous(p.where, extent) || is_read_in_place(n, which, o);
    return op.is_opaque ? is_contiguous(p.where, extent)
                        : detail::lanes_are_neighbours(op, which, to.nodes.entry[o], p.where);
  };

  sequence<int> at = filled(from.nodes.size(), -1), operands;
  int const count = from.size();
  for (int id = 0; id < count; ++id) {
    node const& n = from.nodes.start[id];
    op_facts const& op = op_table.entry[n.op];
    const_span<int> const now = mapped(from, id, at, operands);
    if (op.is_view || op.is_product || op.is_block || op.is_loop)
      for (int which = 0; which < n.arity; ++which)
        if (int& o = operands.entry[which]; !fits(n, op, o, which)) o = copy(o, 0);
    at.entry[id] = put(n, now, storage.entry[id].where);
  }

  // A computed value under another shape is the same memory, so its own node can be the output.
  sequence<place> const home = storage_of(to);
  auto const storage_for = [&](int output) {
    int const id = at.entry[output];
    place const& p = places.entry[id];
    bool const same_memory = is_stored(to[p.root]) && home.entry[p.root].owner == p.root &&
                             to[id].extent.size() == to[p.root].extent.size() &&
                             is_contiguous(p.where, to[id].extent) && p.where.offset == 0;
    return same_memory ? p.root : id;
  };
  sequence<int> uses = filled(static_cast<std::size_t>(to.size()), 0);  // by buffer
  for (node const& n : to.nodes)
    if (is_computed(n))
      for (int i = 0; i < n.arity; ++i)
        ++uses.entry[home.entry[places.entry[to.edges.entry[n.first_operand + i]].root].owner];
  for (int output : from.outputs) {  // a view of another output is copied out of that
    int const id = storage_for(output), root = places.entry[id].root;
    ++uses.entry[is_stored(to[root]) ? home.entry[root].owner : id];
  }
  int slot = 0;
  for (int output : from.outputs) {
    int const id = storage_for(output);
    // Sums may be accumulated into a caller's storage; other reductions may not, so they end in a copy.
    bool const direct =
        is_stored(to[id]) && uses.entry[id] == 1 && home.entry[id].owner == id && facts_of(to[id]).accumulates;
    to.outputs.push_back(direct ? id : copy(id, ++slot));
  }
  if (numbers != nullptr) *numbers = std::move(at);
  return to;
}

}  // namespace pass
ETCH_NAMESPACE_END
