// product_form: what a product's loops ask of it: numbers and the functions of its tiles, as constants or in a table.
#pragma once

#include <etch/machine/dot_tile.hpp>
#include <etch/machine/epilogue.hpp>
#include <etch/machine/panel.hpp>
#include <etch/machine/register_tile.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

namespace detail {

/// Numbers that the machine code of a product computed as `c` says depends on. `last` tells the last strip of rows,
/// which may be lower, or of columns, which may be narrower, from those before it; of one that does not exist numbers
/// are 0.
template <class T, vectors Set = machine_vectors>
struct product_form {
  pass::contraction c;
  bool terms_are_counted = false;  ///< whether their number is known at run time only, and is at most `c.k`

  constexpr int height() const { return static_cast<int>(c.inner ? c.packets : c.height()); }
  constexpr int rows(bool last) const { return last ? c.main_rows() % height() : height(); }
  constexpr int columns(bool last) const { return last ? c.n % c.columns : c.columns; }
  /// Whether there are strips before the last one; whether that one is lower, or narrower.
  constexpr bool has_rows(bool last) const { return last ? rows(true) != 0 : c.main_rows() >= height(); }
  constexpr bool has_columns(bool last) const { return last ? columns(true) != 0 : c.n >= c.columns; }
  constexpr bool has(bool last_rows, bool last_columns) const {
    return has_rows(last_rows) && has_columns(last_columns);
  }
  constexpr int registers(bool last) const { return c.inner ? rows(last) : (rows(last) + c.width - 1) / c.width; }
  /// Rows of the last register of a tile.
  constexpr int last_register(bool last) const { return rows(last) - (registers(last) - 1) * c.width; }
  // Columns of the tail that are computed at once, and registers of them.
  constexpr int tail_columns(bool last) const {
    int const all = c.tail_is_along_k() ? c.tail.columns : c.tail.columns * c.width;
    return last ? c.n % all : all;
  }
  constexpr int tail_registers(bool last) const { return (tail_columns(last) + c.width - 1) / c.width; }
  constexpr edge tail_edge(bool last) const {
    return tail_columns(last) % c.width == 0 ? edge::none : masks_are_free_in(Set) ? edge::masked : edge::shifted;
  }
  constexpr edge edge_of(bool last) const {
    return last_register(last) == c.width || c.pack_a              ? edge::none
           : c.m < c.width || c.in_parts || masks_are_free_in(Set) ? edge::masked
                                                                   : edge::shifted;
  }
  /// Whether tiles may store their sums where the result `stored` is, to which it may be added;
  /// else through memory of their own.
  constexpr bool is_direct(bool stored, bool accumulates) const {
    bool const adds = accumulates || c.k_block < c.k;
    return stored && !c.inner && !c.in_parts &&
           !(adds && (edge_of(false) == edge::shifted || (rows(true) != 0 && edge_of(true) == edge::shifted)));
  }
  /// Rows that the epilogue takes at once: of dots a register if there are as many, whatever runs along the terms.
  constexpr int rows_at_once() const { return !c.inner ? c.width : c.m < widest<T, Set> ? 1 : widest<T, Set>; }
  /// The least number of terms that are packed at once.
  constexpr int least_terms() const {
    if (terms_are_counted) return 1;
    return c.k % c.k_block != 0 ? c.k % c.k_block : c.k_block;
  }
  constexpr panel_way way_of_a(bool last) const {
    return panel_way_of<T, Set>(c.a[0], c.a[1], rows(last), least_terms());
  }
  constexpr panel_way way_of_b(bool last) const {
    return panel_way_of<T, Set>(c.b[1], c.b[0], columns(last), least_terms());
  }
};

}  // namespace detail

/// A product as constants, for one that is compiled for its own shape.
template <auto S, vectors Set = machine_vectors>
struct constant_product {
  static constexpr pass::contraction c = unpacked<S>.product;
  static_assert(c.tail.rows == 0, "a product of constants is too small for a tail");
  static constexpr bool is_constant = true, is_inner = c.inner, is_counted = false;
  using T = scalar_of<unpacked<S>.type>;
  static constexpr detail::product_form<T, Set> form{c};

