// gemm: a product on register tiles, its epilogue computed on the tile before anything is stored.
#pragma once

#include <etch/run/product_form.hpp>

namespace etch::inline ETCH_ABI::run {

/// The loops over the tiles of a product `Product` (run/product_form.hpp): C = A B, of which only what the epilogue makes is stored.
template <class T, class Product, class Epilogue>
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
      }
    made_.end();
  }

 private:
  Product const& p_;
  Epilogue& made_;
  T* const scratch_;
  outer_index at_{};

  /// Hands the tile at `at_` to the epilogue.
  template <strip At>
  [[gnu::always_inline]] inline void finish(T const* sums, std::ptrdiff_t step, bool adds) {
    if constexpr (Product::is_constant)
      made_.finish(count_of<Product::rows(At.last_rows)>{}, p_.columns(At.last_columns), at_, sums, step, adds);
    else finish_apart(made_, p_.rows(At.last_rows), p_.columns(At.last_columns), at_, sums, step, adds);
  }
  [[gnu::noinline]] static void finish_apart(Epilogue& made, int rows, int columns, outer_index const& at, T const* sums, std::ptrdiff_t step,
                                             bool adds) {
    made.finish(rows, columns, at, sums, step, adds);
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
    for (int j = 0; j < c.n; j += c.n_block)
      for (int k = 0; k < c.k; k += c.k_block) {
        block const of{j, c.n_block < c.n ? std::min(j + c.n_block, c.n) : c.n, k, is_k_blocked() ? std::min(c.k_block, c.k - k) : c.k,
                       a + k * c.a[1], b + k * c.b[0] + j * c.b[1]};
        if (c.pack_a) by_rows(of);
        else by_columns(of);
      }
  }

  /// A strip of A at a time is packed; a block of B before, if it is.
  [[gnu::always_inline]] inline void by_rows(block const& of) {
    int const height = p_.rows(false), width = p_.columns(false);
    if (p_.c.pack_b) {
      int j = of.j;
      for (; j + width <= of.end; j += width) p_.template pack_b<false>(column(of, j), of.terms, packed_column(of, j));
      if (p_.columns(true) != 0 && j < of.end) p_.template pack_b<true>(column(of, j), of.terms, packed_column(of, j));
    }
    int i = 0;
    for (; i + height <= p_.c.m; i += height) strip_of_rows<false>(of, i);
    if (p_.rows(true) != 0) strip_of_rows<true>(of, i);
  }
  template <bool Last>
  [[gnu::always_inline]] inline void strip_of_rows(block const& of, int i) {
    int const width = p_.columns(false);
    p_.template pack_a<Last>(of.a + i * p_.c.a[0], of.terms, scratch_);
    int j = of.j;
    for (; j + width <= of.end; j += width) packed_tile<strip{Last, false}>(of, i, j);
    if (p_.columns(true) != 0 && j < of.end) packed_tile<strip{Last, true}>(of, i, j);
  }
  template <strip At>
  void packed_tile(block const& of, int i, int j) {
    int const padded = p_.registers(At.last_rows) * p_.c.width;
    if (p_.c.pack_b) tile<At>(of, i, j, scratch_, padded, packed_column(of, j), p_.columns(At.last_columns));
    else tile<At>(of, i, j, scratch_, padded, column(of, j), p_.c.b[0]);
  }
  T const* column(block const& of, int j) const { return of.b + (j - of.j) * p_.c.b[1]; }
  T* packed_column(block const& of, int j) const { return packed_b() + std::ptrdiff_t{j - of.j} * of.terms; }

  /// A is read where it is; a strip of B at a time is packed, if it is.
  [[gnu::always_inline]] inline void by_columns(block const& of) {
    int const width = p_.columns(false);
    int j = of.j;
    for (; j + width <= of.end; j += width) strip_of_columns<false>(of, j);
    if (p_.columns(true) != 0 && j < of.end) strip_of_columns<true>(of, j);
  }
  template <bool Last>
  [[gnu::always_inline]] inline void strip_of_columns(block const& of, int j) {
    auto const& c = p_.c;
    int const height = p_.rows(false);
    T const* b = column(of, j);
    if (c.pack_b) {
      p_.template pack_b<Last>(b, of.terms, packed_b());
      b = packed_b();
    }
    std::ptrdiff_t const b_step = c.pack_b ? p_.columns(Last) : c.b[0];
    int i = 0;
    for (; i + height <= c.m; i += height) tile<strip{false, Last}>(of, i, j, of.a + i * c.a[0], c.a[1], b, b_step);
    if (p_.rows(true) != 0) tile<strip{true, Last}>(of, i, j, of.a + i * c.a[0], c.a[1], b, b_step);
  }

  template <strip At>
  void tile(block const& of, int i, int j, T const* a, std::ptrdiff_t a_step, T const* b, std::ptrdiff_t b_step) {
    auto const& c = p_.c;
    bool const adds = is_k_blocked() && !c.in_parts && of.k > 0;
    int const last = p_.last_register(At.last_rows);
    std::ptrdiff_t const b_column = c.pack_b ? 1 : c.b[1];
    at_[0] = i;
    at_[1] = j;
    if (p_.is_direct)
      return p_.template tile<At>(
          {a, a_step, b, b_step, b_column, of.terms, made_.place(at_), made_.column(), last, last, false, adds || Epilogue::accumulates});
    // Else through memory, where a loop can index them: the sums themselves stay in registers and the epilogue is compiled once.
    int const step = p_.registers(At.last_rows) * c.width;
    alignas(64) T memory[Product::template tile_entries<At>];
    T* const sums = c.in_parts ? packed_b() + c.packed_b() + std::ptrdiff_t{i} * c.n_block + std::ptrdiff_t{j - of.j} * p_.rows(false)
                               : memory + widest<T>;
    p_.template tile<At>({a, a_step, b, b_step, b_column, of.terms, sums, step, last, c.width, c.in_parts && of.k > 0});
    if (!c.in_parts || of.k + of.terms == c.k) finish<At>(sums, step, adds);
  }

  // ---- inner form: registers run along k ----

  [[gnu::always_inline]] inline void inner(T const* a, T const* b) {
    auto const& c = p_.c;
    int const width = p_.columns(false), height = p_.rows(false);
    if (c.pack_a) a = lined_up(c.m, a, c.a[0], c.a[1], scratch_);
    if (c.pack_b) b = lined_up(c.n, b, c.b[1], c.b[0], packed_b());
    int i = 0;
    for (; i + height <= c.m; i += height) row_of_dots<false>(a, b, i, width);
    if (p_.rows(true) != 0) row_of_dots<true>(a, b, i, width);
  }
  template <bool Last>
  [[gnu::always_inline]] inline void row_of_dots(T const* a, T const* b, int i, int width) {
    int j = 0;
    for (; j + width <= p_.c.n; j += width) dots<strip{Last, false}>(a, b, i, j);
    if (p_.columns(true) != 0) dots<strip{Last, true}>(a, b, i, j);
  }
  template <strip At>
  void dots(T const* a, T const* b, int i, int j) {
    auto const& c = p_.c;
    T sums[Product::template tile_entries<At>];
    p_.template dots<At>(a + i * (c.pack_a ? c.k : c.a[0]), b + j * (c.pack_b ? c.k : c.b[1]), sums);
    at_[0] = i;
    at_[1] = j;
    finish<At>(sums, p_.rows(At.last_rows), false);
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
template <class T, bool Inner, class Epilogue>
[[gnu::noinline]] void shared_gemm(product_table<T, Inner> const& product, typename Epilogue::layout const& where,
                                   std::byte* const* pointers, std::byte const* a, std::byte const* b, std::byte* scratch) {
  Epilogue made(pointers, where);
  gemm_loops<T, product_table<T, Inner>, Epilogue>(product, made, reinterpret_cast<T*>(scratch))
      .run(reinterpret_cast<T const*>(a), reinterpret_cast<T const*>(b));
}

}  // namespace detail

