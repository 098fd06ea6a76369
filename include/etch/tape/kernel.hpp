// kernel: computes one node of a tape's graph in memory, by a function for each op; what an op
// computes, its struct alone says.
#pragma once

#include <etch/tape/assemble.hpp>
#include <etch/tape/convolve.hpp>
#include <etch/tape/product.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// How the nodes of one op are computed: a loop over registers where the op is element-wise, else a function.
template <class T>
struct kernel {
  register_loop<T> loop = nullptr;
  status (*function)(node const&, strided_value const& y, const_span<strided_value> x) = nullptr;
  bool any_type = false;  ///< whether it serves labels and indices, too
  void (*add)(strided_value const& y,
              const_span<strided_value> x) = nullptr;  ///< y += what the op, of two operands, computes
};

namespace detail {

template <class Op>
struct op_tag {};
using values = const_span<strided_value>;

// Ops that move, make or pick entries have a function of their own; other ops have one for their kind.

template <class T>
status compute_op(op_tag<op::fill>, node const& n, strided_value const& y, values) {
  return fill(n, y), status::ok;
}
template <class T>
status compute_op(op_tag<op::iota>, node const&, strided_value const& y, values) {
  return iota(y), status::ok;
}
template <class T>
status compute_op(op_tag<op::copy>, node const&, strided_value const& y, values x) {
  return copy(y, x[0]), status::ok;
}
template <class T>
status compute_op(op_tag<op::cast>, node const&, strided_value const& y, values x) {
  return cast<T>(y, x[0]), status::ok;
}
template <class T>
status compute_op(op_tag<op::embed>, node const& n, strided_value const& y, values x) {
  return embed(region(n.attributes), y, x[0]), status::ok;
}
template <class T>
status compute_op(op_tag<op::join>, node const&, strided_value const& y, values x) {
  return join<T>(y, x), status::ok;
}
template <class T>
status compute_op(op_tag<op::gather>, node const& n, strided_value const& y, values x) {
  return gather_of_any_type<T>(n.attributes, y, x);
}
template <class T>
status compute_op(op_tag<op::scatter_add>, node const& n, strided_value const& y, values x) {
  return scatter_add<T>(n.attributes, y, x);
}
template <class T>
status compute_op(op_tag<op::random_uniform>, node const& n, strided_value const& y, values x) {
  return random_uniform<T>(n.attributes, y, x);
}
template <class T>
status compute_op(op_tag<op::matmul>, node const&, strided_value const& y, values x) {
  return product<T>(y, x[0], x[1]), status::ok;
}
template <class T, class Op>
  requires is_a<Op, reduction_kind>
status compute_op(op_tag<Op>, node const&, strided_value const& y, values x) {
  return reduce<Op, T>(y, x[0]), status::ok;
}
template <class T, class Op>
  requires requires { Op::gives; }
status compute_op(op_tag<Op>, node const& n, strided_value const& y, values x) {
  return convolve<Op, T>(sliding(n.attributes), y, x);
}
template <class T, class Op>
  requires(is_a<Op, block_kind> && !is_a<Op, opaque_kind>)
status compute_op(op_tag<Op>, node const& n, strided_value const& y, values x) {
  return run_block<Op, T>(n.attributes, y, x);
}

/// Whether `Op` moves entries of labels and indices, too.
template <class Op>
inline constexpr bool moves_any_type = false;
template <>
inline constexpr bool moves_any_type<op::fill> = true;
template <>
inline constexpr bool moves_any_type<op::iota> = true;
template <>
inline constexpr bool moves_any_type<op::copy> = true;
template <>
inline constexpr bool moves_any_type<op::embed> = true;
template <>
inline constexpr bool moves_any_type<op::gather> = true;

/// The kernel of `Op`; none for inputs, views, loops and their results, for what is defined by
/// other ops, and for functions of the user's.
template <class Op, class T>
constexpr kernel<T> kernel_of() {
  kernel<T> k;
  if constexpr (requires(node const& n, strided_value const& y, values x) { compute_op<T>(op_tag<Op>{}, n, y, x); })
    k.function = [](node const& n, strided_value const& y, values x) { return compute_op<T>(op_tag<Op>{}, n, y, x); };
  else if constexpr (is_a<Op, elementwise_kind>) k.loop = registers<Op, T>;
  if constexpr (std::same_as<Op, op::matmul>)
    k.add = [](strided_value const& y, values x) { product<T>(y, x[0], x[1], true); };
  k.any_type = moves_any_type<Op>;
  return k;
}

}  // namespace detail

/// Whether nodes of this op are computed. Inputs and views have nothing to compute; loops and composites are for others
/// to take apart; functions of the user's the recorder calls.
constexpr bool has_kernel(node const& n) {
  op_facts const& op = facts_of(n);
  return n.op != opcode_of<op::input> && n.op != opcode_of<op::count> && !op.is_view && !op.is_loop && !op.is_result &&
         !op.is_composite && !op.is_opaque;
}

/// Computes the node `n` by the kernel `k` of its op from its operands, which may lie anywhere, into `y`: contiguous,
/// of the node's shape and element type, in memory that no operand overlaps (an operand of an element-wise op may be
/// `y` itself). Values of a tape have the floating type `T`; other element types are those of labels and indices, which
/// are constants, copied, put together, or picked. Anything else throws. Takes no heap memory beyond what the thread
/// keeps (base/spare_memory.hpp). Gives what became of an op that can fail on some values.
template <class T>
status compute(kernel<T> const& k, node const& n, strided_value const& y, const_span<strided_value> x) {
  if (!is_floating(n.type) && !k.any_type) error::tape_does_not_compute_with(name_of(n.type), facts_of(n).name);
  if (is_floating(n.type) && n.type != element_of<T>)
    error::tape_holds_one_floating_type(name_of(element_of<T>), name_of(n.type));
  if (k.loop != nullptr) return elementwise<T>(k.loop, y, x), status::ok;
  return k.function(n, y, x);
}

}  // namespace dynamic
ETCH_NAMESPACE_END
