// gemm: a product of static shape on register tiles, its epilogue computed on the tile before anything is stored.
#pragma once

#include <etch/run/dot_tile.hpp>
#include <etch/run/epilogue.hpp>
#include <etch/run/panel.hpp>
#include <etch/run/register_tile.hpp>

namespace etch::inline ETCH_ABI::run {

/// Runs the product of signature `S`: C = A B, of which only what the epilogue makes is stored.
template <auto S>
struct gemm {
  static constexpr auto const& s = unpacked<S>;
  static constexpr pass::contraction c = s.product;
  using T = scalar_of<s.type>;
  using V = typename number_of_width<T, c.width>::type;
  using epilogue = run::epilogue<S, std::conditional_t<c.inner, T, V>>;

  static void run(std::byte* const* pointers, std::byte const* a_bytes, std::byte const* b_bytes, std::byte* scratch_bytes) {
    T const* a = reinterpret_cast<T const*>(a_bytes);
    T const* b = reinterpret_cast<T const*>(b_bytes);
    T* const scratch = reinterpret_cast<T*>(scratch_bytes);
    epilogue made(pointers);
    for (int l = 0; l < c.batch[1]; ++l)
      for (int k = 0; k < c.batch[0]; ++k) {
        T const* const left = a + k * c.a_batch[0] + l * c.a_batch[1];
        T const* const right = b + k * c.b_batch[0] + l * c.b_batch[1];
        position const at{made, k, l};
        if constexpr (c.inner) inner(at, left, right, scratch);
        else outer(at, left, right, scratch);
      }
    made.end();
  }

 private:
  /// What is made of the product of a batch that is being computed.
  struct position {
    epilogue& made;
    int k, l;
  };
  static constexpr int width = c.width;

  // ---- outer form: registers run down a column of C ----

  static constexpr int height = static_cast<int>(c.height());
  static constexpr int rest = c.m % height;  // rows of the last strip of tiles, if it is lower
  static_assert(c.inner || !c.pack_a || height <= c.highest, "etch: a packed strip is as high as the tile that reads it");
  static constexpr bool k_blocked = c.k_block < c.k;
  static constexpr std::int64_t b_column = c.pack_b ? 1 : c.b[1];

#if defined(__AVX512F__)
  static constexpr bool masks_are_free = true;
#else
  static constexpr bool masks_are_free = false;
#endif

  /// A block of the product: columns from `j` to `end`, terms from `k` on.
  struct block {
    int j, end, k, terms;
    T* parts;
  };

  [[gnu::always_inline]] static void outer(position const& at, T const* a, T const* b, T* scratch) {
    T* const packed_b = scratch + c.packed_a();
    for (int j = 0; j < c.n; j += c.n_block)
      for (int k = 0; k < c.k; k += c.k_block) {
        block const of{j, c.n_block < c.n ? std::min(j + c.n_block, c.n) : c.n, k, k_blocked ? std::min(c.k_block, c.k - k) : c.k,
                       packed_b + c.packed_b()};
        if constexpr (c.pack_a) by_rows(at, of, a + k * c.a[1], b + k * c.b[0] + j * c.b[1], scratch, packed_b);
        else by_columns(at, of, a + k * c.a[1], b + k * c.b[0] + j * c.b[1], packed_b);
      }
  }

  /// A strip of A at a time is packed; a block of B before, if it is.
  [[gnu::always_inline]] static void by_rows(position const& at, block const& of, T const* a, T const* b, T* packed_a, T* packed_b) {
    if constexpr (c.pack_b)
      in_strips<c.columns, c.n % c.columns>(of.j, of.end, [&](auto columns, int j) {
        pack_b<columns>(of, b + (j - of.j) * c.b[1], packed_b + std::ptrdiff_t{j - of.j} * of.terms);
      });
    in_strips<height, rest>(0, c.m, [&](auto rows, int i) {
      constexpr int padded = (rows + width - 1) / width * width;
      copy_panel<T, padded, rows, c.a[0] == 1, c.a[1] == 1, least_terms>(a + i * c.a[0], c.a[0], c.a[1], of.terms, packed_a);
      in_strips<c.columns, c.n % c.columns>(of.j, of.end, [&](auto columns, int j) {
        if constexpr (c.pack_b)
          tile<rows, columns>(at, of, i, j, packed_a, padded, packed_b + std::ptrdiff_t{j - of.j} * of.terms, columns);
        else tile<rows, columns>(at, of, i, j, packed_a, padded, b + (j - of.j) * c.b[1], c.b[0]);
      });
    });
  }

