// gemm: a product on register tiles, its epilogue computed on the tile before anything is stored.
#pragma once

#include <etch/machine/product_form.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// The loops over the tiles of a product `Product` (machine/product_form.hpp): C = A B, of which only
/// what the epilogue makes is stored.
template <class T, class Product, class Epilogue, vectors Set = machine_vectors>
class gemm_loops {
 public:
  [[gnu::always_inline]] inline gemm_loops(Product const& product, Epilogue& made, T* scratch)
      : p_(product), made_(made), scratch_(scratch) {}

  /// Computes all products of the batch.
  [[gnu::always_inline]] inline void run(T const* a, T const* b) {
    for (at_[3] = 0; at_[3] < p_.c.batch[1]; ++at_[3])
      for (at_[2] = 0; at_[2] < p_.c.batch[0]; ++at_[2]) {
        T const* const left = a + at_[2] * p_.c.a_batch[0] + at_[3] * p_.c.a_batch[1];
        T const* const right = b + at_[2] * p_.c.b_batch[0] + at_[3] * p_.c.b_batch[1];
        if constexpr (Product::is_inner) inner(left, right);
        else outer(left, right);
        if constexpr (!Product::is_inner && !Product::is_constant)
          if (p_.c.tail.rows != 0) tail(left, right);
      }
    made_.end();
  }

 private:
  static constexpr typename Product::template flag<false> before = std::false_type{};
  static constexpr typename Product::template flag<true> last = std::true_type{};
  Product const& p_;
  Epilogue& made_;
  T* const scratch_;
  outer_index at_{};

  /// Calls `f(before, i)` for every strip of rows from `i` to `end`, the last one by `f(last, i)` if it is lower. Of
  /// strips that a constant product does not have nothing is compiled.
  [[gnu::always_inline]] inline void each_strip_of_rows(int i, int end, auto f) {
    if constexpr (Product::may_have_rows(false))
      for (int const height = p_.rows(before); i + height <= end; i += height) f(before, i);
    if constexpr (Product::may_have_rows(true))
      if (i < end) f(last, i);
  }
  /// Calls `f` likewise for every strip of columns from `j` to `end`.
  [[gnu::always_inline]] inline void each_strip_of_columns(int j, int end, auto f) {
    if constexpr (Product::may_have_columns(false))
      for (int const width = p_.columns(before); j + width <= end; j += width) f(before, j);
    if constexpr (Product::may_have_columns(true))
      if (j < end) f(last, j);
  }

  /// The rows of a strip: of a constant product a constant.
  template <class LastRows>
  [[gnu::always_inline]] inline auto rows_of(LastRows rows) const {
    if constexpr (Product::is_constant) return count_of<Product::rows(LastRows{})>{};
    else return p_.rows(rows);
  }
  /// Hands `rows` of the strip of columns at `at_` to the epilogue.
  template <class Rows, class LastColumns>
  [[gnu::always_inline]] inline void finish(Rows rows, LastColumns columns, T const* sums, std::ptrdiff_t step,
                                            bool adds) {
    if constexpr (Product::is_constant && Set == machine_vectors)
      made_.finish(rows, Product::columns(LastColumns{}), at_, sums, step, adds);
    else if constexpr (Product::is_constant) finish_apart(rows, Product::columns(LastColumns{}), sums, step, adds);
    else if constexpr (Product::is_counted)
      finish_apart(std::min<int>(rows, p_.rows_counted - static_cast<int>(at_[0])),
                   std::min(p_.columns(columns), p_.columns_counted - static_cast<int>(at_[1])), sums, step, adds);
    else finish_apart(rows, p_.columns(columns), sums, step, adds);
  }
  struct finishing {
    template <class Rows>
    ETCH_DETAIL_INLINED static void run(Epilogue& made, Rows rows, int columns, outer_index const& at, T const* sums,
                                        std::ptrdiff_t step, bool adds) {
      made.finish(rows, columns, at, sums, step, adds);
    }
  };
  template <class Rows>
  [[gnu::always_inline]] inline void finish_apart(Rows rows, int columns, T const* sums, std::ptrdiff_t step,
                                                  bool adds) {
    compiled_for<Set>::template run<finishing, Epilogue&, Rows, int, outer_index const&>(made_, rows, columns, at_,
                                                                                         sums, step, adds);
  }

