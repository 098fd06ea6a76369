// panel: a strip of a matrix copied to where the register tile reads it in order.
#pragma once

#include <etch/run/lanes.hpp>
#include <etch/run/square.hpp>

#include <algorithm>
#include <bit>

namespace etch::inline ETCH_ABI::run {

namespace detail {

/// The side of the largest square that fits into `Most` by `Most` entries; 1 where there is none.
template <class T, int Most>
constexpr int square_side() {
  constexpr int side = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::min(Most, widest<T>))));
  return side * sizeof(T) >= 16 ? side : 1;
}

/// Rows from `first` on become columns. Behind the last row it stands again.
template <int Side, class T>
void copy_square(T const* from, std::ptrdiff_t row, int first, int last, T* to, std::ptrdiff_t column) {
  square<T, Side> entries;
  for (int r = 0; r < Side; ++r) entries.load(r, from + std::min(first + r, last) * row);
  entries.transpose();
  for (int r = 0; r < Side; ++r) entries.store(r, to + r * column);
}

}  // namespace detail

/// Copies `Rows` rows of `k` entries so that to[p * Height + r] is entry p of row r. Rows from `Rows` to `Height` hold finite numbers if
/// the others do; up to a register more is written behind the panel. Rows are `row` entries apart and entries `step`, one of them 1 at
/// best. `AtLeast` is the least `k` that occurs.
template <class T, int Height, int Rows, bool RowsAdjoin, bool EntriesAdjoin, int AtLeast>
[[gnu::noinline]] void copy_panel(T const* from, std::ptrdiff_t row, std::ptrdiff_t step, int k, T* to) {
  constexpr int side = EntriesAdjoin ? detail::square_side<T, std::min(Rows, AtLeast)>() : 1;
  constexpr int width = widest<T>;
  if constexpr (RowsAdjoin && width > 1 && Rows >= width / 2) {
    for (int p = 0; p < k; ++p, from += step, to += Height) {
      for (int r = 0; r + width <= Rows; r += width) lanes<T>::load(from + r).store(to + r);
      if constexpr (Rows % width != 0) {
        constexpr int whole = Rows / width * width;
        lanes<T>::template load<Rows - whole>(from + whole).store(to + whole);
      }
    }
  } else if constexpr (side > 1) {
    // Squares overlap at the end. What one writes beyond the panel's height, those after it write over: they go from the last row up.
    for (int p = 0; p < k; p += side) {
      int const entry = std::min(p, k - side);
      for (int r = (Height - 1) / side * side; r >= 0; r -= side)
        detail::copy_square<side>(from + entry, row, r, Rows - 1, to + std::ptrdiff_t{entry} * Height + r, Height);
    }
  } else {
    for (int p = 0; p < k; ++p)
      for (int r = 0; r < Height; ++r) to[std::ptrdiff_t{p} * Height + r] = from[std::min(r, Rows - 1) * row + p * step];
  }
}

}  // namespace etch::inline ETCH_ABI::run
