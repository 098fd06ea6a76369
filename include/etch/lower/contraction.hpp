// contraction: chooses, from shapes and strides alone, how a product is computed.
#pragma once

#include <etch/lower/register_tiling.hpp>

#include <bit>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The last rows of a product where they would fill little of a register that runs down C: they are computed after all
/// others, a few columns at a time, by registers along k where B's terms adjoin, else along the columns.
struct row_tail {
  int rows = 0, columns = 0;  ///< `columns` at once, or registers of them
  int chains = 1;             ///< as those of the tile
  friend constexpr bool operator==(row_tail const&, row_tail const&) = default;
};

/// How C[m,n] += sum over k of A[m,k] B[k,n] is computed. Two forms: `inner` false: a register holds entries of one
/// column of C, and the loop over k adds columns of A scaled by entries of B; `inner` true: a register holds terms
/// of one entry of C, summed at the end.
///
/// The outer form goes through blocks of `n_block` columns and `k_block` terms, through C in strips of one tile's
/// height, and along each strip from tile to tile. So a strip of A stays in the first cache and a block of B in the
/// second, and each is packed when it is needed.
struct contraction {
  int m = 1, n = 1, k = 1;
  fixed<std::int64_t, 2> a{}, b{};  ///< steps in entries: a[0] between rows of A, a[1] between its columns; likewise b
  bool transposed = false;          ///< whether Cᵀ = Bᵀ Aᵀ is computed instead (one row becomes one column)
  bool inner = false;
  bool pack_a = false, pack_b = false;  ///< whether an operand is first copied to where it is read in order
  int width = 1;                        ///< lanes of a register of the tile
  int packets = 1, columns = 1;         ///< the register tile: registers down (of the inner form, rows), columns right
  int chains = 1;                       ///< sums for each register, where one alone would wait for itself
  int k_block = 1, n_block = 1;         ///< of the outer form
  row_tail tail{};                      ///< of the outer form
  bool in_parts = false;      ///< whether sums over one block of k wait in scratch memory for those over the next
  fixed<int, 2> batch{1, 1};  ///< how many products, along two axes
  fixed<std::int64_t, 2> a_batch{}, b_batch{};  ///< steps in entries from one product's operands to the next's
  friend constexpr bool operator==(contraction const&, contraction const&) = default;

  constexpr bool tail_is_along_k() const { return b[0] == 1; }
  constexpr int main_rows() const { return m - tail.rows; }
  constexpr std::int64_t height() const { return std::int64_t{packets} * width; }
  /// Entries of scratch memory, each part rounded up to a cache line: packed operands and waiting sums. They allow for
  /// every tile up to `highest` rows, so that only a tail's rows depend on the width of a register.
  constexpr std::int64_t packed_a() const {
    return !pack_a ? 0 : rounded(inner ? std::int64_t{m} * k : std::min(highest, rounded(m)) * k_block);
  }
  constexpr std::int64_t packed_b() const {
    return !pack_b ? 0
                   : rounded(inner ? std::int64_t{k} * n
                                   : std::int64_t{k_block} * (pack_a ? n_block : std::min(n, 14)) + margin);
  }
  constexpr std::int64_t parts() const { return !in_parts ? 0 : rounded((m + std::max(highest, height())) * n_block); }
  /// The tail's rows of A, in the place of the others, once nothing needs those.
  constexpr std::int64_t packed_tail() const {
    return tail.rows == 0 || !tail_is_along_k() || a[1] == 1 ? 0 : rounded(std::int64_t{tail.rows} * k);
  }
  constexpr std::int64_t packed_entries() const { return std::max(packed_a() + packed_b() + parts(), packed_tail()); }
  static constexpr std::int64_t rounded(std::int64_t entries) { return (entries + 15) / 16 * 16; }
  static constexpr std::int64_t highest = 32;  ///< rows of a tile whose operand may be packed
  static constexpr std::int64_t margin = 16;   ///< entries that writing a register may touch beyond what it writes
};