  // ---- outer form: registers run down a column of C ----

  /// A block of the product: columns from `j` to `end`, terms from `k` on, and its operands.
  struct block {
    int j, end, k, terms;
    T const *a, *b;
  };

  T* packed_b() const { return scratch_ + p_.c.packed_a(); }
  bool is_k_blocked() const { return p_.c.k_block < p_.c.k; }

  [[gnu::always_inline]] inline void outer(T const* a, T const* b) {
    auto const& c = p_.c;
    for (int j = 0; j < c.n; j += c.n_block) {
      int k = 0;
      do {
        block const of{j,
                       c.n_block < c.n ? std::min(j + c.n_block, c.n) : c.n,
                       k,
                       is_k_blocked() ? std::min(c.k_block, c.k - k) : c.k,
                       a + k * c.a[1],
                       b + k * c.b[0] + j * c.b[1]};
        if constexpr (!Product::is_constant) c.pack_a ? by_rows(of) : by_columns(of);
        else if constexpr (Product::c.pack_a) by_rows(of);
        else by_columns(of);
        k += c.k_block;
      } while (k < c.k);
    }
  }

  /// A strip of A at a time is packed; a block of B before, if it is.
  [[gnu::always_inline]] inline void by_rows(block const& of) {
    if (p_.c.pack_b)
      each_strip_of_columns(of.j, of.end, [&](auto columns, int j) __attribute__((always_inline)) {
        p_.pack_b(columns, column(of, j), of.terms, packed_column(of, j));
      });
    each_strip_of_rows(0, p_.c.main_rows(),
                       [&](auto rows, int i) __attribute__((always_inline)) { strip_of_rows(rows, of, i); });
  }
  template <class LastRows>
  void strip_of_rows(LastRows rows, block const& of, int i) {
    work_on_memory();
    p_.pack_a(rows, of.a + i * p_.c.a[0], of.terms, scratch_);
    each_strip_of_columns(of.j, of.end, [&](auto columns, int j) __attribute__((always_inline)) {
      packed_tile(rows, columns, of, i, j);
    });
  }
  template <class LastRows, class LastColumns>
  [[gnu::always_inline]] inline void packed_tile(LastRows rows, LastColumns columns, block const& of, int i, int j) {
    int const padded = p_.registers(rows) * p_.c.width;
    if (p_.c.pack_b) tile(rows, columns, of, i, j, scratch_, padded, packed_column(of, j), p_.columns(columns));
    else tile(rows, columns, of, i, j, scratch_, padded, column(of, j), p_.c.b[0]);
  }
  T const* column(block const& of, int j) const { return of.b + (j - of.j) * p_.c.b[1]; }
  T* packed_column(block const& of, int j) const { return packed_b() + std::ptrdiff_t{j - of.j} * of.terms; }

  /// A is read where it is; a strip of B at a time is packed, if it is.
  [[gnu::always_inline]] inline void by_columns(block const& of) {
    each_strip_of_columns(
        of.j, of.end, [&](auto columns, int j) __attribute__((always_inline)) { strip_of_columns(columns, of, j); });
  }
  template <class LastColumns>
  void strip_of_columns(LastColumns columns, block const& of, int j) {
    work_on_memory();
    auto const& c = p_.c;
    T const* b = column(of, j);
    if (c.pack_b) {
      p_.pack_b(columns, b, of.terms, packed_b());
      b = packed_b();
    }
    std::ptrdiff_t const b_step = c.pack_b ? p_.columns(columns) : c.b[0];
    each_strip_of_rows(0, c.main_rows(), [&](auto rows, int i) __attribute__((always_inline)) {
      tile(rows, columns, of, i, j, of.a + i * c.a[0], c.a[1], b, b_step);
    });
  }

