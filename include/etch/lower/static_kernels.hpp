// static_kernels: the fused kernels of a program as a constant, from which every later step reads them.
#pragma once

#include <etch/lower/kernel.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// How many kernels there are, products among them, and the parts of all together.
struct kernel_counts {
  int kernels = 0, products = 0, inputs = 0, instructions = 0, results = 0;
  friend constexpr bool operator==(kernel_counts const&, kernel_counts const&) = default;
};

constexpr kernel_counts count_parts(const_span<kernel> kernels) {
  kernel_counts n{static_cast<int>(kernels.size())};
  for (kernel const& k : kernels) {
    n.products += k.head.computes == form::product;
    n.inputs += static_cast<int>(k.inputs.size());
    n.instructions += static_cast<int>(k.code.size());
    n.results += static_cast<int>(k.results.size());
  }
  return n;
}

/// Kernels in room for so many parts, one list for each kind of part. Heads of products, which are
/// large, have a list of their own.
template <kernel_counts Room>
struct static_kernels {
  struct ends {
    form computes{};
    element type{};
    int products = 0, inputs = 0, instructions = 0, results = 0;  ///< where the kernel's parts end in their lists
    shape space{};
    std::int64_t scratch = 0;
  };
  kernel_counts count{};
  fixed<ends, Room.kernels> kernel_ends{};
  fixed<kernel_head, Room.products> products{};
  fixed<access, Room.inputs> inputs{};
  fixed<instruction, Room.instructions> code{};
  fixed<result, Room.results> results{};

  constexpr explicit static_kernels(const_span<kernel> kernels) : count(count_parts(kernels)) {
    if (!fits()) return;
    int product = 0, input = 0, step = 0, out = 0;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      kernel const& from = kernels.start[k];
      if (from.head.computes == form::product) products.entry[product++] = from.head;
      for (access const& each : from.inputs) inputs.entry[input++] = each;
      for (instruction const& each : from.code) code.entry[step++] = each;
      for (result const& each : from.results) results.entry[out++] = each;
      kernel_ends.entry[k] = {from.head.computes, from.head.type,   product, input, step, out,
                              from.head.space,    from.head.scratch};
    }
  }
  constexpr bool fits() const {
    return count.products <= Room.products && count.inputs <= Room.inputs && count.instructions <= Room.instructions &&
           count.results <= Room.results && count.kernels <= Room.kernels;
  }

  constexpr kernel operator[](int k) const {
    ends const begin = k == 0 ? ends{} : kernel_ends.entry[k - 1], &end = kernel_ends.entry[k];
    kernel one{{},
               {inputs.entry + begin.inputs, inputs.entry + end.inputs},
               {code.entry + begin.instructions, code.entry + end.instructions},
               {results.entry + begin.results, results.entry + end.results}};
    if (end.computes == form::product) one.head = products.entry[begin.products];
    else
      one.head.computes = end.computes, one.head.space = end.space, one.head.type = end.type,
      one.head.scratch = end.scratch;
    return one;
  }
  /// All kernels, as they were fused,
  constexpr sequence<kernel> as_fused() const {
    sequence<kernel> kernels;
    kernels.reserve(static_cast<std::size_t>(count.kernels));
    for (int k = 0; k < count.kernels; ++k) kernels.push_back((*this)[k]);
    return kernels;
  }
  /// and in the order `order`.
  constexpr sequence<kernel> in_order(const_span<int> order) const {
    sequence<kernel> kernels;
    kernels.reserve(order.size());
    for (int k : order) kernels.push_back((*this)[k]);
    return kernels;
  }
};

}  // namespace pass
ETCH_NAMESPACE_END