namespace detail {

/// Whether A does not stay in the second cache.
constexpr bool is_far(contraction const& c, element type) {
  return std::int64_t{c.m} * c.k * bytes_of(type) > second_cache_bytes;
}

/// Chooses the blocks of an outer form, and which operands it packs. `stored`: sums over one block of
/// k can wait where the result goes.
constexpr void choose_blocks(contraction& c, element type, bool stored) {
  std::int64_t const size = bytes_of(type);
  bool const is_high = c.m > 64;
  // An operand that stays in the second cache is read in place where it can be: loads are issued early enough.
  std::int64_t const bytes_of_b = std::int64_t{c.k} * c.n * size;
  bool const far_b = bytes_of_b >= second_cache_bytes / 2;
  c.pack_a = c.m > 1 && (c.a[0] != 1 || (is_far(c, type) && c.n > 64));
  // A line of each of many rows of B, far from each other, fills the first cache and its table of pages.
  bool const far_apart = c.b[0] * size > 2048 && c.k >= 64 && c.m >= 256;
  c.pack_b = c.k > 1 && c.n > 1 && is_high && c.b[0] != 1 && (c.b[1] != 1 || far_apart);
  c.k_block = c.k;
  c.n_block = c.n;
  // A strip of 32 floats or 16 doubles across, as it is with the widest registers, fills the first cache.
  std::int64_t const longest = first_cache_bytes / 128;
  if (is_high && c.k > 2 * longest && (c.pack_a || far_b)) {
    c.k_block = static_cast<int>(quotient_up(c.k, quotient_up(c.k, longest)));
    c.in_parts = !stored;
  } else if (far_b && c.m > 1 && c.n > 1 && c.b[0] != 1 && c.b[1] == 1 && !c.pack_b && !(c.pack_a && is_high)) {
    // Tiles take a line from each row of B: of a block of rows that stays in the second cache, but of 128 at least.
    std::int64_t const rows = std::max<std::int64_t>(128, c.k / quotient_up(bytes_of_b, second_cache_bytes / 2));
    if (c.k > rows) {
      c.k_block = static_cast<int>(quotient_up(c.k, quotient_up(c.k, rows)));
      c.in_parts = !stored;
    }
  }
  std::int64_t const widest = second_cache_bytes / 2 / (c.k_block * size);
  if (c.pack_a && is_high && c.n > 2 * widest) {
    std::int64_t const blocks = quotient_up(c.n, widest);
    c.n_block = static_cast<int>(quotient_up(quotient_up(c.n, blocks), c.columns)) * c.columns;
  }
}

/// A way to compute a product, and its cost: vector operations, in half cycles, and entries to be packed.
struct costed_contraction {
  contraction way;
  std::int64_t cost = 0;
};

struct costed_tail {
  row_tail way;
  std::int64_t cost = std::numeric_limits<std::int64_t>::max();
};

/// The cheapest way to compute the last rows of `c` apart, if there may be one.
constexpr costed_tail tail_of(contraction const& c, element type, vectors set) {
  costed_tail best;
  int const rows = c.m % c.width, registers = registers_of(set);
  std::int64_t const nk = std::int64_t{c.n} * c.k;
  constexpr int most_rows = 6;  // four columns of them leave registers for the operands
  bool const is_worth_it = c.width > 1 && c.m > c.width && rows != 0 && rows <= most_rows && c.n >= c.width &&
                           c.k >= c.width && c.m * nk > 4096;
  if (!is_worth_it) return best;
  bool const stays_near = c.a[1] == 1 || std::int64_t{rows} * c.k * bytes_of(type) <= first_cache_bytes;
  if (c.tail_is_along_k() && stays_near) {
    int const columns = registers >= 32 ? 4 : 2, terms = static_cast<int>(quotient_up(c.k, c.width));
    int const chains = detail::chains(rows, columns, terms);
    std::int64_t const across = 4 * (std::bit_width(static_cast<unsigned>(c.width)) - 1);
    best = {{rows, columns, chains},
            terms * tiling_cost(rows, c.n, rows, columns, chains) + across * rows * c.n +
                (c.a[1] != 1 ? 4 * std::int64_t{rows} * c.k : 0)};
  } else if (!c.tail_is_along_k() && c.b[1] == 1) {
    for (int p = 1; p <= 8 && p * rows + p + 2 <= registers; ++p) {
      int const chains = detail::chains(p, rows, c.k);
      std::int64_t const cost =
          c.k * tiling_cost(quotient_up(c.n, c.width), rows, p, rows, chains) + 4 * std::int64_t{rows} * c.n;
      if (cost < best.cost) best = {{rows, p, chains}, cost};
    }
  }
  return best;
}

constexpr costed_contraction outer_form(contraction c, element type, bool stored, vectors set) {
  // Two or three rows are a register too, where they fill it or masks are free.
  bool const is_register = masks_are_free_in(set) || c.m * bytes_of(type) == 16;
  c.width = lane_count(type, c.m, set, is_register ? 2 : 4);
  bool const may_pack = c.a[0] != 1 || is_far(c, type);
  int const highest = may_pack   ? static_cast<int>(contraction::highest) / c.width
                      : c.n == 1 ? registers_of(set) - 4
                                 : 8;
  auto const tiling_of = [&](int rows) {
    return choose_tiling(static_cast<int>(quotient_up(rows, c.width)), c.n, c.k, set, highest);
  };
  tiling tile = tiling_of(c.m);
  if (costed_tail const tail = tail_of(c, type, set); tail.way.rows != 0) {
    tiling main = tiling_of(c.m - tail.way.rows);
    main.cost += quotient_up(tail.cost, c.k);
    if (main.cost < tile.cost) {
      tile = main;
      c.tail = tail.way;
    }
  }
  c.packets = tile.packets;
  c.columns = tile.columns;
  c.chains = tile.chains;
  choose_blocks(c, type, stored);
  std::int64_t const mk = std::int64_t{c.m} * c.k, kn = std::int64_t{c.k} * c.n, mn = std::int64_t{c.m} * c.n;
  bool const in_squares = c.m >= 4 && c.k >= 4;  // otherwise entry by entry
  return {c, c.k * tile.cost + (c.pack_a ? (in_squares ? mk : 4 * mk) : 0) +
                 (c.pack_b ? (c.b[1] == 1 ? kn : 4 * kn) : 0) + (c.transposed && c.width > 1 ? 4 * mn : 0)};
}

constexpr costed_contraction inner_form(contraction c, element type, vectors set) {
  c.inner = true;
  c.width = lane_count(type, c.k, set);
  c.pack_a = c.k > 1 && c.a[1] != 1;
  c.pack_b = c.k > 1 && c.b[0] != 1;
  c.packets = std::min(c.m, 4);
  c.columns = std::min(c.n, registers_of(set) >= 32 ? 4 : 2);
  c.k_block = c.k;
  c.n_block = c.n;
  std::int64_t const across = 4 * (std::bit_width(static_cast<unsigned>(c.width)) - 1),
                     terms = quotient_up(c.k, c.width), mk = std::int64_t{c.m} * c.k, kn = std::int64_t{c.k} * c.n;
  c.chains = chains(c.packets, c.columns, static_cast<int>(terms));
  return {c, terms * tiling_cost(c.m, c.n, c.packets, c.columns, c.chains) + across * c.m * c.n +
                 (c.pack_a ? 4 * mk : 0) + (c.pack_b ? 4 * kn : 0)};
}

/// The product whose result is the transpose.
constexpr contraction flipped(contraction c) {
  c.transposed = !c.transposed;
  std::swap(c.m, c.n);
  std::swap(c.a, c.b);
  std::swap(c.a[0], c.a[1]);
  std::swap(c.b[0], c.b[1]);
  return c;
}

}  // namespace detail

