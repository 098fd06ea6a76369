// reads: which entries of its operands an entry of a node is computed from.
#pragma once

#include <etch/machine/interpret.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// The index of entry number `entry` of a value of shape `s`.
constexpr std::array<int, max_rank> index_of_entry(shape const& s, std::size_t entry) {
  std::array<int, max_rank> i{};
  for (int axis = 0; axis < max_rank; ++axis) {
    auto const extent = static_cast<std::size_t>(s[axis]);
    i[static_cast<std::size_t>(axis)] = static_cast<int>(entry % extent);
    entry /= extent;
  }
  return i;
}

/// Whether the kind of the op of `n` does not tell what an entry is computed from: of a factorisation, a convolution
/// and their like every entry is taken for computed from all entries of all operands.
constexpr bool reads_everything(node const& n) {
  op_facts const& op = facts_of(n);
  bool const is_plain_product = op.is_product && rules_of(n).compute == nullptr;
  return !op.is_view && !op.is_assembly && !op.is_elementwise && !op.is_reduction && !is_plain_product;
}

/// Calls `f(operand, entry)` for what entry `entry` of node `id` is computed from.
constexpr void for_each_read(graph_view g, int id, std::size_t entry, auto f) {
  node const& n = g[id];
  op_facts const& op = facts_of(n);
  auto const extent = [&](int o) -> shape const& { return g[g.operands(id)[static_cast<std::size_t>(o)]].extent; };
  std::array<int, max_rank> i = index_of_entry(n.extent, entry);
  auto const packed = [&](int o) { return layout{0, contiguous_strides(extent(o))}; };
  if (reads_everything(n)) {
    for (int o = 0; o < n.arity; ++o)
      for (std::size_t at = 0; at < static_cast<std::size_t>(extent(o).size()); ++at) f(o, at);
  } else if (op.is_view) {
    f(0, detail::offset_of(*op.project(n.attributes, packed(0), extent(0), n.extent), i));
  } else if (n.op == opcode_of<op::embed>) {
    region const where(n.attributes);
    int& along = i[static_cast<std::size_t>(where.axis)];
    along -= where.begin;
    if (along < 0 || along % where.step != 0 || along / where.step >= extent(0)[where.axis]) return;
    along /= where.step;
    f(0, detail::offset_of(packed(0), i));
  } else if (op.is_reduction) {
    shape reduced = extent(0);  // the entries of the operand that become this one
    for (int axis = 0; axis < max_rank; ++axis)
      if (n.extent[axis] == extent(0)[axis]) reduced[axis] = 1;
    std::size_t const first = detail::offset_of(packed(0), i);
    detail::for_each_entry(reduced,
                           [&](std::size_t, auto const& at) { f(0, first + detail::offset_of(packed(0), at)); });
  } else if (op.is_product) {
    auto const row = static_cast<std::size_t>(i[0]), column = static_cast<std::size_t>(i[1]),
               rows = static_cast<std::size_t>(extent(0)[0]), inner = static_cast<std::size_t>(extent(0)[1]);
    i[0] = i[1] = 0;  // what is left is the place in the batch
    std::size_t const left = detail::offset_of(detail::broadcast_layout(extent(0), n.extent), i),
                      right = detail::offset_of(detail::broadcast_layout(extent(1), n.extent), i);
    for (std::size_t k = 0; k < inner; ++k) f(0, left + row + k * rows), f(1, right + k + column * inner);
  } else {
    for (int o = 0; o < n.arity; ++o) f(o, detail::offset_of(detail::broadcast_layout(extent(o), n.extent), i));
  }
}

}  // namespace run
ETCH_NAMESPACE_END