  template <class LastRows, class LastColumns>
  void tile(LastRows rows, LastColumns columns, block const& of, int i, int j, T const* a, std::ptrdiff_t a_step,
            T const* b, std::ptrdiff_t b_step) {
    work_on_memory();
    auto const& c = p_.c;
    bool const adds = is_k_blocked() && !c.in_parts && of.k > 0;
    int const width = p_.last_register(rows);
    std::ptrdiff_t const b_column = c.pack_b ? 1 : c.b[1];
    at_[0] = i;
    at_[1] = j;
    if (p_.is_direct)
      return p_.tile(rows, columns,
                     {a, a_step, b, b_step, b_column, of.terms, made_.place(at_), made_.column(), width, width,
                      adds || Epilogue::accumulates});
    // Else through memory, where a loop can index them: the sums themselves stay in registers and
    // the epilogue is compiled once.
    int const step = p_.registers(rows) * c.width;
    alignas(64) T memory[Product::template tile_entries<LastRows, LastColumns>];
    T* const sums = c.in_parts ? packed_b() + c.packed_b() + std::ptrdiff_t{i} * c.n_block +
                                     std::ptrdiff_t{j - of.j} * p_.rows(before)
                               : memory + widest<T, Set>;
    p_.tile(rows, columns,
            {a, a_step, b, b_step, b_column, of.terms, sums, step, width, c.width, c.in_parts && of.k > 0});
    if (!c.in_parts || of.k + of.terms == c.k) finish(rows_of(rows), columns, sums, step, adds);
  }

  /// The last rows, where they are computed apart.
  void tail(T const* a, T const* b) {
    work_on_memory();
    auto const& c = p_.c;
    at_[0] = c.main_rows();
    a += at_[0] * c.a[0];
    std::ptrdiff_t row = c.a[0], term = c.a[1];
    if (c.packed_tail() != 0) {
      a = lined_up(c.tail.rows, a, row, term, scratch_);
      row = c.k;
    }
    alignas(64) T memory[Product::template tile_entries<void, void> + widest<T, Set>];
    T* const sums = memory + widest<T, Set>;
    int rows = c.tail.rows, count = c.n, all = c.n;
    if constexpr (Product::is_counted) {
      rows = std::min(rows, p_.rows_counted - static_cast<int>(at_[0]));
      count = p_.columns_counted;
      all = p_.columns_in_all;
    }
    int const width = p_.tail_columns(false);
    for (int j = 0; j < count; j += width) {
      p_.tail(j + width > all, a, row, term, b + j * c.b[1], sums);
      at_[1] = j;
      finish_apart(rows, std::min(width, count - j), sums, c.tail.rows, false);
    }
  }

  // ---- inner form: registers run along k ----

  [[gnu::always_inline]] inline void inner(T const* a, T const* b) {
    auto const& c = p_.c;
    if (c.pack_a) a = lined_up(c.m, a, c.a[0], c.a[1], scratch_);
    if (c.pack_b) b = lined_up(c.n, b, c.b[1], c.b[0], packed_b());
    if constexpr (Product::is_constant) {
      static constexpr int together = Product::rows(false) * Epilogue::width, rest = Product::c.m % together;
      for (int i = 0; i + together <= c.m; i += together) rows_of_dots(count_of<together>{}, a, b, i);
      if constexpr (rest != 0) rows_of_dots(count_of<rest>{}, a, b, c.m - rest);
    } else {
      int const together = p_.rows(before) * Epilogue::width;
      for (int i = 0; i < c.m; i += together) rows_of_dots(std::min(together, c.m - i), a, b, i);
    }
  }
  /// The tiles of `count` rows from `i` on: those of one strip of columns wait for each other, so that the epilogue
  /// takes registers of rows.
  template <class Rows>
  [[gnu::always_inline]] inline void rows_of_dots(Rows count, T const* a, T const* b, int i) {
    each_strip_of_columns(
        0, p_.c.n, [&](auto columns, int j) __attribute__((always_inline)) { dots(count, columns, a, b, i, j); });
  }
  template <class Rows, class LastColumns>
  void dots(Rows count, LastColumns columns, T const* a, T const* b, int i, int j) {
    work_on_memory();
    auto const& c = p_.c;
    int const step = whole_registers(count);
    alignas(64) T sums[most_dots<Rows, LastColumns>()];
    for (int q = 0; q < p_.columns(columns); ++q)  // what fills up the last register
      for (int r = count; r < step; ++r) sums[q * step + r] = 0;
    std::ptrdiff_t const a_row = c.pack_a ? c.k : c.a[0], b_column = c.pack_b ? c.k : c.b[1];
    each_strip_of_rows(0, count, [&](auto rows, int r) __attribute__((always_inline)) {
      p_.dots(rows, columns, a + (i + r) * a_row, a_row, b + j * b_column, b_column, sums + r, step);
    });
    at_[0] = i;
    at_[1] = j;
    finish(count, columns, sums, step, false);
  }
  static constexpr int whole_registers(int rows) {
    return (rows + Epilogue::width - 1) / Epilogue::width * Epilogue::width;
  }
  template <class Rows, class LastColumns>
  static constexpr int most_dots() {
    if constexpr (Product::is_constant) return whole_registers(Rows::value) * Product::columns(LastColumns{});
    else return Product::template tile_entries<void, void>;
  }