/// The cheapest way to the product of A (`m` by `k`) and B (`k` by `n`) with the given strides. `stored`: nothing is
/// made of the product, so that sums over a part of k can wait where the result goes. `set`: what it is compiled for.
constexpr contraction choose_contraction(element type, int m, int n, int k, strides const& a, strides const& b,
                                         bool stored, vectors set = machine_vectors) {
  contraction c;
  c.m = m;
  c.n = n;
  c.k = k;
  c.a = {a[0], a[1]};
  c.b = {b[0], b[1]};
  if (is_lanes(type)) return c;  // entries are registers already (`machine/points.hpp`)
  if (m == 1 && n > 1) c = detail::flipped(c);
  detail::costed_contraction best = detail::outer_form(c, type, stored, set);
  auto const consider = [&](detail::costed_contraction const& other) {
    if (other.cost < best.cost) best = other;
  };
  consider(detail::inner_form(c, type, set));
  if (c.m < 4 && c.n >= 4)
    consider(
        detail::outer_form(detail::flipped(c), type, stored, set));  // registers run along the rows of a low result
  return best.way;
}

/// Does so for all products of a batch, which `space` counts along its last two axes.
constexpr contraction contraction_of(element type, shape const& space, int k, strides const& a, strides const& b,
                                     bool stored, vectors set = machine_vectors) {
  contraction c = choose_contraction(type, space[0], space[1], k, a, b, stored, set);
  c.batch = {space[2], space[3]};
  c.a_batch = {a[2], a[3]};
  c.b_batch = {b[2], b[3]};
  if (c.transposed) std::swap(c.a_batch, c.b_batch);
  return c;
}

}  // namespace pass
ETCH_NAMESPACE_END
