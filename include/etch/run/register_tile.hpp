// register_tile: the part of a product whose sums stay in registers while k runs.
#pragma once

#include <etch/run/body.hpp>

namespace etch::inline ETCH_ABI::run {

/// How the last register of a tile's column is loaded where fewer rows are left than it has lanes.
enum class edge : std::uint8_t {
  none,    ///< there are as many, or what lies behind them may be read
  masked,  ///< only those rows
  shifted  ///< the rows before them, too
};

/// One register of `Count` rows at `from`.
template <class V, edge Edge, int Count>
[[gnu::always_inline]] inline V load_rows(math::scalar_in<V> const* from) {
  if constexpr (width_of<V> == 1) return *from;
  else if constexpr (Edge == edge::masked) return V::template load<Count>(from);
  else if constexpr (Edge == edge::shifted) return V::load(from - (width_of<V> - Count));
  else return V::load(from);
}
template <class V, edge Edge, int Count>
[[gnu::always_inline]] inline void store_rows(V value, math::scalar_in<V>* to) {
  if constexpr (width_of<V> == 1) *to = value;
  else if constexpr (Edge == edge::shifted) value.store(to - (width_of<V> - Count));
  else value.store(to);
}

/// `Packets` registers down, the last with `Last` rows, by `Columns` right: tile = A B, or tile += A B. Rows of A adjoin; its columns are
/// `a_step` entries apart, rows of B `b_step` and its columns `BColumn`. A column of the tile begins every `Packets` registers; a shifted
/// edge writes up to one register before the first. `Chains` sums of each entry run side by side where one would wait for itself.
template <class V, int Packets, int Columns, int Chains, edge Edge, int Last, std::int64_t BColumn>
[[gnu::always_inline]] inline void register_tile(math::scalar_in<V> const* a, std::ptrdiff_t a_step, math::scalar_in<V> const* b,
                                                 std::ptrdiff_t b_step, int k, math::scalar_in<V>* tile, bool continued) {
  using T = math::scalar_in<V>;
  constexpr int width = width_of<V>;
  constexpr auto edge_of = [](int p) { return p == Packets - 1 ? Edge : edge::none; };
  V sum[Chains][Columns][Packets];
  auto const each = [](auto f) __attribute__((always_inline)) {
    unrolled<Columns>([&](auto q)
                          __attribute__((always_inline)) { unrolled<Packets>([&](auto p) __attribute__((always_inline)) { f(q, p); }); });
  };
  unrolled<Chains>([&](auto chain) __attribute__((always_inline)) {
    each([&](auto q, auto p) __attribute__((always_inline)) { sum[chain][q][p] = V(T(0)); });
  });
  if (continued)
    each([&](auto q, auto p) __attribute__((always_inline)) {
      sum[0][q][p] = load_rows < V, edge_of(p) == edge::shifted ? edge::shifted : edge::none, Last > (tile + (q * Packets + p) * width);
    });
  auto const add = [&](auto chain) __attribute__((always_inline)) {
    V x[Packets];
    unrolled<Packets>([&](auto p) __attribute__((always_inline)) { x[p] = load_rows<V, edge_of(p), Last>(a + p * width); });
    unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
      V const y(b[q * BColumn]);
      unrolled<Packets>([&](auto p) __attribute__((always_inline)) { sum[chain][q][p] = multiply_add(x[p], y, sum[chain][q][p]); });
    });
    a += a_step;
    b += b_step;
  };
  int done = 0;
  if constexpr (Chains > 1)
    for (; done + Chains <= k; done += Chains) unrolled<Chains>([&](auto chain) __attribute__((always_inline)) { add(chain); });
  for (; done < k; ++done) add(std::integral_constant<int, 0>{});
  each([&](auto q, auto p) __attribute__((always_inline)) {
    unrolled<Chains - 1>([&](auto chain) __attribute__((always_inline)) { sum[0][q][p] = sum[0][q][p] + sum[chain + 1][q][p]; });
    store_rows<V, edge_of(p), Last>(sum[0][q][p], tile + (q * Packets + p) * width);
  });
}

}  // namespace etch::inline ETCH_ABI::run
