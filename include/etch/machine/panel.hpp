// panel: a strip of a matrix copied to where the register tile reads it in order.
#pragma once

#include <etch/machine/dispatch.hpp>
#include <etch/machine/lanes.hpp>
#include <etch/machine/simd_transpose.hpp>

#include <algorithm>
#include <bit>

ETCH_NAMESPACE_BEGIN
namespace run {

namespace detail {

/// Rows from `first` on become columns. Behind the last row it stands again.
template <int Side, class T>
ETCH_DETAIL_INLINED void copy_square(T const* from, std::ptrdiff_t row, int first, int last, T* to,
                                     std::ptrdiff_t column) {
  simd_square<T, Side> entries;
  for (int r = 0; r < Side; ++r) entries.load(r, from + std::min(first + r, last) * row);
  entries.transpose();
  for (int r = 0; r < Side; ++r) entries.store(r, to + r * column);
}

}  // namespace detail

/// How rows become a panel.
struct panel_way {
  bool rows_adjoin = false;
  int side = 1;  ///< of the squares in which rows whose entries adjoin are transposed; 1 where it goes entry by entry
};
/// The way of `rows` rows of at least `terms` entries, rows `row` entries apart and entries `step`.
template <class T, vectors Set = machine_vectors>
constexpr panel_way panel_way_of(std::int64_t row, std::int64_t step, int rows, int terms) {
  if (row == 1 && widest<T, Set> > 1 && rows >= widest<T, Set> / 2) return {true, 1};
  int const side = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::min({rows, terms, widest<T, Set>}))));
  return {false, step == 1 && side * static_cast<int>(sizeof(T)) >= 16 ? side : 1};
}

/// Copies `rows` rows of `k` entries so that to[p * Height + r] is entry p of row r. Rows from `rows` to
/// `Height` hold finite numbers if the others do; up to a register more is written behind the panel. Rows are
/// `row` entries apart and entries `step`.
template <class T, int Height, panel_way Way, vectors Set = machine_vectors>
struct panel {
  [[gnu::always_inline]] static inline void run(T const* from, std::ptrdiff_t row, std::ptrdiff_t step, int rows, int k,
                                                T* to) {
    constexpr int side = Way.side, width = widest<T, Set>;
    using V = lanes<T, width>;
    if constexpr (Way.rows_adjoin) {
      for (int p = 0; p < k; ++p, from += step, to += Height) {
        int r = 0;
        if (rows == Height)
          for (; r + width <= Height; r += width) V::load(from + r).store(to + r);
        else
          for (; r + width <= rows; r += width) V::load(from + r).store(to + r);
        if (r < rows) V::load(from + r, rows - r).store(to + r);
      }
    } else if constexpr (side > 1) {
      // Squares overlap at the end. What one writes beyond the panel's height, those after it write
      // over: they go from the last row up.
      for (int p = 0; p < k; p += side) {
        int const entry = std::min(p, k - side);
        for (int r = (Height - 1) / side * side; r >= 0; r -= side)
          detail::copy_square<side>(from + entry, row, r, rows - 1, to + std::ptrdiff_t{entry} * Height + r, Height);
      }
    } else {
      for (int p = 0; p < k; ++p)
        for (int r = 0; r < Height; ++r)
          to[std::ptrdiff_t{p} * Height + r] = from[std::min(r, rows - 1) * row + p * step];
    }
  }
};
/// The function that does so.
template <class T, int Height, panel_way Way, vectors Set = machine_vectors>
inline constexpr void (*copy_panel)(T const*, std::ptrdiff_t, std::ptrdiff_t, int, int, T*) =
    compiled_for<Set>::template run<panel<T, Height, Way, Set>, T const*, std::ptrdiff_t, std::ptrdiff_t, int, int, T*>;

}  // namespace run
ETCH_NAMESPACE_END