/// Runs the product of signature `S`: a large one by the code that it shares with others, a small one by code of its own shape.
template <auto S>
struct gemm {
  static constexpr auto const& s = unpacked<S>;
  static constexpr pass::contraction c = s.product;
  using T = scalar_of<s.type>;
  using V = std::conditional_t<c.inner, T, typename number_of_width<T, c.width>::type>;
  static constexpr bool is_large = std::int64_t{c.m} * c.n * c.k * c.batch[0] * c.batch[1] > 4096;

  static void run(std::byte* const* pointers, std::byte const* a, std::byte const* b, std::byte* scratch) {
    if constexpr (is_large) {
      detail::shared_gemm<T, c.inner, epilogue<pack_signature<shared>(), V>>(table, where, pointers, a, b, scratch);
    } else {
      using product = constant_product<S>;
      using epilogue = run::epilogue<S, V, constant_layout<S>>;
      static constexpr constant_layout<S> constants{};
      epilogue made(pointers, constants);
      gemm_loops<T, product, epilogue>(product{}, made, reinterpret_cast<T*>(scratch))
          .run(reinterpret_cast<T const*>(a), reinterpret_cast<T const*>(b));
    }
  }

 private:
  static constexpr auto shared = without_layout(s);
  static constexpr auto where = layout_of(s);
  static constexpr auto table = product_table<T, c.inner>::template of<S>();
};

}  // namespace etch::inline ETCH_ABI::run
