// kernel: one step of a schedule as data: a loop over memory, a product with its epilogue, or a block.
#pragma once

#include <etch/lower/contraction.hpp>
#include <etch/lower/convolution.hpp>
#include <etch/lower/place.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The source of an operand of a kernel's body.
enum class source : std::uint8_t {
  memory,    ///< a buffer, through a layout
  constant,  ///< the value in `bits`
  index,     ///< a linear function of the position in the iteration space: the layout, evaluated
  tile,      ///< the product that this kernel computes
};

/// One operand of a kernel.
struct access {
  source from{};
  int root = -1;   ///< node whose buffer is read
  layout where{};  ///< over the axes of the iteration space
  element type{};
  attribute bits{};  ///< of a constant: its value; of a repetition's operand: whether its buffer is written over after
                     ///< the first step
  friend constexpr bool operator==(access const&, access const&) = default;
};

/// One element-wise operation of a kernel's body. Operand i >= 0 is the result of
/// instruction i; operand i < 0 is input ~i.
struct instruction {
  opcode op{};
  attribute bits{};
  fixed<int, 3> operand{};
};

/// One value that a kernel leaves in memory.
struct result {
  int value{};     ///< numbered as an instruction's operand
  int node = -1;   ///< node that it is
  int root = -1;   ///< node whose buffer holds it
  layout where{};  ///< over the axes of the iteration space; 0 along reduced axes
  element type{};
  bool reduces = false;
  opcode op{};  ///< of the reduction
  attribute axes{};
};

/// How a kernel computes: a loop runs its body at every point of `space`, a product at every entry of the product;
/// a block is a function of its own over whole operands, and its body is empty; a repetition runs a whole graph
/// again and again (`lower/loop_kernel.hpp`).
enum class form : std::uint8_t { elementwise, product, block, loop };

/// The `counted` of the space of a product of which a number of terms counts, not of entries.
inline constexpr int contracted_counts = max_rank + 1;

/// The `counted` of the space of a loop in whose steps so many entries count as the program is told; that of a loop of
/// points is 1 where so many points count.
inline constexpr int counts_in_steps = max_rank + 2;

/// Describes a kernel as a whole.
struct kernel_head {
  form computes = form::elementwise;
  shape space{};
  element type{};
  contraction product{};     ///< of a product: how it is computed,
  convolution sliding{};     ///< or this, where it is a convolution
  access a{}, b{};           ///< of a product: its operands
  std::int64_t scratch = 0;  ///< bytes that it needs while it runs
};

/// A kernel under construction: its head and its body.
struct kernel {
  kernel_head head{};
  sequence<access> inputs;
  sequence<instruction> code;
  sequence<result> results;
};

/// Whether kernels of this form read operands as a whole, by code of their own, and have no body of instructions.
constexpr bool reads_whole_operands(form f) { return f == form::block || f == form::loop; }

/// The node of the loop that the repetition `k` runs.
constexpr int loop_run_by(graph_view g, kernel const& k) { return g.operands(k.results.entry[0].node)[0]; }

/// Whether all that the product's kernel `k` leaves in memory is the product itself.
constexpr bool only_stores(auto const& k) {
  for (auto const& r : k.results)
    if (r.reduces || r.value >= 0 || k.inputs.entry[~r.value].from != source::tile) return false;
  return true;
}
/// Whether the kernel `k` with this head leaves a product in lanes and nothing else.
constexpr bool leaves_product_in_lanes(auto const& head, auto const& k) {
  return is_lanes(head.type) && head.computes == form::product && k.results.size() == 1 && only_stores(k);
}
constexpr bool leaves_product_in_lanes(kernel const& k) { return leaves_product_in_lanes(k.head, k); }

/// Calls `f(access)` for every buffer that kernel `k` reads, once or more for each.
constexpr void for_each_read(kernel const& k, auto f) {
  for (access const& a : k.inputs)
    if (a.from == source::memory) f(a);
  if (k.head.computes == form::product) f(k.head.a), f(k.head.b);
}

/// Calls `f(result)` for everything that kernel `k` leaves in memory.
constexpr void for_each_write(kernel const& k, auto f) {
  for (result const& r : k.results) f(r);
}

}  // namespace pass
ETCH_NAMESPACE_END
