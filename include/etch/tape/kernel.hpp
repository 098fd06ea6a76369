// kernel: computes one node of a tape's graph in memory, by a function for each op; what an op
// computes, its struct alone says.
#pragma once

#include <etch/tape/assemble.hpp>
#include <etch/tape/convolve.hpp>

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

/// The kernel of `Op`; none for inputs, views, loops and their results, and for what is defined by other ops.
template <class Op, class T>
constexpr kernel<T> kernel_of() {
  using values = const_span<strided_value>;
  if constexpr (std::same_as<Op, op::fill>)
    return {nullptr, [](node const& n, strided_value const& y, values) { return fill(n, y), status::ok; }, true};
  else if constexpr (std::same_as<Op, op::iota>)
    return {nullptr, [](node const&, strided_value const& y, values) { return iota(y), status::ok; }, true};
  else if constexpr (std::same_as<Op, op::copy>)
    return {nullptr, [](node const&, strided_value const& y, values x) { return copy(y, x[0]), status::ok; }, true};
  else if constexpr (std::same_as<Op, op::cast>)
    return {nullptr, [](node const&, strided_value const& y, values x) { return cast<T>(y, x[0]), status::ok; }};
  else if constexpr (std::same_as<Op, op::embed>)
    return {nullptr,
            [](node const& n, strided_value const& y, values x) {
              return embed(region(n.attributes), y, x[0]), status::ok;
            },
            true};
  else if constexpr (std::same_as<Op, op::join>)
    return {nullptr, [](node const&, strided_value const& y, values x) { return join<T>(y, x), status::ok; }};
  else if constexpr (std::same_as<Op, op::gather>)
    return {nullptr,
            [](node const& n, strided_value const& y, values x) { return gather_of_any_type<T>(n.attributes, y, x); },
            true};
  else if constexpr (std::same_as<Op, op::scatter_add>)
    return {nullptr,
            [](node const& n, strided_value const& y, values x) { return scatter_add<T>(n.attributes, y, x); }};
  else if constexpr (std::same_as<Op, op::random_uniform>)
    return {nullptr,
            [](node const& n, strided_value const& y, values x) { return random_uniform<T>(n.attributes, y, x); }};
  else if constexpr (std::same_as<Op, op::matmul>)
    return {nullptr,
            [](node const&, strided_value const& y, values x) { return product<T>(y, x[0], x[1]), status::ok; }, false,
            [](strided_value const& y, values x) { product<T>(y, x[0], x[1], true); }};
  else if constexpr (is_a<Op, elementwise_kind>) return {registers<Op, T>, nullptr};
  else if constexpr (is_a<Op, reduction_kind>)
    return {nullptr, [](node const&, strided_value const& y, values x) { return reduce<Op, T>(y, x[0]), status::ok; }};
  else if constexpr (requires { Op::gives; })
    return {nullptr, [](node const& n, strided_value const& y, values x) {
              return convolve<Op, T>(sliding(n.attributes), y, x);
            }};
  else if constexpr (is_a<Op, block_kind>)
    return {nullptr,
            [](node const& n, strided_value const& y, values x) { return run_block<Op, T>(n.attributes, y, x); }};
  else return {};
}

}  // namespace detail

/// Whether nodes of this op are computed. Inputs and views have nothing to compute; loops and
/// composites are for others to take apart.
constexpr bool has_kernel(node const& n) {
  op_facts const& op = facts_of(n);
  return n.op != opcode_of<op::input> && !op.is_view && !op.is_loop && !op.is_result && !op.is_composite;
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
