// run_time_product: a product whose extents are known at run time alone, on the register tiles of all others.
#pragma once

#include <etch/machine/product_form.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// A matrix of run-time steps: entry (i, j) is at `entries[i * row + j * column]`.
template <class T>
struct strided_matrix {
  T* entries;
  std::int64_t row, column;

  T* at(std::int64_t i, std::int64_t j) const { return entries + i * row + j * column; }
  strided_matrix transposed() const { return {entries, column, row}; }
};

/// y = a b, or y += a b. Operands may have any steps; `y` overlaps neither. The order of additions is a function of
/// extents and steps, never of an address.
template <class T, vectors Set = machine_vectors>
class run_time_product {
  using matrix = strided_matrix<T const>;
  using target = strided_matrix<T>;

 public:
  /// Of m rows, n columns and k terms: a few terms of all sums at a time; of these, a strip of as many rows as a tile
  /// has. The product is added to `y` where it is to be `added`.
  static void run(target const& y, int m, int n, int k, matrix const& a, matrix const& b, bool added) {
    work_on_memory();
    for (int done = 0; done < k; done += terms, added = true) {
      matrix const right{b.at(done, 0), b.row, b.column};
      int const count = std::min(terms, k - done);
      for (int i = 0; i < m;) {
        matrix const left{a.at(i, done), a.row, a.column};
        target const to{y.at(i, 0), y.row, y.column};
        int const left_over = (m - i + width - 1) / width;
        if (left_over > 2)
          strip<highest>(to, std::min(m - i, highest * width), n, count, left, right, added), i += highest * width;
        else if (left_over == 2) strip<2>(to, m - i, n, count, left, right, added), i = m;
        else strip<1>(to, m - i, n, count, left, right, added), i = m;
      }
    }
  }

  /// Multiplies few long rows by few long columns, both of entries that adjoin.
  static void dots(target const& y, int m, int n, int k, matrix const& a, matrix const& b, bool added) {
    work_on_memory();
    if (m < n) return dots(y.transposed(), n, m, k, b.transposed(), a.transposed(), added);
    for (int j = 0; j < n; ++j) {
      int i = 0;
      for (; i + 4 <= m; i += 4) some_dots<4>(y.at(i, j), y.row, k, a.at(i, 0), a.row, b.at(0, j), added);
      for (; i < m; ++i) some_dots<1>(y.at(i, j), y.row, k, a.at(i, 0), a.row, b.at(0, j), added);
    }
  }

 private:
  using V = typename number_of_width<T, widest<T, Set>>::type;
  static constexpr int width = width_of<V>, columns = 4;
  static constexpr int highest = registers_of(Set) == 32 ? 4 : 3;  ///< registers down a tile
  static constexpr int terms = width == 1 ? 256 : 16384 / (highest * bytes_of_register(Set));  ///< of a packed strip

  template <int Rows>
  static void some_dots(T* y, std::int64_t y_row, int k, T const* a, std::int64_t a_row, T const* b, bool added) {
    work_on_memory();
    T made[Rows];
    dot_tile<V, Rows, 1, 4 / Rows>::run(a, a_row, b, 0, k, made, Rows);
    for (int i = 0; i < Rows; ++i, y += y_row) *y = added ? *y + made[i] : made[i];
  }

  /// A strip of A is read where it is if its rows adjoin, fill the tile, and few columns of B are waiting; else it is
  /// packed.
  template <int Registers>
  static void strip(target const& y, int rows, int n, int k, matrix const& a, matrix const& b, bool added) {
    work_on_memory();
    constexpr int height = Registers * width;
    alignas(64) T packed[height * terms + width];  // packing may write a register more
    T const* from = a.entries;
    std::int64_t a_step = a.column;
    if (a.row != 1 || rows < height || n > 8) {
      pack<height>(packed, rows, k, a);
      from = packed, a_step = height;
    }
    for (int j = 0; j < n; j += columns)
      tile<Registers>({y.at(0, j), y.row, y.column}, rows, std::min(columns, n - j), from, a_step,
                      {b.at(0, j), b.row, b.column}, k, added);
  }

  /// Rows of a strip side by side. Those that are missing hold finite numbers if the others do.
  template <int Height>
  static void pack(T* to, int rows, int k, matrix const& a) {
    work_on_memory();
    if constexpr (width > 1) {
      if (a.row == 1) return copy_panel<T, Height, panel_way{true, 1}, Set>(a.entries, 1, a.column, rows, k, to);
      if (a.column == 1 && std::min(rows, k) >= width)
        return copy_panel<T, Height, panel_way{false, width}, Set>(a.entries, a.row, 1, rows, k, to);
    }
    copy_panel<T, Height, panel_way{false, 1}, Set>(a.entries, a.row, a.column, rows, k, to);
  }

  /// One tile of up to four columns: straight to its place, or through memory where rows of `y` do not adjoin or a
  /// register would hold none of them.
  template <int Registers>
  static void tile(target const& y, int rows, int n, T const* a, std::int64_t a_step, matrix const& b, int k,
                   bool added) {
    work_on_memory();
    tile_operands<T> of{
        a, a_step, b.entries, b.row, b.column, k, y.entries, y.column, width, rows - (Registers - 1) * width, added};
    if (y.row == 1 && of.last_left > 0) return tiles<Registers>[n - 1](of);
    alignas(64) T sums[columns * Registers * width];
    of.to = sums, of.to_column = Registers * width, of.last_left = width, of.adds = false;
    tiles<Registers>[n - 1](of);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < rows; ++i) {
        T const made = sums[j * Registers * width + i];
        *y.at(i, j) = added ? *y.at(i, j) + made : made;
      }
  }
  /// A tile of few registers has several sums for each, so that none waits for itself.
  template <int Registers, int Columns>
  static constexpr auto tile_of =
      detail::shared_tile<Set, V, Registers, Columns, std::clamp(8 / (Registers * Columns), 1, 4), edge::none, false>;
  template <int Registers>
  static constexpr detail::tile_function<T> tiles[columns]{tile_of<Registers, 1>, tile_of<Registers, 2>,
                                                           tile_of<Registers, 3>, tile_of<Registers, 4>};
};

}  // namespace run
ETCH_NAMESPACE_END