  /// A is read where it is; a strip of B at a time is packed, if it is.
  [[gnu::always_inline]] static void by_columns(position const& at, block const& of, T const* a, T const* b, T* packed_b) {
    in_strips<c.columns, c.n % c.columns>(of.j, of.end, [&](auto columns, int j) {
      T const* strip = b + (j - of.j) * c.b[1];
      if constexpr (c.pack_b) {
        pack_b<columns>(of, strip, packed_b);
        strip = packed_b;
      }
      in_strips<height, rest>(
          0, c.m, [&](auto rows, int i) { tile<rows, columns>(at, of, i, j, a + i * c.a[0], c.a[1], strip, c.pack_b ? columns : c.b[0]); });
    });
  }

  template <int Columns>
  static void pack_b(block const& of, T const* from, T* to) {
    copy_panel<T, Columns, Columns, c.b[1] == 1, c.b[0] == 1, least_terms>(from, c.b[1], c.b[0], of.terms, to);
  }

  static constexpr int least_terms = k_blocked && c.k % c.k_block != 0 ? c.k % c.k_block : c.k_block;

  /// Covers `start` ... `end` by strips of `Width`, the last one of width `Rest` unless that is 0: `f(width, start)`.
  template <int Width, int Rest>
  static void in_strips(int start, int end, auto f) {
    int i = start;
    for (; i + Width <= end; i += Width) f(std::integral_constant<int, Width>{}, i);
    if constexpr (Rest != 0)
      if (i < end) f(std::integral_constant<int, Rest>{}, i);
  }

  /// Whether the tile's loop over k is a function of its own: where a long epilogue followed it, compilers would keep the epilogue's constants
  /// in registers that the tile needs.
  static constexpr bool keeps_tile_apart = s.steps_count > 0 && c.k >= 64;
  [[gnu::noinline]] static void apart(auto const& f) { f(); }

  template <int Rows, int Columns>
  static void tile(position const& at, block const& of, int i, int j, T const* a, std::ptrdiff_t a_step, T const* b,
                   std::ptrdiff_t b_step) {
    constexpr int packets = (Rows + width - 1) / width, last = Rows - (packets - 1) * width;
    constexpr edge at_end = last == width || c.pack_a                     ? edge::none
                            : c.m < width || c.in_parts || masks_are_free ? edge::masked
                                                                          : edge::shifted;
    // Through memory, where a loop can index it: the sums themselves stay in registers and the epilogue is compiled once.
    constexpr int before = at_end == edge::shifted && packets == 1 ? width : 0;
    alignas(64) T memory[before + (c.in_parts ? 1 : Columns * packets * width)];
    T* sums = memory + before;
    if constexpr (c.in_parts) sums = of.parts + std::ptrdiff_t{i} * c.n_block + std::ptrdiff_t{j - of.j} * height;
    bool const continued = c.in_parts && of.k > 0;
    int const terms = k_blocked ? of.terms : c.k;
    auto const multiply = [&]() __attribute__((always_inline)) {
      register_tile<V, packets, Columns, c.chains, at_end, last, b_column>(a, a_step, b, b_step, terms, sums, continued);
    };
    if constexpr (keeps_tile_apart) apart(multiply);
    else multiply();
    if (!c.in_parts || of.k + of.terms == c.k)
      at.made.template finish<Rows, Columns>({i, j, at.k, at.l}, sums, packets * width, k_blocked && !c.in_parts && of.k > 0);
  }

  // ---- inner form: registers run along k ----

  [[gnu::always_inline]] static void inner(position const& at, T const* a, T const* b, T* scratch) {
    constexpr std::int64_t a_vector = c.pack_a ? c.k : c.a[0], b_vector = c.pack_b ? c.k : c.b[1];
    if constexpr (c.pack_a) a = lined_up<c.m>(a, c.a[0], c.a[1], scratch);
    if constexpr (c.pack_b) b = lined_up<c.n>(b, c.b[1], c.b[0], scratch + c.packed_a());
    in_strips<c.packets, c.m % c.packets>(0, c.m, [&](auto rows, int i) {
      in_strips<c.columns, c.n % c.columns>(0, c.n, [&](auto columns, int j) {
        T sums[columns * rows];
        dot_tile<V, rows, columns, c.chains, c.k, a_vector, b_vector>(a + i * a_vector, b + j * b_vector, sums);
        at.made.template finish<rows, columns>({i, j, at.k, at.l}, sums, rows, false);
      });
    });
  }

  /// Copies `Count` vectors of length k that are `vector` entries apart, so that their entries adjoin.
  template <int Count>
  static T const* lined_up(T const* from, std::ptrdiff_t vector, std::ptrdiff_t step, T* to) {
    for (int i = 0; i < Count; ++i)
      for (int k = 0; k < c.k; ++k) to[std::ptrdiff_t{i} * c.k + k] = from[i * vector + k * step];
    return to;
  }
};

}  // namespace etch::inline ETCH_ABI::run
