// axes: which axes of a graph's values run together, entry by entry, and along which of them the
// program can be cut into pieces.
#pragma once

#include <etch/rewrite/strided_slices.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The last axis with more than one entry; the first if there is none.
constexpr int slowest_axis(shape const& s) {
  int axis = max_rank - 1;
  while (axis > 0 && s[axis] == 1) --axis;
  return axis;
}

/// The axes of all values in classes that run together. An axis is a number: that of the node
/// times `max_rank`, and the axis.
class axes {
 public:
  constexpr explicit axes(graph_view g) : g_(g) {
    std::size_t const count = g.nodes.size() * max_rank;
    parent_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) parent_.push_back(static_cast<int>(i));
    whole_ = sequence<char>::zeros(count);
    for (int id = 0; id < g.size(); ++id) relate(id);
    for (int output : g.outputs) keep_all_but_slowest(output);
    for (int id = 0; id < g.size(); ++id) keep_twins(id);
  }

  /// The class of an axis, as one of its members; -1 if there is but one entry.
  constexpr int class_of(int id, int axis) { return extent(id, axis) > 1 ? find(id * max_rank + axis) : -1; }
  /// Whether every op takes the entries along the axes of this class one by one, or adds them up.
  constexpr bool can_be_cut(int of) const { return !whole_.entry[of]; }
  /// The axis of node `id` that is in class `of`; -1 if none is.
  constexpr int axis_in(int id, int of) {
    for (int axis = 0; axis < max_rank; ++axis)
      if (class_of(id, axis) == of) return axis;
    return -1;
  }

 private:
  graph_view g_;
  sequence<int> parent_;
  sequence<char> whole_;  // by class: whether it must stay whole

  constexpr int extent(int id, int axis) const { return g_[id].extent.extent.entry[axis]; }
  constexpr int find(int a) {
    int* const parent = parent_.begin();
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    return a;
  }
  constexpr void keep(int id, int axis) {
    if (extent(id, axis) > 1) whole_.entry[find(id * max_rank + axis)] = 1;
  }
  constexpr void keep_all(int id) {
    for (int axis = 0; axis < max_rank; ++axis) keep(id, axis);
  }
  /// Only what is cut along the slowest axis is contiguous.
  constexpr void keep_all_but_slowest(int id) {
    for (int axis = slowest_axis(g_[id].extent); axis > 0; --axis) keep(id, axis - 1);
  }
  constexpr void join(int id, int axis, int other, int other_axis) {
    if (extent(id, axis) == 1 || extent(other, other_axis) == 1) return;
    int const a = find(id * max_rank + axis), b = find(other * max_rank + other_axis);
    if (a == b) return;
    parent_.entry[a] = b;
    whole_.entry[b] |= whole_.entry[a];
  }
  /// Two axes of one value in one class cannot be cut at once.
  constexpr void keep_twins(int id) {
    for (int axis = 1; axis < max_rank; ++axis)
      for (int other = 0; other < axis; ++other)
        if (int const of = class_of(id, axis); of >= 0 && of == class_of(id, other)) whole_.entry[of] = 1;
  }

  constexpr void relate(int id) {
    node const& n = g_[id];
    op_facts const& op = facts_of(n);
    const_span<int> const from = g_.operands(id);
    if (op.is_elementwise || n.op == opcode_of<op::join>) {
      for (int each : from)
        for (int axis = 0; axis < max_rank; ++axis) join(id, axis, each, axis);
    } else if (op.is_reduction) {
      for (int axis = 0; axis < max_rank; ++axis) {
        if (!op::reduction::reduces(n.attributes, axis)) join(id, axis, from[0], axis);
        else if (n.op != opcode_of<op::sum>) keep(from[0], axis);
      }
    } else if (n.op == opcode_of<op::matmul>) {
      join(id, 0, from[0], 0);
      join(id, 1, from[1], 1);
      join(from[0], 1, from[1], 0);
      for (int axis = 2; axis < max_rank; ++axis)
        for (int each : from) join(id, axis, each, axis);
    } else if (op.is_product) {
      relate_convolution(id, from[0], from[1]);
    } else if (n.op == opcode_of<op::gather>) {
      relate_indexed(from[0], id, from[1], op::index_axis(n.attributes));
    } else if (n.op == opcode_of<op::scatter_add>) {
      relate_indexed(id, from[0], from[1], op::index_axis(n.attributes));
    } else if (op.is_view) {
      relate_view(id, from[0]);
    } else if (n.op == opcode_of<op::embed>) {
      for (int axis = 0; axis < max_rank; ++axis) {
        if (axis != region(n.attributes).axis) join(id, axis, from[0], axis);
        else keep(id, axis), keep(from[0], axis);
      }
    } else if (n.op == opcode_of<op::input>) {
      if (n.extent.rank == max_rank || !fills_registers(n.extent[0], n.type)) keep_all_but_slowest(id);
    } else {
      keep_all(id);
      for (int each : from) keep_all(each);
    }
  }

  /// Images of a batch are convolved one by one, and what they contribute to a kernel is added
  /// up. Only kernels have no batch.
  constexpr void relate_convolution(int id, int a, int b) {
    bool const gives_kernel = op_table.entry[g_[id].op].convolves == convolved::kernel;
    join(a, 0, gives_kernel ? b : id, 0);
    for (int axis = 0; axis < max_rank; ++axis) {
      if (axis > 0) keep(a, axis);
      if (axis > 0 || !gives_kernel) keep(b, axis);
      if (axis > 0 || gives_kernel) keep(id, axis);
    }
  }

  /// What `gather` picks out of `whole`, or `scatter_add` adds to it, runs with the indices.
  constexpr void relate_indexed(int whole, int picked, int indices, op::index_axis at) {
    keep(whole, at.axis);
    for (int axis = 0; axis < at.axis; ++axis) join(whole, axis, picked, axis);
    for (int axis = at.axis + 1; axis < g_[whole].extent.rank; ++axis) join(whole, axis, picked, axis - 1 + at.rank);
    for (int axis = 0; axis < at.rank; ++axis) join(indices, axis, picked, at.axis + axis);
  }

  /// An axis of a view runs with the axis of its operand along which it steps in memory, if
  /// it takes all of it in order.
  constexpr void relate_view(int id, int of) {
    layout const probe{0, {1, 1 << 10, 1 << 20, 1 << 30}};
    bool const is_reshape = g_[id].op == opcode_of<op::reshape>;
    strides const from = is_reshape ? contiguous_strides(g_[of].extent) : probe.step;
    strides const to = is_reshape
                           ? contiguous_strides(g_[id].extent)
                           : facts_of(g_[id]).project(g_[id].attributes, probe, g_[of].extent, g_[id].extent)->step;
    fixed<bool, max_rank> found{};
    for (int axis = 0; axis < max_rank; ++axis) {
      int other = 0;
      while (other < max_rank &&
             !(from.entry[axis] == to.entry[other] && extent(of, axis) == extent(id, other) && extent(of, axis) > 1))
        ++other;
      if (other == max_rank) {
        keep(of, axis);
      } else {
        join(id, other, of, axis);
        found.entry[other] = true;
      }
    }
    for (int axis = 0; axis < max_rank; ++axis)
      if (!found.entry[axis] && to.entry[axis] != 0) keep(id, axis);
  }
};

}  // namespace pass
ETCH_NAMESPACE_END
