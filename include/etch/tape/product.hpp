// The matrix product of values of the tape: register tiles whose sizes are known at run time.
#pragma once

#include <etch/machine/body.hpp>
#include <etch/tape/elementwise.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

using math::multiply_add;

/// y = a b, or y += a b where it is to be `added`, matrix by matrix along the axes beyond the second. Operands may have
/// any steps. `y` is contiguous and overlaps neither of them.
/// The order of additions is a function of shapes and steps, never of an address.
template <class T>
class product {
 public:
  /// Entry (i, j) at `entries[i * row + j * column]`.
  struct matrix {
    T const* entries;
    std::int64_t row, column;

    matrix transposed() const { return {entries, column, row}; }
    T const* at(std::int64_t i, std::int64_t j) const { return entries + i * row + j * column; }
  };

  /// Where a product goes.
  struct target {
    T* entries;
    std::int64_t row, column;
  };

  product(strided_value const& y, strided_value const& a, strided_value const& b, bool added = false) {
    shape batch = y.extent;
    batch[0] = batch[1] = 1;
    strided_value const values[]{y, a, b};
    for (int l = 0; l < batch[3]; ++l)
      for (int k = 0; k < batch[2]; ++k) {
        T* const at[]{place(values[0], k, l), place(values[1], k, l), place(values[2], k, l)};
        matrix const left{at[1], a.where.step[0], a.where.step[1]}, right{at[2], b.where.step[0], b.where.step[1]};
        one(at[0], a.extent[0], b.extent[1], a.extent[1], left, right, added);
      }
  }

  /// y = a b, of m rows, n columns and k terms, or y += a b: a few terms of all sums at a time; of these, a
  /// strip of as many rows as a tile has.
  static void blocks(target const& y, int m, int n, int k, matrix const& a, matrix const& b, bool added) {
    for (int done = 0; done < k; done += terms, added = true) {
      matrix const right{b.at(done, 0), b.row, b.column};
      int const count = std::min(terms, k - done);
      for (int i = 0; i < m;) {
        matrix const left{a.at(i, done), a.row, a.column};
        target const to{y.entries + i * y.row, y.row, y.column};
        int const left_over = (m - i + width - 1) / width;
        if (left_over > 2)
          strip<highest>(to, std::min(m - i, highest * width), n, count, left, right, added), i += highest * width;
        else if (left_over == 2) strip<2>(to, m - i, n, count, left, right, added), i = m;
        else strip<1>(to, m - i, n, count, left, right, added), i = m;
      }
    }
  }

 private:
  using V = register_of<T>;
  static constexpr int width = width_of<V>, columns = 4;
  static constexpr int highest = register_bytes == 64 ? 4 : 3;  ///< registers down a tile
  static constexpr int terms =
      width == 1 ? 256 : 16384 / (highest * width * static_cast<int>(sizeof(T)));  ///< of a packed strip

  static T* place(strided_value const& x, int k, int l) {
    return x.first<T>() + (x.extent[2] == 1 ? 0 : k * x.where.step[2]) + (x.extent[3] == 1 ? 0 : l * x.where.step[3]);
  }

  /// One product, of m rows, n columns and k terms.
  static void one(T* y, int m, int n, int k, matrix const& a, matrix const& b, bool added) {
    if (a.column == 1 && b.row == 1 && k >= width && (n <= 2 || m <= 2)) return dots(y, m, n, k, a, b, added);
    if (m < width && m < n && b.column == 1) return blocks({y, m, 1}, n, m, k, b.transposed(), a.transposed(), added);
    blocks({y, 1, m}, m, n, k, a, b, added);
  }

