// pressure: how much memory is in use by each kernel of a program, and how far that is above a budget.
#pragma once

#include <etch/lower/materialise.hpp>
#include <etch/lower/order.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A pruned graph and how it runs.
struct running_program {
  graph_view pruned, materialised;
  const_span<int> at;             ///< node of `materialised` for each of `pruned`; -1 for a part
  const_span<node_facts> values;  ///< of `materialised`, as what follows
  const_span<membership> of;
  const_span<int> buffer;         ///< lifetime of a node's buffer, -1 for one outside the workspace
  const_span<std::int64_t> live;  ///< bytes in use, by kernel

  constexpr std::int64_t most_live() const {
    std::int64_t most = 0;
    for (std::int64_t bytes : live) most = std::max(most, bytes);
    return most;
  }
};

/// Bytes above `budget`, summed over all kernels: it falls where a step helps, even if another
/// point of the program needs as much.
constexpr std::int64_t excess(const_span<std::int64_t> live, std::int64_t budget) {
  std::int64_t sum = 0;
  for (std::int64_t bytes : live) sum += std::max(bytes - budget, std::int64_t{0});
  return sum;
}

/// The node that `numbers` gives for each node of the graph that it was assembled and then materialised from.
constexpr sequence<int> numbers_in_materialised(graph_view pruned) {
  sequence<int> assembled, materialised;
  graph const whole = assemble(pruned, &assembled);
  materialise(whole, &materialised);
  for (int& id : assembled)
    if (id >= 0) id = materialised.entry[id];
  return assembled;
}

}  // namespace pass
ETCH_NAMESPACE_END
