// vector_math: exp, tanh and the logistic function of a register, for the versions by hand.
#pragma once

#include "tile.hpp"

#include <cstdint>

namespace bench {

template <class T>
[[gnu::always_inline]] inline lanes<T> clamp(lanes<T> x, T low, T high) {
  lanes<T> const l = lanes<T>{} + low, h = lanes<T>{} + high;
  x = x < l ? l : x;
  return x > h ? h : x;
}

/// e^x: x = n log 2 + r, Taylor's polynomial in r, n added to the exponent. Error about 1 ulp; clamped
/// where it would leave the normal numbers.
template <class T>
[[gnu::always_inline]] inline lanes<T> exp(lanes<T> x) {
  constexpr bool single = sizeof(T) == 4;
  using integer = std::conditional_t<single, std::int32_t, std::int64_t>;
  using integers [[gnu::vector_size(register_bytes)]] = integer;
  constexpr T shift =
      single ? T(12582912) : T(6755399441055744);  // 1.5 * 2^mantissa: adding it rounds and leaves n in the low bits
  constexpr T high = single ? T(0x1.62e4p-1) : T(0x1.62e42fefa38p-1),
              low = single ? T(0x1.7f7d1cf79abcap-20) : T(0x1.ef35793c7673p-45);
  constexpr int degree = single ? 7 : 13, mantissa = single ? 23 : 52;
  constexpr auto coefficient = [] {
    std::array<T, degree + 1> c{};
    double f = 1;
    for (int i = 0; i <= degree; ++i) c[static_cast<std::size_t>(i)] = static_cast<T>(1 / f), f *= i + 1;
    return c;
  }();
  x = clamp<T>(x, single ? T(-87) : T(-708), single ? T(88) : T(709));
  lanes<T> const shifted = x * T(1.4426950408889634) + shift, n = shifted - shift;
  lanes<T> const r = (x - n * high) - n * low;
  lanes<T> p = lanes<T>{} + coefficient[degree];
#pragma GCC unroll 16
  for (int i = degree - 1; i >= 0; --i) p = p * r + coefficient[static_cast<std::size_t>(i)];
  return reinterpret_cast<lanes<T>>(reinterpret_cast<integers>(p) + (reinterpret_cast<integers>(shifted) << mantissa));
}

/// tanh in float: the rational approximation that Eigen uses too (13, 6), 1 beyond its range.
[[gnu::always_inline]] inline lanes<float> tanh(lanes<float> x) {
  x = clamp<float>(x, -7.90531110763549805f, 7.90531110763549805f);
  lanes<float> const s = x * x;
  lanes<float> p = s * -2.76076847742355e-16f + 2.00018790482477e-13f;
  p = p * s + -8.60467152213735e-11f;
  p = p * s + 5.12229709037114e-08f;
  p = p * s + 1.48572235717979e-05f;
  p = p * s + 6.37261928875436e-04f;
  p = p * s + 4.89352455891786e-03f;
  lanes<float> q = s * 1.19825839466702e-06f + 1.18534705686654e-04f;
  q = q * s + 2.26843463243900e-03f;
  q = q * s + 4.89352518554385e-03f;
  return x * p / q;
}

/// 1 / (1 + e^-x).
[[gnu::always_inline]] inline lanes<float> logistic(lanes<float> x) { return tanh(x * 0.5f) * 0.5f + 0.5f; }

}  // namespace bench
