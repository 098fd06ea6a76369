// dot_tile: a few entries of a product whose operands both adjoin along k: registers run along k and are summed at the end.
#pragma once

#include <etch/run/body.hpp>

namespace etch::inline ETCH_ABI::run {

/// tile[q * Rows + p] = sum over k of a[p * ARow + k] b[q * BColumn + k]. `Chains` registers for each entry run side by side.
template <class V, int Rows, int Columns, int Chains, int Length, std::int64_t ARow, std::int64_t BColumn>
[[gnu::always_inline]] inline void dot_tile(math::scalar_in<V> const* a, math::scalar_in<V> const* b, math::scalar_in<V>* tile) {
  using T = math::scalar_in<V>;
  constexpr int width = width_of<V>, stride = Chains * width;
  V sum[Chains][Rows][Columns];
  auto const each = [](auto f) __attribute__((always_inline)) {
    unrolled<Rows>([&](auto p)
                       __attribute__((always_inline)) { unrolled<Columns>([&](auto q) __attribute__((always_inline)) { f(p, q); }); });
  };
  unrolled<Chains>([&](auto chain) __attribute__((always_inline)) {
    each([&](auto p, auto q) __attribute__((always_inline)) { sum[chain][p][q] = V(T(0)); });
  });
  auto const add = [&](auto count, auto chain, int k) __attribute__((always_inline)) {
    V y[Columns];
    unrolled<Columns>([&](auto q) __attribute__((always_inline)) { y[q] = read<V, 1, count>(b + q * BColumn + k); });
    unrolled<Rows>([&](auto p) __attribute__((always_inline)) {
      V const x = read<V, 1, count>(a + p * ARow + k);
      unrolled<Columns>([&](auto q) __attribute__((always_inline)) { sum[chain][p][q] = multiply_add(x, y[q], sum[chain][p][q]); });
    });
  };
  constexpr std::integral_constant<int, width> whole{};
  int k = 0;
  for (; k + stride <= Length; k += stride)
    unrolled<Chains>([&](auto chain) __attribute__((always_inline)) { add(whole, chain, k + chain * width); });
  constexpr int left = Length % stride / width;
  unrolled<left>([&](auto chain) __attribute__((always_inline)) { add(whole, chain, k + chain * width); });
  if constexpr (Length % width != 0) {
    constexpr std::integral_constant<int, left % Chains> chain{};
    add(std::integral_constant<int, Length % width>{}, chain, k + left * width);
  }
  each([&](auto p, auto q) __attribute__((always_inline)) {
    unrolled<Chains - 1>([&](auto chain) __attribute__((always_inline)) { sum[0][p][q] = sum[0][p][q] + sum[chain + 1][p][q]; });
    if constexpr (width == 1) tile[q * Rows + p] = sum[0][p][q];
    else tile[q * Rows + p] = sum[0][p][q].across([](auto x, auto y) { return x + y; });
  });
}

}  // namespace etch::inline ETCH_ABI::run
