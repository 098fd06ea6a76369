// substitution: solves with a small triangle for as many right sides as two registers have lanes.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/machine/body.hpp>
#include <etch/machine/dispatch.hpp>
#include <etch/machine/simd_transpose.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace run {

/// T X = B in place, for a triangle of at most `Rows` rows (op/linalg/level_3.hpp). Right sides lie across registers;
/// of four rows at a time the sums stay there.
template <class T, int Rows, vectors Set>
class substitution {
  using V = typename number_of_width<T, widest<T, Set>>::type;
  static constexpr int width = width_of<V>, columns = 2 * width, height = 4;

 public:
  ETCH_DETAIL_INLINED static void run(block<T> const& x, block<T const> const& t, bool upper, bool unit) {
    int const n = t.extent[0], last = n - 1;
    // An upper triangle, read from its last row and column on, is a lower one.
    triangle const of{upper ? &t(last, last) : t.data, upper ? -t.step[0] : t.step[0], upper ? -t.step[1] : t.step[1],
                      unit};
    alignas(64) T rows[Rows * columns];
    for (int j = 0; j < x.extent[1]; j += columns) {
      int const count = std::min(columns, x.extent[1] - j);
      copy<true>(rows, x, j, count);
      T* const first = upper ? rows + last * columns : rows;
      std::ptrdiff_t const step = upper ? -columns : columns;
      int i = 0;
      for (; i + height <= n; i += height) solve<height>(first, step, of, i);
      for (; i < n; ++i) solve<1>(first, step, of, i);
      copy<false>(rows, x, j, count);
    }
  }

 private:
  struct triangle {
    T const* entries;
    std::int64_t row, column;
    bool unit;
    ETCH_DETAIL_INLINED T operator()(int i, int k) const { return entries[i * row + k * column]; }
  };

  /// `Count` rows from `i` on, of which those before are solved.
  template <int Count>
  ETCH_DETAIL_INLINED static void solve(T* rows, std::ptrdiff_t step, triangle const& t, int i) {
    V sum[Count][2];
#pragma GCC unroll 4
    for (int r = 0; r < Count; ++r) sum[r][0] = V(T(0)), sum[r][1] = V(T(0));
    T const* solved = rows;
    for (int k = 0; k < i; ++k, solved += step) {
      V const left = read<V, 1>(solved, count_of<width>{}), right = read<V, 1>(solved + width, count_of<width>{});
#pragma GCC unroll 4
      for (int r = 0; r < Count; ++r) {
        V const factor(t(i + r, k));
        sum[r][0] = multiply_add(factor, left, sum[r][0]);
        sum[r][1] = multiply_add(factor, right, sum[r][1]);
      }
    }
    T* const to = rows + i * step;
#pragma GCC unroll 4
    for (int r = 0; r < Count; ++r) {
      V by(T(1));
      if (!t.unit) by = V(t(i + r, i + r));
#pragma GCC unroll 2
      for (int c = 0; c < 2; ++c) {
        T* const at = to + r * step + c * width;
        V const rest = read<V, 1>(at, count_of<width>{}) - sum[r][c];
        V const x = t.unit ? rest : rest / by;
        write(x, at, count_of<width>{});
#pragma GCC unroll 4
        for (int s = r + 1; s < Count; ++s) sum[s][c] = multiply_add(V(t(i + s, i + r)), x, sum[s][c]);
      }
    }
  }

  /// Copies `count` columns of `x` from `j` on, row by row, to `rows`, or back. Columns that are missing are 0.
  template <bool There>
  ETCH_DETAIL_INLINED static void copy(T* rows, block<T> const& x, int j, int count) {
    int const n = x.extent[0];
    int i = 0;
    if constexpr (width > 1) {
      if (count == columns && x.step[1] == 1) {
        for (; i < n; ++i) {
          T *const to = rows + i * columns, *const at = &x(i, j);
          for (int q = 0; q < columns; q += width)
            There ? V::load(at + q).store(to + q) : V::load(to + q).store(at + q);
        }
      } else if (count == columns && x.step[0] == 1) {
        for (; i + width <= n; i += width)
          for (int q = 0; q < columns; q += width) turn<There>(rows + i * columns + q, &x(i, j + q), x.step[1]);
      }
    }
    for (; i < n; ++i)
      for (int q = 0; q < columns; ++q) {
        T& packed = rows[i * columns + q];
        if constexpr (There) packed = q < count ? x(i, j + q) : T(0);
        else if (q < count) x(i, j + q) = packed;
      }
  }
  /// A square of as many rows as a register has lanes: columns at `at`, `column` entries apart, are rows at `row`.
  template <bool There>
  ETCH_DETAIL_INLINED static void turn(T* row, T* at, std::int64_t column) {
    simd_square<T, width> entries;
#pragma GCC unroll 16
    for (int r = 0; r < width; ++r) entries.load(r, There ? at + r * column : row + r * columns);
    entries.transpose();
#pragma GCC unroll 16
    for (int r = 0; r < width; ++r) entries.store(r, There ? row + r * columns : at + r * column);
  }
};

}  // namespace run
ETCH_NAMESPACE_END