  static constexpr int rows(bool last) { return form.rows(last); }
  static constexpr int columns(bool last) { return form.columns(last); }
  static constexpr bool may_have_rows(bool last) { return form.has_rows(last); }
  static constexpr bool may_have_columns(bool last) { return form.has_columns(last); }
  static constexpr int registers(bool last) { return form.registers(last); }
  static constexpr int last_register(bool last) { return form.last_register(last); }
  static constexpr bool is_direct = form.is_direct(stores_columns(unpacked<S>), unpacked<S>.out[0].accumulates);
  /// Whether a strip is the last one: here a constant, too.
  template <bool Last>
  using flag = std::bool_constant<Last>;
  template <class LastRows, class LastColumns>
  static constexpr int tile_entries =
      widest<T, Set> + form.registers(LastRows{}) * c.width * form.columns(LastColumns{});

  template <class LastRows, class LastColumns>
  [[gnu::always_inline]] static inline void tile(LastRows, LastColumns, tile_operands<T> const& of) {
    if constexpr (c.k >= 64 || Set != machine_vectors)
      compiled_for<Set>::template run<tile_apart<LastRows::value, LastColumns::value>, tile_operands<T> const&>(of);
    else tile_in_line<LastRows::value, LastColumns::value>(of);
  }
  template <class LastRows, class LastColumns>
  [[gnu::always_inline]] static inline void dots(LastRows, LastColumns, T const* a, std::ptrdiff_t a_row, T const* b,
                                                 std::ptrdiff_t b_column, T* sums, std::ptrdiff_t step) {
    using dots = dot_tile<V, form.registers(LastRows{}), form.columns(LastColumns{}), c.chains>;
    run_apart<dots, Set>(a, a_row, b, b_column, c.k, sums, step);
  }
  template <class Last>
  static void pack_a(Last, T const* from, int k, T* to) {
    copy_panel<T, form.registers(Last{}) * c.width, form.way_of_a(Last{}), Set>(from, c.a[0], c.a[1], form.rows(Last{}),
                                                                                k, to);
  }
  template <class Last>
  static void pack_b(Last, [[maybe_unused]] T const* from, [[maybe_unused]] int k, [[maybe_unused]] T* to) {
    if constexpr (c.pack_b)
      copy_panel<T, form.columns(Last{}), form.way_of_b(Last{}), Set>(from, c.b[1], c.b[0], form.columns(Last{}), k,
                                                                      to);
  }

 private:
  using V = typename number_of_width<T, c.width>::type;

  template <bool LastRows, bool LastColumns>
  [[gnu::always_inline]] static inline void tile_in_line(tile_operands<T> const& of) {
    register_tile<V, form.registers(LastRows), form.columns(LastColumns), c.chains, form.edge_of(LastRows),
                  c.pack_b ? 1 : c.b[1]>::run(of);
  }
  /// A long loop over k is a function of its own: where an epilogue followed it, compilers would keep the epilogue's
  /// constants in registers that the tile needs.
  template <bool LastRows, bool LastColumns>
  struct tile_apart {
    [[gnu::always_inline]] static inline void run(tile_operands<T> const& of) {
      tile_in_line<LastRows, LastColumns>(of);
    }
  };
};

