// one_hot: labels as columns of an identity matrix.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI {

/// Column j is 1 in row `labels[j]` and 0 elsewhere: `[N, batch]` from integer labels `[batch]`. A label outside 0 ... N-1 gives a column
/// of zeros.
template <int N, scalar T = float, static_handle Labels>
constexpr auto one_hot(Labels const& labels) {
  static_assert(!std::is_floating_point_v<typename Labels::scalar_type>, "etch: one_hot takes integer labels");
  constexpr int batch = static_cast<int>(Labels::extent.size());
  auto const row = cast<T>(apply_to<op::reshape, make_shape(1, batch)>(labels));
  if (row.owner == nullptr) error::constants_belong_to_no_graph();
  graph& g = *row.owner;
  auto const index = make_expr<T, make_shape(N)>(&g, iota(g, element_of<T>, 0, N).id);
  return equal_to(index, row);
}

}  // namespace etch::inline ETCH_ABI