  /// Copies `count` vectors of length k that are `vector` entries apart, so that their entries adjoin.
  T const* lined_up(int count, T const* from, std::ptrdiff_t vector, std::ptrdiff_t step, T* to) const {
    int const length = p_.c.k;
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < length; ++k) to[std::ptrdiff_t{i} * length + k] = from[i * vector + k * step];
    return to;
  }
};

namespace detail {

/// One function for all large products of a type with one epilogue.
template <vectors Set, class T, class Product, class Epilogue>
[[gnu::noinline]] void shared_gemm(Product const& product, typename Epilogue::layout const& where,
                                   std::byte* const* pointers, std::byte const* a, std::byte const* b,
                                   std::byte* scratch) {
  work_on_memory();
  Epilogue made(pointers, where);
  gemm_loops<T, Product, Epilogue, Set>(product, made, reinterpret_cast<T*>(scratch))
      .run(reinterpret_cast<T const*>(a), reinterpret_cast<T const*>(b));
}

}  // namespace detail

/// Runs the product of signature `S`: a large one by the code that it shares with others, a
/// small one by code of its own shape.
template <auto S, vectors Set = machine_vectors>
struct gemm {
  static constexpr auto const& s = unpacked<S>;
  static constexpr pass::contraction c = s.product;
  using T = scalar_of<s.type>;
  using V = typename number_of_width<T, detail::product_form<T, Set>{c}.rows_at_once()>::type;
  static constexpr bool is_large = s.counted != 0 || std::int64_t{c.m} * c.n * c.k * c.batch[0] * c.batch[1] > 4096;

  static void run(std::byte* const* pointers, std::byte const* a, std::byte const* b, std::byte* scratch) {
    if constexpr (s.counted != 0) {
      using product = counted_product<T, c.inner, Set>;
      product const counted(table, s.counted, static_cast<int>(counted_in(s, pointers)));
      detail::shared_gemm<Set, T, product, epilogue<pack_signature<shared>(), V>>(counted, where, pointers, a, b,
                                                                                  scratch);
    } else if constexpr (is_large) {
      using product = product_table<T, c.inner, Set>;
      detail::shared_gemm<Set, T, product, epilogue<pack_signature<shared>(), V>>(table, where, pointers, a, b,
                                                                                  scratch);
    } else {
      using product = constant_product<S, Set>;
      using epilogue = run::epilogue<S, V, constant_layout<S>>;
      static constexpr constant_layout<S> constants{};
      epilogue made(pointers, constants);
      gemm_loops<T, product, epilogue, Set>(product{}, made, reinterpret_cast<T*>(scratch))
          .run(reinterpret_cast<T const*>(a), reinterpret_cast<T const*>(b));
    }
  }

 private:
  static constexpr auto shared = without_layout(s);
  static constexpr auto where = layout_of(s);
  static constexpr auto table = product_table<T, c.inner, Set>::template of<S>();
};

}  // namespace run
ETCH_NAMESPACE_END
