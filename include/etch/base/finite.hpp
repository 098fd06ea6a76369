// finite: whether numbers are finite, by their bits, so that the answer is the same under -ffast-math, which takes
// every number for finite.
#pragma once

#include <etch/base/namespace.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace run {

/// Whether all `n` entries are finite: none has an exponent of ones only, to which adding 1 carries into the sign's
/// place. Bits are asked, not numbers, since -ffast-math takes every number for finite.
template <std::floating_point T>
inline bool all_finite(T const* entries, std::size_t n) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static_assert(sizeof(bits) == sizeof(T), "etch: numbers of 4 or 8 bytes are looked at");
  constexpr int digits = std::numeric_limits<T>::digits - 1;
  constexpr bits exponent = (~bits{0} >> (digits + 1)) << digits, one = bits{1} << digits;
  constexpr std::size_t width = 64 / sizeof(T);
  typedef bits lanes_of_bits __attribute__((vector_size(64)));
  lanes_of_bits found{};
  std::size_t const whole = n - n % width;  // g++ 12 warns of a rest that it takes for endless where there is none
  for (std::size_t i = 0; i < whole; i += width) {
    lanes_of_bits x;
    std::memcpy(&x, entries + i, sizeof x);
    found |= (x & exponent) + one;
  }
  bits any = 0;
  for (std::size_t lane = 0; lane < width; ++lane) any |= found[lane];
  for (std::size_t i = whole; i < n; ++i) {
    bits x;
    std::memcpy(&x, entries + i, sizeof x);
    any |= (x & exponent) + one;
  }
  return any >> (8 * sizeof(T) - 1) == 0;
}
/// Labels and indices are always finite.
template <class T>
  requires(!std::is_floating_point_v<T>)
constexpr bool all_finite(T const*, std::size_t) {
  return true;
}

/// Whether `x` is NaN.
inline bool is_nan(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits << 1 > std::uint64_t{0x7ff} << 53;
}

}  // namespace run
ETCH_NAMESPACE_END
