// simd_transpose: as many rows of entries as a register has lanes, transposed or added up in registers.
#pragma once

#include <etch/base/namespace.hpp>

#include <cstddef>
#include <cstring>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace run {

/// `Side` registers of `Side` entries; several times the 16 bytes within which shuffles are cheapest, or just these.
template <class T, int Side>
struct simd_square {
  typedef T row_type __attribute__((vector_size(Side * sizeof(T))));
  static constexpr int lane = static_cast<int>(16 / sizeof(T));
  static_assert(Side % lane == 0, "etch: a square is transposed by whole registers");

  row_type row[Side];

  ETCH_DETAIL_INLINED void load(int r, T const* from) { std::memcpy(&row[r], from, sizeof(row_type)); }
  ETCH_DETAIL_INLINED void store(int r, T* to) const { std::memcpy(to, &row[r], sizeof(row_type)); }

  /// First blocks of 16 bytes change places, then entries within each.
  ETCH_DETAIL_INLINED void transpose() {
    exchange_from<Side / 2>();
    for (int r = 0; r < Side; r += lane) {
      if constexpr (lane == 2) {
        interleave(row[r], row[r + 1]);
      } else {
        interleave(row[r], row[r + 1]);
        interleave(row[r + 2], row[r + 3]);
        exchange<2>(row[r], row[r + 2]);
        exchange<2>(row[r + 1], row[r + 3]);
        row_type const second = row[r + 2];
        row[r + 2] = row[r + 1];
        row[r + 1] = second;
      }
    }
  }

  /// Entry r of `to` becomes the sum of row r's entries; rows are used up.
  ETCH_DETAIL_INLINED void store_sums(T* to) {
    add_halves<Side / 2>();
    store(0, to);
  }

 private:
  using lanes_of_row = std::make_integer_sequence<int, Side>;

  /// Exchanges the odd blocks of `Length` entries of `a` for the even ones of `b`.
  template <int Length>
  ETCH_DETAIL_INLINED static void exchange(row_type& a, row_type& b) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      row_type const low = __builtin_shufflevector(a, b, ((I & Length) == 0 ? I : I - Length + Side)...);
      b = __builtin_shufflevector(a, b, ((I & Length) == 0 ? I + Length : I + Side)...);
      a = low;
    }(lanes_of_row{});
  }
  template <int Length>
  ETCH_DETAIL_INLINED void exchange_from() {
    if constexpr (Length >= lane) {
      for (int r = 0; r < Side; ++r)
        if ((r & Length) == 0) exchange<Length>(row[r], row[r + Length]);
      exchange_from<Length / 2>();
    }
  }
  /// Half as many rows, which hold half as many sums of each of two as before.
  template <int Length>
  ETCH_DETAIL_INLINED void add_halves() {
#pragma GCC unroll 16
    for (int r = 0; r < Length; ++r) {
      exchange<Length>(row[r], row[r + Length]);
      row[r] += row[r + Length];
    }
    if constexpr (Length > 1) add_halves<Length / 2>();
  }
  /// In every 16 bytes: `a` becomes the lower halves of both, entry by entry in turn, `b` the upper ones.
  ETCH_DETAIL_INLINED static void interleave(row_type& a, row_type& b) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      row_type const low = __builtin_shufflevector(a, b, (I / lane * lane + I % lane / 2 + I % 2 * Side)...);
      b = __builtin_shufflevector(a, b, (I / lane * lane + (I % lane + lane) / 2 + I % 2 * Side)...);
      a = low;
    }(lanes_of_row{});
  }
};

}  // namespace run
ETCH_NAMESPACE_END
