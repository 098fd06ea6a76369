// gemm: a product of static shape on register tiles, its epilogue computed on the tile before anything is stored.
#pragma once

#include <etch/run/body.hpp>

namespace etch::inline ETCH_ABI::run {

/// Runs the product of signature `S`: C = A B, of which only what the epilogue makes is stored.
template <auto S>
struct gemm {
  static constexpr auto s = S;  // a copy, for the reason given in body.hpp
  static constexpr pass::contraction c = s.product;
  using T = scalar_of<s.type>;

  static void run(std::byte* const* pointers, std::byte const* a_bytes, std::byte const* b_bytes, std::byte* scratch_bytes) {
    T const* a = reinterpret_cast<T const*>(a_bytes);
    T const* b = reinterpret_cast<T const*>(b_bytes);
    T* const scratch = reinterpret_cast<T*>(scratch_bytes);
    for (int l = 0; l < c.batch[1]; ++l)
      for (int k = 0; k < c.batch[0]; ++k) {
        position const at{pointers, {0, 0, k, l}};
        one(at, a + k * c.a_batch[0] + l * c.a_batch[1], b + k * c.b_batch[0] + l * c.b_batch[1], scratch);
      }
  }

 private:
  /// Which product of a batch is being computed, and where everything else lies.
  struct position {
    std::byte* const* pointers;
    outer_index index;
  };

  static void one(position const& at, T const* a, T const* b, [[maybe_unused]] T* scratch) {
    if constexpr (c.pack_a) {
      if constexpr (c.inner) pack<c.m, c.k, c.a[0], c.a[1], false>(a, scratch);
      else pack<c.m, c.k, c.a[0], c.a[1], true>(a, scratch);
      a = scratch;
      scratch += pass::contraction::rounded(std::int64_t{c.m} * c.k);
    }
    if constexpr (c.pack_b) {
      pack<c.k, c.n, c.b[0], c.b[1], true>(b, scratch);
      b = scratch;
    }
    if constexpr (c.inner)
      in_strips<c.m, c.packets>(
          [&](auto rows, int i) { in_strips<c.n, c.columns>([&](auto columns, int j) { inner_tile<rows, columns>(at, a, b, i, j); }); });
    else in_strips<c.n, c.columns>([&](auto columns, int j) { column_of_tiles<columns>(at, a, b, j); });
  }

  /// Copies a matrix to contiguous memory, columns (or rows) one after the other.
  template <int Rows, int Columns, std::int64_t RowStep, std::int64_t ColumnStep, bool ByColumns>
  static void pack(T const* from, T* to) {
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j)
        to[ByColumns ? i + std::ptrdiff_t{j} * Rows : j + std::ptrdiff_t{i} * Columns] = from[i * RowStep + j * ColumnStep];
  }

  /// Covers 0 ... N by strips of `Width`, the last one narrower: `f(width, start)`.
  template <int N, int Width>
  static void in_strips(auto f) {
    int i = 0;
    for (; i + Width <= N; i += Width) f(std::integral_constant<int, Width>{}, i);
    if constexpr (N % Width != 0) f(std::integral_constant<int, N % Width>{}, i);
  }

  // ---- outer form: registers run down a column of C ----

  static constexpr int width = pass::detail::lane_count(s.type, c.m);
  using V = typename number_of_width<T, width>::type;
  static constexpr std::int64_t a_column = c.pack_a ? c.m : c.a[1];
  static constexpr int whole_packets = c.m / width;
  static constexpr int rest = c.m % width;

  template <int Columns>
  static void column_of_tiles(position const& at, T const* a, T const* b, int j) {
    constexpr int tiles = (c.m + width - 1) / width / c.packets * c.packets;  // packets in full tiles
    constexpr int left = (c.m + width - 1) / width - tiles;
    constexpr bool last_is_partial = rest != 0;
    constexpr int full_tiles = tiles / c.packets - (last_is_partial && left == 0 ? 1 : 0);
    int i = 0;
    for (int t = 0; t < full_tiles; ++t, i += c.packets * width) outer_tile<c.packets, width, Columns>(at, a, b, i, j);
    if constexpr (last_is_partial && left == 0) outer_tile<c.packets, rest, Columns>(at, a, b, i, j);
    if constexpr (left != 0) outer_tile<left, last_is_partial ? rest : width, Columns>(at, a, b, i, j);
  }

  template <int Count>
  static V load(T const* from) {
    if constexpr (width == 1) return *from;
    else return V::template load<Count>(from);
  }

