// hand_product: c = a b or c += a b of fixed shape: blocks of a packed into panels, b read
// where it is, tiles in registers.
#pragma once

#include "tile.hpp"

#include <type_traits>

namespace bench {

/// Stores a tile, or adds it to what is there; of its rows only the first `Rows`.
template <int Rows, int LdC, bool Add, class T, std::size_t R, std::size_t N>
[[gnu::always_inline]] inline void put(lanes<T> (&sum)[N][R], T* to) {
  if constexpr (Rows == static_cast<int>(R) * width<T>) {
#pragma GCC unroll 32
    for (std::size_t j = 0; j < N; ++j)
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) {
        T* const at = to + r * width<T> + j * LdC;
        if (Add) sum[j][r] += load(at);
        store(at, sum[j][r]);
      }
  } else {
    alignas(64) T tile[N][R * width<T>];
    std::memcpy(tile, sum, sizeof tile);
    for (std::size_t j = 0; j < N; ++j)
      for (int i = 0; i < Rows; ++i)
        to[i + static_cast<int>(j) * LdC] = Add ? to[i + static_cast<int>(j) * LdC] + tile[j][i] : tile[j][i];
  }
}

/// The tiles of c that one block of a contributes to: M x K, in panels.
template <class T, int M, int N, int K, class B, int LdC, bool Add>
struct block_product {
  static constexpr int down = shape_of_tile<T>(M).down, right = shape_of_tile<T>(M).right;
  static constexpr int rows = down * width<T>;

  template <int Rows, int Columns>
  [[gnu::always_inline]] static void tile(T const* panel, T const* b, T* c) {
    for (int j = 0; j < Columns; ++j)  // the tile of c comes while the product is computed
      for (int i = 0; i < Rows; i += 64 / static_cast<int>(sizeof(T))) __builtin_prefetch(c + i + j * LdC, 1);
    lanes<T> sum[Columns][down] = {};
    multiply<T, rows, B::down, B::right>(sum, panel, stacked<T, down>(), b, K);
    put<Rows, LdC, Add, T>(sum, c);
  }
  template <int Columns>
  [[gnu::always_inline]] static void strip(T const* panel, T const* b, T* c) {
    for (int p = 0; p < M / rows; ++p) tile<rows, Columns>(panel + p * rows * K, b, c + p * rows);
    if constexpr (M % rows != 0) tile<M % rows, Columns>(panel + M / rows * rows * K, b, c + M / rows * rows);
  }
  [[gnu::noinline]] static void run(T const* panel, T const* b, T* c) {
    for (int n = 0; n + right <= N; n += right) strip<right>(panel, b + n * B::right, c + n * LdC);
    if constexpr (N % right != 0)
      strip<N % right>(panel, b + N / right * right * B::right, c + N / right * right * LdC);
  }
};

/// c (M x N, a column every LdC) = or += a (M x K) b (K x N).
template <class T, int M, int N, int K, class A, class B, int LdC, bool Add = false>
struct hand_product {
  static constexpr int depth = K <= 512 ? K : (K + (K + 383) / 384 - 1) / ((K + 383) / 384);  // of a block
  static constexpr int rows_of_panel = shape_of_tile<T>(M).down * width<T>;
  static constexpr int height = [] {  // of a block: panels of about a third of a megabyte
    int const most = std::max(1, (384 << 10) / (depth * static_cast<int>(sizeof(T)) * rows_of_panel)) * rows_of_panel;
    return M <= most ? M : most;
  }();
  /// Whether a already lies as one panel.
  static constexpr bool in_place = A::down == 1 && A::right == rows_of_panel && M == rows_of_panel && depth == K;

  static void run(T const* a, T const* b, T* c) {
    if constexpr (in_place || (A::down == 1 && M == rows_of_panel && A::right == M)) {
      block_product<T, M, N, K, B, LdC, Add>::run(a, b, c);
    } else {
      in_loop_tiles<K, depth>([&]<int Depth>(int k, std::integral_constant<int, Depth>) {
        in_loop_tiles<M, height>([&]<int Height>(int i, std::integral_constant<int, Height>) {
          static_assert(shape_of_tile<T>(Height).down * width<T> == panels<T, Height, Depth, A>::rows);
          static panels<T, Height, Depth, A> packed;
          packed.pack(a + i * A::down + k * A::right);
          T const* const from = b + k * B::down;
          if (Add || k > 0) block_product<T, Height, N, Depth, B, LdC, true>::run(packed[0], from, c + i);
          else block_product<T, Height, N, Depth, B, LdC, false>::run(packed[0], from, c + i);
        });
      });
    }
  }
};

}  // namespace bench
