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
  template <std::size_t... I>
  using indices = std::index_sequence<I...>;
  using each_packet = std::make_index_sequence<Packets>;
  using each_column = std::make_index_sequence<Columns>;
  using each_entry = std::make_index_sequence<size>;
  using each_chain = std::make_index_sequence<Chains>;

 public:
  [[gnu::always_inline]] static inline void run(tile_operands<T> of) {
    V sum[Chains * size];
    clear(sum, std::make_index_sequence<Chains * size>{});
    T const* b[groups]{of.b};
    for (int g = 1; g < groups; ++g) b[g] = late(b[g - 1] + group * of.b_column);
    int done = 0;
    if constexpr (Chains > 1)
      for (; done + Chains <= of.k; done += Chains) add_chains(sum, of, b, each_chain{});
    for (; done < of.k; ++done) add(sum, of, b, each_packet{}, each_column{}, each_group{});
    of.to = late(of.to);
    if constexpr (Chains > 1) join(sum, each_entry{});
    // Registers of 64 bytes are stored in part by one instruction; others one entry after the other.
    if constexpr (sizeof(V) < 64)
      if (of.last_left == width) return leave<true>(sum, of);
    leave<false>(sum, of);
  }

 private:
  /// Stores the tile, or adds it to what is there. `Whole` says that its last registers are stored to the end.
  template <bool Whole>
  [[gnu::always_inline]] static inline void leave(V* sum, tile_operands<T> const& of) {
    if (of.adds) add_stored<Whole>(sum, of, each_entry{});
    store<Whole>(sum, of, each_entry{});
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
  using each_group = std::make_index_sequence<groups>;

  /// Register `P` of the column at `from`.
  template <int P>
  [[gnu::always_inline]] static inline V load(T const* from, [[maybe_unused]] int last) {
    from += P * width;
    if constexpr (width == 1) return *from;
    else if constexpr (Edge == edge::none || P + 1 < Packets) return V::load(from);
    else if constexpr (Edge == edge::masked) return V::load(from, last);
    else return V::load(from - (width - last));
  }
  /// Where register `I` of the tile goes, and how many of its entries.
  template <std::size_t I>
  [[gnu::always_inline]] static inline T* place(tile_operands<T> const& of) {
    T* const at = of.to + static_cast<std::ptrdiff_t>(I / Packets) * of.to_column + I % Packets * width;
    return Edge == edge::shifted && is_last(I) ? at - (width - of.last) : at;
  }
  template <std::size_t I, bool Whole>
  [[gnu::always_inline]] static inline auto entries([[maybe_unused]] tile_operands<T> const& of) {
    if constexpr (!Whole && Edge != edge::shifted && is_last(I)) return of.last_left;
    else return count_of<width>{};
  }
  static constexpr bool is_last(std::size_t i) { return i % Packets + 1 == Packets; }

  template <std::size_t... I>
  [[gnu::always_inline]] static inline void clear(V* sum, indices<I...>) {
    ((sum[I] = V(T(0))), ...);
  }
  template <std::size_t... Chain>
  [[gnu::always_inline]] static inline void add_chains(V* sum, tile_operands<T>& of, T const** b, indices<Chain...>) {
    (add(sum + Chain * size, of, b, each_packet{}, each_column{}, each_group{}), ...);
  }
  /// One step of k.
  template <std::size_t... P, std::size_t... Q, std::size_t... G>
  [[gnu::always_inline]] static inline void add(V* sum, tile_operands<T>& of, T const** b, indices<P...>, indices<Q...>,
                                                indices<G...>) {
    std::ptrdiff_t const column = BColumn != 0 ? BColumn : of.b_column;
    V x[]{load<P>(of.a, of.last)...};
    (load_once(x[P]), ...);
    if constexpr (BColumn == 1 && Packets > 1 && Columns > 8) fetch_ahead(b[0] + Columns);
    (add_column(sum + Q * Packets, x, V(b[Q / group][static_cast<std::ptrdiff_t>(Q % group) * column]), each_packet{}),
     ...);
    of.a += of.a_step;
    ((b[G] += of.b_step), ...);
  }
  /// Asks for the columns of B that the next tile reads of this row. Where B lies beyond the first cache, a line of
  /// each row is an order that processors do not foresee.
  [[gnu::always_inline]] static inline void fetch_ahead([[maybe_unused]] T const* from) {
#if defined(__GNUC__)
    constexpr int line = 64 / sizeof(T);
    for (int last = Columns - 1; last >= 0; last -= line) __builtin_prefetch(from + last, 0, 2);
#endif
  }
  template <std::size_t... P>
  [[gnu::always_inline]] static inline void add_column(V* sum, V const* x, V y, indices<P...>) {
    ((sum[P] = multiply_add(x[P], y, sum[P])), ...);
  }
  template <std::size_t... I>
  [[gnu::always_inline]] static inline void join(V* sum, indices<I...>) {
    (join_entry<I>(sum, std::make_index_sequence<Chains - 1>{}), ...);
  }
  template <std::size_t I, std::size_t... Chain>
  [[gnu::always_inline]] static inline void join_entry(V* sum, indices<Chain...>) {
    ((sum[I] = sum[I] + sum[I + (Chain + 1) * size]), ...);
  }
  template <bool Whole, std::size_t... I>
  [[gnu::always_inline]] static inline void add_stored(V* sum, tile_operands<T> const& of, indices<I...>) {
    ((sum[I] = read<V, 1>(place<I>(of), entries<I, Whole>(of)) + sum[I]), ...);
  }
  template <bool Whole, std::size_t... I>
  [[gnu::always_inline]] static inline void store(V const* sum, tile_operands<T> const& of, indices<I...>) {
    (write(sum[I], place<I>(of), entries<I, Whole>(of)), ...);
  }
};

}  // namespace run
ETCH_NAMESPACE_END
