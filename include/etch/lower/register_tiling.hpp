// register_tiling: how many registers down and columns right of a product are computed at once.
#pragma once

#include <etch/base/machine.hpp>
#include <etch/graph/element.hpp>
#include <etch/graph/shape.hpp>

#include <algorithm>
#include <limits>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A register tile, and the cost of one step of k over all tiles that cover a product.
struct tiling {
  int packets = 1, columns = 1;
  int chains = 1;  ///< sums for each register
  std::int64_t cost = std::numeric_limits<std::int64_t>::max();
};

namespace detail {

/// Entries of one register in a loop over `n` entries: of the narrowest one that holds them, or of the
/// widest of `set`. Fewer than `least` entries are not worth one.
constexpr int lane_count(element type, std::int64_t n, vectors set = machine_vectors, int least = 4) {
  if (n < least) return 1;
  int const entry = static_cast<int>(bytes_of(type));
  int bytes = bytes_of_register(set);
  while (bytes > 16 && bytes / 2 >= n * entry) bytes /= 2;
  return std::max(bytes / entry, 1);
}

constexpr std::int64_t quotient_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// How many sums for each register of a tile keep two multiply-adds a cycle, of four cycles
/// each, from waiting for each other.
constexpr int chains(int packets, int columns, int k) {
  return std::clamp(std::min(8 / (packets * columns), k / 4), 1, 4);
}

/// Half cycles for one step of k on a tile: two multiply-adds or two loads a cycle, at least the latency of
/// one multiply-add, and the loop itself.
constexpr std::int64_t tile_cost(std::int64_t packets, std::int64_t columns, int chains) {
  return std::max({packets * columns, packets + columns, std::int64_t{8 / chains}}) + 2;
}

/// Cost of one step of k over all tiles, edges included.
constexpr std::int64_t tiling_cost(std::int64_t rows, std::int64_t columns, int p, int c, int chains) {
  std::int64_t const full_rows = rows / p, rest_rows = rows % p, full_columns = columns / c, rest_columns = columns % c;
  std::int64_t cost = full_rows * full_columns * tile_cost(p, c, chains);
  if (rest_rows != 0) cost += full_columns * tile_cost(rest_rows, c, chains);
  if (rest_columns != 0) cost += full_rows * tile_cost(p, rest_columns, chains);
  if (rest_rows != 0 && rest_columns != 0) cost += tile_cost(rest_rows, rest_columns, chains);
  return cost;
}

}  // namespace detail

/// Chooses the tile whose accumulators, with one column of A and one entry of B, fit into the registers of `set`: for
/// every height the widest one, and the one that splits the columns evenly. It has at most `highest` registers down. Of
/// a product by a vector, where every entry of A is read once, straight from memory, a tile is as high as there are
/// registers: the longer A is read along its columns, the faster.
constexpr tiling choose_tiling(int rows, int columns, int k, vectors set, int highest = 8) {
  tiling best;
  for (int p = 1; p <= (columns == 1 ? highest : std::min(highest, 8)) && p <= rows; ++p) {
    // Where there is no multiply-add, a product needs a register, too.
    int const others = (columns == 1 ? 1 : p) + (has_fma_in(set) ? 1 : 2);
    // One register of rows reads long columns of B from far, and the more of them at once, the better.
    int const widest = std::min({(registers_of(set) - others) / p, rows == 1 ? 24 : 14, columns});
    if (widest < 1) break;
    int const strips = (columns + widest - 1) / widest;
    for (int q : {widest, (columns + strips - 1) / strips}) {
      int const chains = detail::chains(p, q, k);
      if (std::int64_t const cost = detail::tiling_cost(rows, columns, p, q, chains); cost < best.cost)
        best = {p, q, chains, cost};
    }
  }
  return best;
}

}  // namespace pass
ETCH_NAMESPACE_END
