// contraction: chooses, from shapes and strides alone, how a product is computed.
#pragma once

#include <etch/core/element.hpp>
#include <etch/core/shape.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <limits>
#include <utility>

namespace etch::inline ETCH_ABI::pass {

/// How C[m,n] += sum over k of A[m,k] B[k,n] is computed. Two forms: `inner` false: a register holds entries of one column of C, and the
/// loop over k adds columns of A scaled by entries of B; `inner` true: a register holds terms of one entry of C, summed at the end.
struct contraction {
  int m = 1, n = 1, k = 1;
  fixed<std::int64_t, 2> a{}, b{};  ///< steps in entries: a[0] between rows of A, a[1] between its columns; likewise b
  bool transposed = false;          ///< whether Cᵀ = Bᵀ Aᵀ is computed instead (one row becomes one column)
  bool inner = false;
  bool pack_a = false, pack_b = false;          ///< whether an operand is first copied to where its vectors are contiguous
  int packets = 1, columns = 1;                 ///< the register tile: packets down, columns right
  fixed<int, 2> batch{1, 1};                    ///< how many products, along two axes
  fixed<std::int64_t, 2> a_batch{}, b_batch{};  ///< steps in entries from one product's operands to the next's
  friend constexpr bool operator==(contraction const&, contraction const&) = default;

  /// Entries of scratch memory for packed operands, each rounded up to a cache line.
  constexpr std::int64_t packed_entries() const {
    return (pack_a ? rounded(std::int64_t{m} * k) : 0) + (pack_b ? rounded(std::int64_t{k} * n) : 0);
  }
  static constexpr std::int64_t rounded(std::int64_t entries) { return (entries + 15) / 16 * 16; }
};

namespace detail {

constexpr int registers = sizeof(typename Eigen::internal::packet_traits<float>::type) == 64 ? 32 : 16;

/// Entries of one register in a loop over `n` entries: few entries are not worth one.
constexpr int lane_count(element type, std::int64_t n) {
  if (n < 4) return 1;
  if (type == element::f32) return static_cast<int>(sizeof(typename Eigen::internal::packet_traits<float>::type) / sizeof(float));
  return static_cast<int>(sizeof(typename Eigen::internal::packet_traits<double>::type) / sizeof(double));
}

constexpr std::int64_t quotient_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Half cycles for one step of k on a tile: two multiply-adds or two loads a cycle, at least the latency of one multiply-add, and the loop
/// itself.
constexpr std::int64_t tile_cost(std::int64_t packets, std::int64_t columns) {
  std::int64_t const products = packets * columns, loads = packets + columns, larger = products > loads ? products : loads;
  return (larger > 8 ? larger : 8) + 2;
}

/// Cost of one step of k over all tiles, edges included.
constexpr std::int64_t tiling_cost(std::int64_t rows, std::int64_t columns, int p, int c) {
  std::int64_t const full_rows = rows / p, rest_rows = rows % p, full_columns = columns / c, rest_columns = columns % c;
  std::int64_t cost = full_rows * full_columns * tile_cost(p, c);
  if (rest_rows != 0) cost += full_columns * tile_cost(rest_rows, c);
  if (rest_columns != 0) cost += full_rows * tile_cost(p, rest_columns);
  if (rest_rows != 0 && rest_columns != 0) cost += tile_cost(rest_rows, rest_columns);
  return cost;
}

/// Chooses the tile whose accumulators, with one column of A and one entry of B, fit into the registers: for every height the widest
/// one, and the one that splits the columns evenly.
constexpr std::int64_t choose_tile(contraction& c, int rows) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (int p = 1; p <= 8 && p <= rows; ++p) {
    int const widest = std::min({(registers - 1 - p) / p, 14, c.n});
    if (widest < 1) break;
    int const strips = (c.n + widest - 1) / widest;
    for (int q : {widest, (c.n + strips - 1) / strips})
      if (std::int64_t const cost = tiling_cost(rows, c.n, p, q); cost < best) {
        best = cost;
        c.packets = p;
        c.columns = q;
      }
  }
  return best;
}

}  // namespace detail

/// The cheaper form for the product of A (`m` by `k`) and B (`k` by `n`) with the given strides, by a count of vector operations and of
/// entries to be packed.
constexpr contraction choose_contraction(element type, int m, int n, int k, strides const& a, strides const& b) {
  contraction c;
  c.m = m;
  c.n = n;
  c.k = k;
  c.a = {a[0], a[1]};
  c.b = {b[0], b[1]};
  if (is_lanes(type)) return c;  // entries are registers already (`run/points.hpp`)
  if (c.m == 1 && c.n > 1) {
    c.transposed = true;
    std::swap(c.m, c.n);
    std::swap(c.a, c.b);
    std::swap(c.a[0], c.a[1]);
    std::swap(c.b[0], c.b[1]);
  }
  std::int64_t const mk = std::int64_t{c.m} * c.k, kn = std::int64_t{c.k} * c.n;

  contraction outer = c;
  outer.pack_a = c.m > 1 && c.a[0] != 1;
  std::int64_t const outer_cost =
      c.k * detail::choose_tile(outer, static_cast<int>(detail::quotient_up(c.m, detail::lane_count(type, c.m)))) +
      (outer.pack_a ? 2 * mk : 0);

  contraction inner = c;
  inner.inner = true;
  inner.pack_a = c.k > 1 && c.a[1] != 1;
  inner.pack_b = c.k > 1 && c.b[0] != 1;
  inner.packets = std::min(c.m, 4);
  inner.columns = std::min(c.n, detail::registers >= 32 ? 4 : 2);
  std::int64_t const per_step = detail::tiling_cost(c.m, c.n, inner.packets, inner.columns);
  std::int64_t const inner_cost = detail::quotient_up(c.k, detail::lane_count(type, c.k)) * per_step + 16 * std::int64_t{c.m} * c.n +
                                  (inner.pack_a ? 2 * mk : 0) + (inner.pack_b ? 2 * kn : 0);
  return inner_cost < outer_cost ? inner : outer;
}

/// The same for all products of a batch, which `space` counts along its last two axes.
constexpr contraction contraction_of(element type, shape const& space, int k, strides const& a, strides const& b) {
  contraction c = choose_contraction(type, space[0], space[1], k, a, b);
  c.batch = {space[2], space[3]};
  c.a_batch = {a[2], a[3]};
  c.b_batch = {b[2], b[3]};
  if (c.transposed) std::swap(c.a_batch, c.b_batch);
  return c;
}

}  // namespace etch::inline ETCH_ABI::pass