namespace detail {

// The functions of tables depend on a tile alone, so that products of many shapes share them.

template <class T>
using tile_function = void (*)(tile_operands<T> const&);
template <vectors Set, class V, int Registers, int Columns, int Chains, edge Edge, bool ColumnsAdjoin>
inline constexpr tile_function<math::scalar_in<V>> shared_tile =
    compiled_for<Set>::template run<register_tile<V, Registers, Columns, Chains, Edge, ColumnsAdjoin>,
                                    tile_operands<math::scalar_in<V>> const&>;
template <class T>
using dots_function = void (*)(T const*, std::ptrdiff_t, T const*, std::ptrdiff_t, int, T*, std::ptrdiff_t);
template <vectors Set, class V, int Rows, int Columns, int Chains, class T>
inline constexpr dots_function<T> shared_dots =
    compiled_for<Set>::template run<dot_tile<V, Rows, Columns, Chains>, T const*, std::ptrdiff_t, T const*,
                                    std::ptrdiff_t, int, T*, std::ptrdiff_t>;

}  // namespace detail

/// A product as numbers and functions.
template <class T, bool Inner, vectors Set = machine_vectors>
struct product_table {
  static constexpr bool is_constant = false, is_inner = Inner, is_counted = false;
  pass::contraction c;
  bool is_direct = false;

  /// The table of the product of signature `S`.
  template <auto S>
  static constexpr product_table of() {
    product_table p;
    p.c = unpacked<S>.product;
    detail::product_form<T, Set> const form{p.c, unpacked<S>.counted == pass::contracted_counts};
    p.is_direct = form.is_direct(stores_columns(unpacked<S>), unpacked<S>.out[0].accumulates);
    for (bool last : {false, true})
      p.strip_[last] = {form.rows(last), form.columns(last), form.registers(last), form.last_register(last)};
    p.template take<S, false, false>();
    p.template take<S, false, true>();
    p.template take<S, true, false>();
    p.template take<S, true, true>();
    if constexpr (!Inner && unpacked<S>.product.tail.rows != 0) {
      p.template take_tail<S, false>();
      p.template take_tail<S, true>();
    }
    return p;
  }

  constexpr int rows(bool last) const { return strip_[last].rows; }
  constexpr int columns(bool last) const { return strip_[last].columns; }
  static constexpr bool may_have_rows(bool) { return true; }
  static constexpr bool may_have_columns(bool) { return true; }
  constexpr int registers(bool last) const { return strip_[last].registers; }
  constexpr int last_register(bool last) const { return strip_[last].last_register; }
  template <bool Last>
  using flag = bool;
  template <class, class>
  static constexpr int tile_entries = (registers_of(Set) + 1) * widest<T, Set>;

  void tile(bool last_rows, bool last_columns, tile_operands<T> const& of) const { tile_[last_rows][last_columns](of); }
  void dots(bool last_rows, bool last_columns, T const* a, std::ptrdiff_t a_row, T const* b, std::ptrdiff_t b_column,
            T* sums, std::ptrdiff_t step) const {
    dots_[last_rows][last_columns](a, a_row, b, b_column, c.k, sums, step);
  }
  int tail_columns(bool last) const { return tail_columns_[last]; }
  /// Sums of the tail's rows, which are `a_row` entries apart in A and their terms `a_term`, in one strip of columns:
  /// in `sums` the rows of a column adjoin, and so do columns.
  void tail(bool last, T const* a, std::ptrdiff_t a_row, std::ptrdiff_t a_term, T const* b, T* sums) const {
    if (c.tail_is_along_k()) return dots_[1][last](a, a_row, b, c.b[1], c.k, sums, c.tail.rows);
    int const step = (tail_columns_[last] + c.width - 1) / c.width * c.width,
              last_register = tail_columns_[last] - step + c.width;
    T memory[tile_entries<void, void>];
    T* const by_rows = c.tail.rows == 1 ? sums : memory + widest<T, Set>;
    tail_tile_[last]({b, c.b[0], a, a_term, a_row, c.k, by_rows, step, last_register, c.width, false});
    if (c.tail.rows > 1)
      for (int j = 0; j < tail_columns_[last]; ++j)
        for (int i = 0; i < c.tail.rows; ++i) sums[j * c.tail.rows + i] = by_rows[i * step + j];
  }
  void pack_a(bool last, T const* from, int k, T* to) const { pack_a_[last](from, c.a[0], c.a[1], rows(last), k, to); }
  void pack_b(bool last, T const* from, int k, T* to) const {
    pack_b_[last](from, c.b[1], c.b[0], columns(last), k, to);
  }

