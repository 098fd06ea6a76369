// Algorithms on matrices a block of rows and columns at a time, so that most of their work is products and solving with
// small triangles for many right sides: operations of the third level of the BLAS (J. Dongarra et al., A set of level 3
// basic linear algebra subprograms, 1990).
#pragma once

#include <etch/graph/block.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace op::blas {

/// Rows and columns of a block.
inline constexpr int block_rows = 32;

/// The product of columns `p` and `q` from row `first` to `end`, in several sums, which a compiler may compute side by
/// side.
template <class T>
[[gnu::always_inline]] constexpr T dot(block<T> const& x, int first, int end, int p, int q) {
  constexpr int abreast = 8;
  T sum = 0, sums[abreast]{};
  int i = first;
  for (; i + abreast <= end; i += abreast)
    for (int r = 0; r < abreast; ++r) sums[r] += x(i + r, p) * x(i + r, q);
  for (; i < end; ++i) sum += x(i, p) * x(i, q);
  for (T const each : sums) sum += each;
  return sum;
}

/// Which triangle of a matrix counts, and whether its diagonal is read or is ones.
struct triangle {
  bool upper, unit;
};

/// What the algorithms are made of, entry by entry. Kernels of large matrices hand over another such object, which
/// works on registers (machine/level_3.hpp).
struct plain_level_3 {
  /// y += a b. `y` overlaps neither.
  template <class T>
  [[gnu::always_inline]] static constexpr void add_product(block<T> const& y, block<T const> const& a,
                                                           block<T const> const& b) {
    for (int j = 0; j < b.extent[1]; ++j)
      for (int k = 0; k < b.extent[0]; ++k)
        for (int i = 0; i < a.extent[0]; ++i) y(i, j) += a(i, k) * b(k, j);
  }
  /// T X = B in place, for a triangle of at most `block_rows` rows; of registers for one of any size, whose entries may
  /// be numbers.
  template <class T, class Entry>
  [[gnu::always_inline]] static constexpr void substitute(block<T> const& x, block<Entry const> const& t, triangle of) {
    int const n = t.extent[0];
    for (int j = 0; j < x.extent[1]; ++j)
      for (int step = 0; step < n; ++step) {
        int const k = of.upper ? n - 1 - step : step;
        if (!of.unit) x(k, j) = x(k, j) / T(t(k, k));
        T const solved = x(k, j);
        for (int i = of.upper ? 0 : k + 1; i < (of.upper ? k : n); ++i) x(i, j) = x(i, j) - T(t(i, k)) * solved;
      }
  }
};

/// `rows` rows and `columns` columns of a matrix, from (i, j) on.
template <class T>
[[gnu::always_inline]] constexpr block<T> part(block<T> const& x, int i, int j, int rows, int columns) {
  return {x.data + i * x.step[0] + j * x.step[1], make_shape(rows, columns), x.step};
}
template <class T>
[[gnu::always_inline]] constexpr block<T> transposed(block<T> const& x) {
  block<T> y{x.data, make_shape(x.extent[1], x.extent[0]), x.step};
  std::swap(y.step[0], y.step[1]);
  return y;
}
template <class T>
[[gnu::always_inline]] constexpr block<T const> to_read(block<T> const& x) {
  return {x.data, x.extent, x.step};
}
template <class T>
[[gnu::always_inline]] constexpr void negate(block<T> const& x) {
  for (int j = 0; j < x.extent[1]; ++j)
    for (int i = 0; i < x.extent[0]; ++i) x(i, j) = -x(i, j);
}

/// Solves T X = B in place: `x` is B before and X after. Blocks of rows that are solved stay there with the opposite
/// sign until all are, so that those to come add their products.
template <class T, class Level3>
[[gnu::always_inline]] constexpr void solve_triangle(block<T> const& x, block<T const> const& t, triangle of,
                                                     Level3 const& level_3) {
  int const n = t.extent[0], columns = x.extent[1];
  if (n <= block_rows) return level_3.substitute(x, t, of);
  for (int done = 0; done < n; done += block_rows) {
    int const count = std::min(block_rows, n - done), first = of.upper ? n - done - count : done;
    block<T> const rows = part(x, first, 0, count, columns);
    if (done > 0) {
      int const others = of.upper ? first + count : 0;
      level_3.add_product(rows, part(t, first, others, count, done), to_read(part(x, others, 0, done, columns)));
    }
    level_3.substitute(rows, part(t, first, first, count, count), of);
    negate(rows);
  }
  negate(x);
}

}  // namespace op::blas
ETCH_NAMESPACE_END
