// materialise: inserts a copy wherever a value must stand in memory of its own but does not yet.
#pragma once

#include <etch/pass/assemble.hpp>
#include <etch/pass/contraction.hpp>

namespace etch::inline ETCH_ABI::pass {

namespace detail {

/// Whether operand `which` of a convolution, `x` at `where`, has its batch where a register can load it; true for all other ops.
constexpr bool lanes_are_neighbours(op_facts const& op, int which, node const& x, layout const& where) {
  bool const is_image = op.convolves == convolved::kernel || (op.convolves != convolved::nothing && which == 0);
  return !is_image || where.step[0] == 1 || lane_count(x.type, x.extent[0]) == 1;
}

}  // namespace detail

/// The same graph, in which every view is a layout of some buffer, every operand of a product, block or loop lies in memory (a loop's without
/// gaps, since its body knows nothing of what is outside), every part of a join
/// is computed in the join's buffer, and every output is a node that is computed straight into its final storage and read by nobody else.
/// Joins in `from` are written in full (`assemble`). `numbers`, if given, receives the new number of every node.
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
    if (id == static_cast<int>(places.size()))
      if (std::optional<place> const p = place_of(to, id, places, {id, id, own})) places.push_back(*p);
    return id;
  };
  auto const copy = [&](int id, int mark) {
    int const operand[] = {id};
    return put(node{opcode_of<op::copy>, to[id].type, to[id].extent, static_cast<attribute>(mark), 0, 0}, operand,
               {0, contiguous_strides(to[id].extent)});
  };

  sequence<int> at, operands;
  for (int id = 0; id < from.size(); ++id) {
    node const& n = from[id];
    op_facts const& op = facts_of(n);
    operands.clear();
    int which = 0;
    for (int operand : from.operands(id)) {
      int o = at.entry[operand];
      place const& p = places.entry[o];
      bool const in_memory = is_stored(to[p.root]) || is_input(to[p.root]);
      bool const fits = op.is_view                      ? op.project(n.attributes, p.where, to[o].extent, n.extent).has_value()
                        : op.is_product || op.is_block ? in_memory && detail::lanes_are_neighbours(op, which, to[o], p.where)
                        : op.is_loop                   ? in_memory && is_contiguous(p.where, to[o].extent)
                                                       : true;
      if (!fits) o = copy(o, 0);
      operands.push_back(o);
      ++which;
    }
    at.push_back(put(n, operands, storage.entry[id].where));
  }

  // A computed value under another shape is the same memory, so its own node can be the output.
  sequence<place> const home = storage_of(to);
  auto const storage_for = [&](int output) {
    int const id = at.entry[output];
    place const& p = places.entry[id];
    bool const same_memory = is_stored(to[p.root]) && home.entry[p.root].owner == p.root &&
                             to[id].extent.size() == to[p.root].extent.size() && is_contiguous(p.where, to[id].extent) &&
                             p.where.offset == 0;
    return same_memory ? p.root : id;
  };
  sequence<int> uses = filled(static_cast<std::size_t>(to.size()), 0);  // by buffer
  for (int id = 0; id < to.size(); ++id)
    if (is_computed(to[id]))
      for (int operand : to.operands(id)) {
        int const root = places.entry[operand].root;
        if (root >= 0) ++uses.entry[home.entry[root].owner];
      }
  for (int output : from.outputs) {  // a view of another output is copied out of that
    int const id = storage_for(output), root = places.entry[id].root;
    ++uses.entry[is_stored(to[root]) ? home.entry[root].owner : id];
  }
  int slot = 0;
  for (int output : from.outputs) {
    int const id = storage_for(output);
    // Sums may be accumulated into a caller's storage; other reductions may not, so they end in a copy.
    bool const direct = is_stored(to[id]) && uses.entry[id] == 1 && home.entry[id].owner == id && facts_of(to[id]).accumulates;
    to.outputs.push_back(direct ? id : copy(id, ++slot));
  }
  if (numbers != nullptr) *numbers = std::move(at);
  return to;
}

}  // namespace etch::inline ETCH_ABI::pass
