// tile: the building blocks of the versions by hand: registers as lanes, and a product's tile that stays in them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace bench {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64, register_count = 32;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32, register_count = 16;
#else
inline constexpr int register_bytes = 16, register_count = 16;
#endif

template <class T>
struct vector_of {
  static constexpr int size = register_bytes / static_cast<int>(sizeof(T));
  using type [[gnu::vector_size(register_bytes)]] = T;
};
/// A register.
template <class T>
using lanes = typename vector_of<T>::type;
template <class T>
inline constexpr int width = vector_of<T>::size;

template <class T>
[[gnu::always_inline]] inline lanes<T> load(T const* from) {
  lanes<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
/// The first `Count` lanes.
template <int Count, class T>
[[gnu::always_inline]] inline void store(T* to, lanes<T> v) {
  std::memcpy(to, &v, sizeof(T) * Count);
}
template <class T>
[[gnu::always_inline]] inline void store(T* to, lanes<T> v) {
  store<width<T>>(to, v);
}
template <class T>
[[gnu::always_inline]] inline T add_up(lanes<T> v) {
  T sum = 0;
  for (int i = 0; i < width<T>; ++i) sum += v[i];
  return sum;
}

/// sum[n][r] += a(rows[r], k) b(k, n) for k < depth: a's rows are registers, `rows` their places, a column `AStep`
/// after the last; b is read entry by entry.
template <class T, int AStep, int BStepK, int BStepN, std::size_t R, std::size_t N>
[[gnu::always_inline]] inline void multiply(lanes<T> (&sum)[N][R], T const* a, std::array<int, R> rows, T const* b,
                                            int depth) {
#pragma GCC unroll 2
  for (int k = 0; k < depth; ++k, a += AStep, b += BStepK) {
    lanes<T> column[R];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) column[r] = load(a + rows[r]);
#pragma GCC unroll 32
    for (std::size_t n = 0; n < N; ++n) {
      lanes<T> const entry = b[static_cast<int>(n) * BStepN] - lanes<T>{};
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) sum[n][r] += column[r] * entry;
    }
  }
}

/// The same where register r of a's column goes into the sum of register Into[r]; a's rows lie below each other.
template <class T, int AStep, int BStepK, int BStepN, int... Into, std::size_t R, std::size_t N>
[[gnu::always_inline]] inline void multiply_into(lanes<T> (&sum)[N][R], T const* a, T const* b, int depth) {
#pragma GCC unroll 2
  for (int k = 0; k < depth; ++k, a += AStep, b += BStepK) {
    lanes<T> column[sizeof...(Into)];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < sizeof...(Into); ++r) column[r] = load(a + r * width<T>);
#pragma GCC unroll 32
    for (std::size_t n = 0; n < N; ++n) {
      lanes<T> const entry = b[static_cast<int>(n) * BStepN] - lanes<T>{};
      int r = 0;
      ((sum[n][Into] += column[r++] * entry), ...);
    }
  }
}

/// `R` registers below each other.
template <class T, std::size_t R>
constexpr std::array<int, R> stacked() {
  std::array<int, R> rows{};
  for (std::size_t r = 0; r < R; ++r) rows[r] = static_cast<int>(r) * width<T>;
  return rows;
}

/// Calls `f(n, integral_constant<count>)` for 0, N, 2N, ... up to `Total`, with what is left at the end.
template <int Total, int N>
[[gnu::always_inline]] inline void in_loop_tiles(auto f) {
  for (int n = 0; n + N <= Total; n += N) f(n, std::integral_constant<int, N>{});
  if constexpr (Total % N != 0) f(Total / N * N, std::integral_constant<int, Total % N>{});
}

/// How many registers down and columns right a tile of a product with `m` rows is.
struct tile_shape {
  int down, right;
};
template <class T>
constexpr tile_shape shape_of_tile(int m) {
  int const registers = (m + width<T> - 1) / width<T>;
  if (register_count < 32) return registers % 2 == 0 ? tile_shape{2, 5} : tile_shape{1, 10};
  if (registers == 1) return {1, 24};
  if (registers % 2 == 0) return {2, 12};
  if (registers % 5 == 0) return {5, 5};
  return {2, 12};
}

/// The layout of an operand in memory: `op(x)(i, j)` is at `i * Down + j * Right`.
template <int Down, int Right>
struct lies {
  static constexpr int down = Down, right = Right;
};

/// a(i, k), M x K, in panels of as many rows as a tile has, each column of a panel after
/// the last; rows beyond M are zero.
template <class T, int M, int K, class A>
struct panels {
  static constexpr tile_shape shape = shape_of_tile<T>(M);
  static constexpr int rows = shape.down * width<T>, count = (M + rows - 1) / rows;
  alignas(64) T entries[count * rows * K];

  T const* operator[](int p) const { return entries + p * rows * K; }

  void pack(T const* a) {
    for (int p = 0; p < count; ++p) {
      int const present = std::min(rows, M - p * rows);
      T* const to = entries + p * rows * K;
      if constexpr (A::down == 1) {
        for (int k = 0; k < K; ++k) {
          for (int i = 0; i < present; ++i) to[k * rows + i] = a[p * rows + i + k * A::right];
          for (int i = present; i < rows; ++i) to[k * rows + i] = 0;
        }
      } else {  // across both in small squares
        constexpr int side = 16;
        for (int k0 = 0; k0 < K; k0 += side)
          for (int i0 = 0; i0 < rows; i0 += side)
            for (int k = k0; k < std::min(K, k0 + side); ++k)
              for (int i = i0; i < std::min(rows, i0 + side); ++i)
                to[k * rows + i] = i < present ? a[(p * rows + i) * A::down + k * A::right] : T(0);
      }
    }
  }
};

}  // namespace bench