  static void save(V value, T* to) {
    if constexpr (width == 1) *to = value;
    else value.template store<width>(to);
  }

  /// `Packets` registers down (the last with `Last` entries) by `Columns` right.
  template <int Packets, int Last, int Columns>
  static void outer_tile(position const& at, T const* a, T const* b, int i, int j) {
    V sum[Columns][Packets];
    unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
      unrolled<Packets>([&](auto p) __attribute__((always_inline)) { sum[q][p] = V(T(0)); });
    });
    T const* column = a + i;
    T const* row = b + j * c.b[1];
    for (int k = 0; k < c.k; ++k, column += a_column, row += c.b[0]) {
      V x[Packets];
      unrolled<Packets>([&](auto p) __attribute__((always_inline)) {
        constexpr int count = p == Packets - 1 ? Last : width;
        x[p] = load<count>(column + p * width);
      });
      unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
        V const y(row[q * c.b[1]]);
        unrolled<Packets>([&](auto p) __attribute__((always_inline)) { sum[q][p] = multiply_add(x[p], y, sum[q][p]); });
      });
    }
    // Through memory, where a loop can index it: the accumulators themselves stay in registers and the epilogue is compiled once.
    alignas(64) T tile[Columns][Packets * width];
    unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
      unrolled<Packets>([&](auto p) __attribute__((always_inline)) { save(sum[q][p], tile[q] + p * width); });
    });
    for (int q = 0; q < Columns; ++q) {
      for (int p = 0; p < Packets - (Last == width ? 0 : 1); ++p)
        finish<V, width>(at, i + p * width, j + q, load<width>(tile[q] + p * width));
      if constexpr (Last != width) finish<V, Last>(at, i + (Packets - 1) * width, j + q, load<width>(tile[q] + (Packets - 1) * width));
    }
  }

  // ---- inner form: registers run along k ----

  static constexpr int k_width = pass::detail::lane_count(s.type, c.k);
  using K = typename number_of_width<T, k_width>::type;
  static constexpr std::int64_t a_row = c.pack_a ? c.k : c.a[0];
  static constexpr std::int64_t b_column = c.pack_b ? c.k : c.b[1];

  template <int Rows, int Columns>
  static void inner_tile(position const& at, T const* a, T const* b, int i, int j) {
    K sum[Rows][Columns];
    unrolled<Rows>([&](auto p) __attribute__((always_inline)) {
      unrolled<Columns>([&](auto q) __attribute__((always_inline)) { sum[p][q] = K(T(0)); });
    });
    auto const advance = [&](auto count, int k) __attribute__((always_inline)) {
      auto const take = [&](T const* from) __attribute__((always_inline)) {
        if constexpr (k_width == 1) return *from;
        else return K::template load<count>(from);
      };
      K y[Columns];
      unrolled<Columns>([&](auto q) __attribute__((always_inline)) { y[q] = take(b + (j + q) * b_column + k); });
      unrolled<Rows>([&](auto p) __attribute__((always_inline)) {
        K const x = take(a + (i + p) * a_row + k);
        unrolled<Columns>([&](auto q) __attribute__((always_inline)) { sum[p][q] = multiply_add(x, y[q], sum[p][q]); });
      });
    };
    in_strips<c.k, k_width>([&](auto count, int k) { advance(count, k); });
    T total[Rows][Columns];
    unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
      unrolled<Rows>([&](auto p) __attribute__((always_inline)) {
        if constexpr (k_width == 1) total[p][q] = sum[p][q];
        else total[p][q] = sum[p][q].across([](auto x, auto y) { return x + y; });
      });
    });
    for (int q = 0; q < Columns; ++q)
      for (int p = 0; p < Rows; ++p) finish<T, 1>(at, i + p, j + q, total[p][q]);
  }

  // ---- both ----

  /// The epilogue for the first `Count` entries from (i, j) down.
  template <class Number, int Count>
  static void finish(position const& at, std::ptrdiff_t i, std::ptrdiff_t j, Number tile) {
    using body = run::body<S, Number>;
    std::byte* base[body::pointer_count];
    outer_index const outer{0, j, at.index[2], at.index[3]};
    body::template advance<1>(at.pointers, outer, base);
    auto const v = body::template evaluate<Count>(base, i, outer, tile);
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      (body::template store<O, Count>(base[s.inputs + O], i, v.of[s.out[O].value], s.out[O].accumulates), ...);
    }
    (std::make_index_sequence<s.outputs>{});
  }
};

}  // namespace etch::inline ETCH_ABI::run
