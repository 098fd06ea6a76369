// register_tile: the part of a product whose sums stay in registers while k runs.
#pragma once

#include <etch/machine/body.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// How the last register of a tile's column is loaded where fewer rows are left than it has lanes.
enum class edge : std::uint8_t {
  none,    ///< there are as many, or what lies behind them may be read
  masked,  ///< only those rows
  shifted  ///< the rows before them, too
};

/// The operands of a tile. Rows of A adjoin; its columns are `a_step` entries apart, rows of B
/// `b_step` and its columns `b_column`.
template <class T>
struct tile_operands {
  T const* a;
  std::ptrdiff_t a_step;
  T const* b;
  std::ptrdiff_t b_step, b_column;
  int k;
  T* to;  ///< where its sums go, columns `to_column` entries apart; a shifted edge writes up to one register before the
          ///< first row
  std::ptrdiff_t to_column;
  int last;       ///< rows of the last register
  int last_left;  ///< entries of the last register that are stored: those rows, or all lanes where there is room
  bool adds;      ///< whether sums are added to what is there; not with a shifted edge, which visits some rows twice
};

/// `Packets` registers down, the last with fewer rows than lanes unless `Edge` is none, by `Columns` right: tile = A B,
/// or tile += A B. `Chains` sums of each entry run side by side where one would wait for itself. `BColumn` is B's step
/// between columns where that is a constant, else 0.
template <class V, int Packets, int Columns, int Chains, edge Edge, std::int64_t BColumn>
class register_tile {
  using T = math::scalar_in<V>;
  static constexpr int width = width_of<V>, size = Packets * Columns;

 public:
  [[gnu::always_inline]] static inline void run(tile_operands<T> of) {
    V sum[Chains * size];
#pragma GCC unroll 64
    for (V& each : sum) each = V(T(0));
    T const* b[groups]{of.b};
#pragma GCC unroll 32
    for (int g = 1; g < groups; ++g) b[g] = late(b[g - 1] + group * of.b_column);
    int done = 0;
    if constexpr (Chains > 1)
      for (; done + Chains <= of.k; done += Chains)
#pragma GCC unroll 32
        for (int chain = 0; chain < Chains; ++chain) add(sum + chain * size, of, b);
    for (; done < of.k; ++done) add(sum, of, b);
    of.to = late(of.to);
#pragma GCC unroll 64
    for (int i = size; i < Chains * size; ++i) sum[i % size] = sum[i % size] + sum[i];
    // Registers of 64 bytes are stored in part by one instruction; others one entry after the other.
    if constexpr (sizeof(V) < 64)
      if (of.last_left == width) return leave<true>(sum, of);
    leave<false>(sum, of);
  }

 private:
  /// Stores the tile, or adds it to what is there. `Whole` says that its last registers are stored to the end.
  template <bool Whole>
  [[gnu::always_inline]] static inline void leave(V* sum, tile_operands<T> const& of) {
    if (of.adds)
      each_place<Whole>(sum, of, [](V& entry, T* at, auto count) __attribute__((always_inline)) {
        entry = read<V, 1>(at, count) + entry;
      });
    each_place<Whole>(sum, of,
                      [](V entry, T* at, auto count) __attribute__((always_inline)) { write(entry, at, count); });
  }
  /// Calls `f(register, place, entries)` for every register of the tile: where it goes, and how many of its entries.
  template <bool Whole>
  [[gnu::always_inline]] static inline void each_place(V* sum, tile_operands<T> const& of, auto f) {
    T* to = of.to;
#pragma GCC unroll 32
    for (int q = 0; q < Columns; ++q, to += of.to_column, sum += Packets) {
#pragma GCC unroll 32
      for (int p = 0; p < Packets - 1; ++p) f(sum[p], to + p * width, count_of<width>{});
      T* const last = to + (Packets - 1) * width;
      if constexpr (Edge == edge::shifted) f(sum[Packets - 1], last - (width - of.last), count_of<width>{});
      else if constexpr (Whole) f(sum[Packets - 1], last, count_of<width>{});
      else f(sum[Packets - 1], last, of.last_left);
    }
  }
  /// The pointer `p`, from which nothing is computed before it is: g++ would compute all that a tile ever needs before
  /// its loop, where the loop needs the registers.
  template <class P>
  [[gnu::always_inline]] static inline P late(P p) {
#if defined(__GNUC__)
    asm("" : "+r"(p));
#endif
    return p;
  }
  /// Columns of B that one pointer serves: an address is a register, and once or twice another one.
  static constexpr int group = BColumn != 0 ? Columns : 3, groups = (Columns + group - 1) / group;

  /// The last register of the column at `from`.
  [[gnu::always_inline]] static inline V load_last(T const* from, [[maybe_unused]] int last) {
    if constexpr (width == 1) return *from;
    else if constexpr (Edge == edge::none) return V::load(from);
    else if constexpr (Edge == edge::masked) return V::load(from, last);
    else return V::load(from - (width - last));
  }
  /// One step of k.
  [[gnu::always_inline]] static inline void add(V* sum, tile_operands<T>& of, T const** b) {
    std::ptrdiff_t const column = BColumn != 0 ? BColumn : of.b_column;
    V x[Packets];
#pragma GCC unroll 32
    for (int p = 0; p < Packets; ++p) {
      V entry =
          p + 1 < Packets ? read<V, 1>(of.a + p * width, count_of<width>{}) : load_last(of.a + p * width, of.last);
      if constexpr (Columns > 1) entry = load_once(entry);
      x[p] = entry;
    }
    if constexpr (BColumn == 1 && Packets > 1 && Columns > 8) fetch_ahead(b[0] + Columns);
#pragma GCC unroll 32
    for (int q = 0; q < Columns; ++q) {
      V const y(b[q / group][q % group * column]);
#pragma GCC unroll 32
      for (int p = 0; p < Packets; ++p) sum[q * Packets + p] = multiply_add(x[p], y, sum[q * Packets + p]);
    }
    of.a += of.a_step;
#pragma GCC unroll 32
    for (int g = 0; g < groups; ++g) b[g] += of.b_step;
  }
  /// Asks for the columns of B that the next tile reads of this row. Where B lies beyond the first cache, a line of
  /// each row is an order that processors do not foresee.
  [[gnu::always_inline]] static inline void fetch_ahead([[maybe_unused]] T const* from) {
#if defined(__GNUC__)
    constexpr int line = 64 / sizeof(T);
    for (int last = Columns - 1; last >= 0; last -= line) __builtin_prefetch(from + last, 0, 2);
#endif
  }
};

}  // namespace run
ETCH_NAMESPACE_END