 private:
  struct numbers {
    int rows = 0, columns = 0, registers = 0, last_register = 0;
  };
  using packing = void (*)(T const*, std::ptrdiff_t, std::ptrdiff_t, int, int, T*);
  numbers strip_[2]{};
  detail::tile_function<T> tile_[2][2]{};
  detail::dots_function<T> dots_[2][2]{};
  packing pack_a_[2]{}, pack_b_[2]{};
  int tail_columns_[2]{};
  detail::tile_function<T> tail_tile_[2]{};

  template <auto S, bool Last>
  constexpr void take_tail() {
    constexpr pass::contraction way = unpacked<S>.product;
    constexpr detail::product_form<T, Set> form{way};
    using V = typename number_of_width<T, way.width>::type;
    tail_columns_[Last] = form.tail_columns(Last);
    if constexpr (form.tail_columns(Last) != 0 && way.tail_is_along_k())
      dots_[1][Last] = detail::shared_dots<Set, V, way.tail.rows, form.tail_columns(Last), way.tail.chains, T>;
    else if constexpr (form.tail_columns(Last) != 0)
      tail_tile_[Last] = detail::shared_tile<Set, V, form.tail_registers(Last), way.tail.rows, way.tail.chains,
                                             form.tail_edge(Last), false>;
  }
  template <auto S, bool LastRows, bool LastColumns>
  constexpr void take() {
    constexpr pass::contraction way = unpacked<S>.product;
    constexpr detail::product_form<T, Set> form{way, unpacked<S>.counted == pass::contracted_counts};
    if constexpr (form.has(LastRows, LastColumns)) {
      using V = typename number_of_width<T, way.width>::type;
      constexpr int rows = form.registers(LastRows), columns = form.columns(LastColumns);
      if constexpr (Inner) {
        dots_[LastRows][LastColumns] = detail::shared_dots<Set, V, rows, columns, way.chains, T>;
      } else {
        tile_[LastRows][LastColumns] = detail::shared_tile<Set, V, rows, columns, way.chains, form.edge_of(LastRows),
                                                           (way.pack_b || way.b[1] == 1)>;
        if constexpr (way.pack_a) pack_a_[LastRows] = copy_panel<T, rows * way.width, form.way_of_a(LastRows), Set>;
        if constexpr (way.pack_b) pack_b_[LastColumns] = copy_panel<T, columns, form.way_of_b(LastColumns), Set>;
      }
    }
  }
};

/// A product of which so many rows, columns, terms or matrices of a batch count as the program is told. Strips are
/// whole: what they compute beyond those is in memory that holds nothing else, and no epilogue sees it.
template <class T, bool Inner, vectors Set>
struct counted_product : product_table<T, Inner, Set> {
  static constexpr bool is_counted = true;
  int rows_counted = 0, columns_counted = 0, columns_in_all = 0;

  counted_product(product_table<T, Inner, Set> const& whole, int axis, int count)
      : product_table<T, Inner, Set>(whole) {
    pass::contraction& way = this->c;
    auto const up = [count](int step, int bound) { return std::min((count + step - 1) / step * step, bound); };
    columns_in_all = way.n;
    rows_counted = axis == 1 ? count : way.m;
    columns_counted = axis == 2 ? count : way.n;
    if (axis == 1) {
      int const main = way.main_rows();
      if (count <= main) way.tail.rows = 0;
      way.m = up(this->rows(false), main) + way.tail.rows;
    } else if (axis == 2) way.n = up(this->columns(false), way.n);
    else if (axis == pass::contracted_counts) way.k = count;
    else way.batch[static_cast<std::size_t>(axis - 3)] = count;
  }
};

}  // namespace run
ETCH_NAMESPACE_END
