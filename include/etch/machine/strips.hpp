// strips: the operands and results of points that run several at a time: a register for each entry, with a point in
// each of its lanes.
#pragma once

#include <etch/machine/lanes.hpp>

#include <algorithm>
#include <cstring>

ETCH_NAMESPACE_BEGIN
namespace run {

/// Registers as the rows of a square, whose columns they become.
template <class T, int Width>
[[gnu::always_inline]] inline void transpose_square(lanes<T, Width>* row) {
  constexpr int width = Width;
  using packet = typename lanes<T, Width>::packet;
  auto const stage = [row]<int Distance>(std::integral_constant<int, Distance>) __attribute__((always_inline)) {
    for (int i = 0; i < width; ++i) {
      if ((i & Distance) != 0) continue;
      packet const a = row[i].p, b = row[i + Distance].p;
      [&]<int... L>(std::integer_sequence<int, L...>) __attribute__((always_inline)) {
        row[i].p = __builtin_shufflevector(a, b, ((L & Distance) == 0 ? L : L - Distance + width)...);
        row[i + Distance].p = __builtin_shufflevector(a, b, ((L & Distance) == 0 ? L + Distance : L + width)...);
      }(std::make_integer_sequence<int, width>{});
    }
  };
  [&]<int... Stage>(std::integer_sequence<int, Stage...>) __attribute__((always_inline)) {
    (stage(std::integral_constant<int, 1 << Stage>{}), ...);
  }(std::make_integer_sequence<int, std::bit_width(static_cast<unsigned>(width)) - 1>{});
}

/// Calls `f(first, count)` for stretches of at most a register's entries out of `Entries`, with
/// the count as an integral constant.
template <int Width, std::int64_t Entries>
[[gnu::always_inline]] inline void each_stretch(auto f) {
  std::ptrdiff_t at = 0;
  for (; at + Width <= Entries; at += Width) f(at, std::integral_constant<int, Width>{});
  if constexpr (Entries % Width != 0) f(at, std::integral_constant<int, static_cast<int>(Entries % Width)>{});
}

/// Whether `Width` numbers of type `T` are a register.
template <class T, int Width>
inline constexpr bool is_register = std::is_floating_point_v<T> && sizeof(T) * Width >= 16;

// An entry of a strip holds `Held` points, of which the first `Width` are computed.

/// Does `load_points` for the first `points` lanes only; the others repeat the last of these points.
template <std::int64_t Entries, int Width, int Held = Width, class T>
void load_some_points(T const* from, T* strip, int points) {
  for (std::ptrdiff_t i = 0; i < Entries; ++i)
    for (int point = 0; point < Width; ++point)
      strip[i * Held + point] = from[std::min(point, points - 1) * Entries + i];
}
/// A register for each of `Entries` entries, from the entries of `Width` points one after the other.
template <std::int64_t Entries, int Width, int Held = Width, class T>
[[gnu::always_inline]] inline void load_points(T const* from, T* strip) {
  if constexpr (Entries == 1) std::memcpy(strip, from, Width * sizeof(T));
  else if constexpr (is_register<T, Width>)
    each_stretch<Width, Entries>([&](std::ptrdiff_t at, auto count) __attribute__((always_inline)) {
      lanes<T, Width> square[Width];
      for (int point = 0; point < Width; ++point)
        square[point] = lanes<T, Width>::template load<count>(from + point * Entries + at);
      transpose_square(square);
      for (int i = 0; i < count; ++i) square[i].store(strip + (at + i) * Held);
    });
  else load_some_points<Entries, Width, Held>(from, strip, Width);
}
/// The way back: entries of the first `points` points, from registers.
template <std::int64_t Entries, int Width, bool Add, int Held = Width, class T>
void store_some_points(T* to, T const* strip, int points) {
  for (int point = 0; point < points; ++point)
    for (std::ptrdiff_t i = 0; i < Entries; ++i) {
      T& entry = to[point * Entries + i];
      entry = static_cast<T>((Add ? entry : T(0)) + strip[i * Held + point]);
    }
}
/// Those of all.
template <std::int64_t Entries, int Width, bool Add, int Held = Width, class T>
[[gnu::always_inline]] inline void store_points(T* to, T const* strip) {
  if constexpr (Entries == 1 && !Add) std::memcpy(to, strip, Width * sizeof(T));
  else if constexpr (is_register<T, Width>)
    each_stretch<Width, Entries>([&](std::ptrdiff_t at, auto count) __attribute__((always_inline)) {
      using V = lanes<T, Width>;
      V square[Width];
      for (int i = 0; i < Width; ++i) square[i] = i < count ? V::load(strip + (at + i) * Held) : V(T(0));
      transpose_square(square);
      for (int point = 0; point < Width; ++point) {
        T* const place = to + point * Entries + at;
        if constexpr (Add) square[point] = V::template load<count>(place) + square[point];
        square[point].template store<count>(place);
      }
    });
  else store_some_points<Entries, Width, Add, Held>(to, strip, Width);
}

/// Sums over points: a register for each entry while the loop runs, added up across its lanes at the end.
template <std::int64_t Entries, int Held, class T>
void clear_sums(T* strip) {
  for (std::ptrdiff_t i = 0; i < Entries * Held; ++i) strip[i] = T(0);
}
/// Zeroes the lanes from `points` on, whatever they have added. (A register that is read after its lanes were written
/// one by one waits for all of them.)
template <std::int64_t Entries, int Width, int Held, class T>
[[gnu::always_inline]] inline void keep_sums_of(T* strip, int points) {
  for (std::ptrdiff_t i = 0; i < Entries; ++i) {
    T* const each = strip + i * Held;
    if constexpr (is_register<T, Width>) lanes<T, Width>::load(each).first(points, T(0)).store(each);
    else
      for (int point = points; point < Width; ++point) each[point] = T(0);
  }
}
template <int Width, class T>
[[gnu::always_inline]] inline T sum_of_lanes(T const* lane) {
  if constexpr (is_register<T, Width>) {
    return lanes<T, Width>::load(lane).across([](auto a, auto b) { return a + b; });
  } else {
    T total = lane[0];
    for (int i = 1; i < Width; ++i) total = static_cast<T>(total + lane[i]);
    return total;
  }
}
template <std::int64_t Entries, int Width, bool Add, int Held = Width, class T>
ETCH_DETAIL_INLINED void leave_sums(T* to, T const* strip) {
  for (std::ptrdiff_t i = 0; i < Entries; ++i) {
    T const total = sum_of_lanes<Width>(strip + i * Held);
    to[i] = Add ? static_cast<T>(to[i] + total) : total;
  }
}

}  // namespace run
ETCH_NAMESPACE_END