  /// Few long rows times few long columns, both of entries that adjoin.
  static void dots(T* y, int m, int n, int k, matrix const& a, matrix const& b, bool added) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i, ++y) {
        T const made = dot(a.at(i, 0), b.at(0, j), k);
        *y = added ? *y + made : made;
      }
  }
  static T dot(T const* a, T const* b, int k) {
    auto const times = [&](int i, V sum) {
      return multiply_add(load_register<V>(a + i), load_register<V>(b + i), sum);
    };
    V first(T(0)), second(T(0)), third(T(0)), fourth(T(0));
    int i = 0;
    for (; i + 4 * width <= k; i += 4 * width) {
      first = times(i, first);
      second = times(i + width, second);
      third = times(i + 2 * width, third);
      fourth = times(i + 3 * width, fourth);
    }
    for (; i + width <= k; i += width) first = times(i, first);
    V const all = (first + second) + (third + fourth);
    T total;
    if constexpr (width == 1) total = all;
    else total = all.across([](auto x, auto y) { return x + y; });
    for (; i < k; ++i) total = multiply_add(a[i], b[i], total);
    return total;
  }

  /// A strip of A is read where it is if its rows adjoin, fill the tile, and few columns of B
  /// are waiting; else it is packed.
  template <int Registers>
  static void strip(target const& y, int rows, int n, int k, matrix const& a, matrix const& b, bool continued) {
    constexpr int height = Registers * width;
    alignas(64) T packed[height * terms];
    T const* from = a.entries;
    std::int64_t column = a.column;
    if (a.row != 1 || rows < height || n > 8) {
      pack<height>(packed, rows, k, a);
      from = packed, column = height;
    }
    for (int j = 0; j < n;) {
      target const to{y.entries + j * y.column, y.row, y.column};
      if (n - j > 1)
        tile<Registers, columns>(to, rows, std::min(columns, n - j), k, from, column, {b.at(0, j), b.row, b.column},
                                 continued);
      else tile<Registers, 1>(to, rows, 1, k, from, column, {b.at(0, j), b.row, b.column}, continued);
      j += columns;
    }
  }

  /// Rows of a strip side by side, those that are missing as zeros.
  template <int Height>
  static void pack(T* to, int rows, int k, matrix const& a) {
    if (a.row == 1) {
      for (int t = 0; t < k; ++t) {
        T const* const from = a.at(0, t);
        int i = 0;
        for (; i + width <= rows; i += width) store_register<V>(load_register<V>(from + i), to + t * Height + i);
        for (; i < Height; ++i) to[t * Height + i] = i < rows ? from[i] : T(0);
      }
    } else {
      for (int i = 0; i < Height; ++i)
        for (int t = 0; t < k; ++t) to[t * Height + i] = i < rows ? *a.at(i, t) : T(0);
    }
  }

  /// `Registers` registers down by `Columns` right, of which `rows` rows and `n` columns are stored.
  template <int Registers, int Columns>
  static void tile(target const& y, int rows, int n, int k, T const* a, std::int64_t a_column, matrix const& b,
                   bool continued) {
    V sum[Columns][Registers];
    std::int64_t column[Columns];
    for (int q = 0; q < Columns; ++q) column[q] = std::min(q, n - 1) * b.column;
    auto const each = [](auto f) __attribute__((always_inline)) {
      run::unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
        run::unrolled<Registers>([&](auto p) __attribute__((always_inline)) { f(q, p); });
      });
    };
    each([&](auto q, auto p) __attribute__((always_inline)) { sum[q][p] = V(T(0)); });
    T const* right = b.entries;
    for (; k > 0; --k, a += a_column, right += b.row) {
      V x[Registers];
      run::unrolled<Registers>([&](auto p) __attribute__((always_inline)) {
        x[p] = load_register<V>(a + p * width);
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
        if constexpr (width > 1) asm("" : "+v"(x[p].p));  // g++ 12 would load it once more for each column
#endif
      });
      run::unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
        V const factor(right[column[q]]);
        run::unrolled<Registers>(
            [&](auto p) __attribute__((always_inline)) { sum[q][p] = multiply_add(x[p], factor, sum[q][p]); });
      });
    }
    if (n == Columns && rows == Registers * width && y.row == 1) {
      each([&](auto q, auto p) __attribute__((always_inline)) {
        T* const to = y.entries + q * y.column + p * width;
        store_register<V>(continued ? load_register<V>(to) + sum[q][p] : sum[q][p], to);
      });
      return;
    }
    alignas(64) T made[Columns * Registers * width];
    each([&](auto q, auto p)
             __attribute__((always_inline)) { store_register<V>(sum[q][p], made + (q * Registers + p) * width); });
    for (int q = 0; q < n; ++q) store(y.entries + q * y.column, y.row, made + q * Registers * width, rows, continued);
  }

  /// A column of a tile.
  static void store(T* y, std::int64_t row, T const* made, int rows, bool continued) {
    int i = 0;
    if (row == 1)
      for (; i + width <= rows; i += width) {
        V const sum = load_register<V>(made + i);
        store_register<V>(continued ? load_register<V>(y + i) + sum : sum, y + i);
      }
    for (; i < rows; ++i) y[i * row] = continued ? y[i * row] + made[i] : made[i];
  }
};

}  // namespace dynamic
ETCH_NAMESPACE_END
