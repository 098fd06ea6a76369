// half_pi: an angle as quarter turns and a rest, x = q pi/2 + r with |r| <= pi/4.
#pragma once

#include <etch/math/wide.hpp>

ETCH_NAMESPACE_BEGIN
namespace math::detail {

template <class T>
struct half_pi_constants;
/// pi/2 in parts short enough that their products with q are exact, and how far that goes.
template <>
struct half_pi_constants<float> {
  static constexpr float part[] = {1.5703125f, 4.837512969970703e-4f, 7.549533620476723e-08f, 2.5633440682570896e-12f};
  static constexpr float limit = 8192.0f;
};
template <>
struct half_pi_constants<double> {
  static constexpr double part[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624871116645580e-21,
                                    8.47842766036889956997e-32};
  static constexpr double limit = 524288.0;
};

/// Only the two lowest bits of `q` mean anything.
template <class V>
struct quarter_turns {
  decltype(bits(V())) q;
  V r, tail;
};

/// 1344 bits of 2/pi behind the binary point.
inline constexpr std::uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a,
    0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf,
    0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
    0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d, 0xa9e39161, 0x5ee61b08};

/// 32 bits of the number `word[0] + 2^32 word[1] + ...` from bit `at` on.
template <int N>
constexpr std::uint32_t bits_at(std::uint32_t const (&word)[N], int at) {
  std::uint64_t const low = word[at / 32], high = at / 32 + 1 < N ? word[at / 32 + 1] : 0;
  return static_cast<std::uint32_t>(((high << 32) | low) >> (at % 32));
}

/// Reduces constants beyond the limit (M. Payne and R. Hanek, 1983): x = m 2^e is multiplied by those 256
/// bits of 2/pi that matter modulo 4.
constexpr quarter_turns<double> reduce_large(double x) {
  std::int64_t const pattern = bits(math::abs(x)), m = (pattern & 0xfffffffffffff) | 0x10000000000000;
  int const e = static_cast<int>(pattern >> 52) - 1075,
            first = e > 2 ? e - 2 : 0;  // bits before the first give multiples of 4
  std::uint32_t product[10]{};
  std::uint64_t const halves[] = {static_cast<std::uint64_t>(m & 0xffffffff), static_cast<std::uint64_t>(m >> 32)};
  for (int half = 0; half < 2; ++half) {
    std::uint64_t carry = 0;
    for (int i = 0; i < 8; ++i) {
      int const at = first + 32 * (7 - i);
      std::uint64_t const pair = (std::uint64_t{two_over_pi[at / 32]} << 32) | two_over_pi[at / 32 + 1];
      std::uint64_t const sum = halves[half] * ((pair >> (32 - at % 32)) & 0xffffffff) + product[i + half] + carry;
      product[i + half] = static_cast<std::uint32_t>(sum);
      carry = sum >> 32;
    }
    product[8 + half] = static_cast<std::uint32_t>(carry);
  }
  int const point = 256 + first - e;
  std::int64_t q = bits_at(product, point) & 3;
  bool const up = (bits_at(product, point - 32) >> 31) != 0;  // at least half a quarter turn more
  wide<double> r{0, 0};
  double weight = 0x1p-192;
  for (int i = 6; i > 0; --i, weight *= 0x1p32) {
    std::uint32_t const word = bits_at(product, point - 32 * i);
    r = wide<double>{weight * static_cast<double>(up ? ~word : word), 0} + r;
  }
  r = r * wide<double>{1.5707963267948966, 6.123233995736766e-17};
  if (up) ++q;
  if (up != (x < 0)) r = -r;
  return {x < 0 ? -q : q, r.high, r.low};
}

/// By Cody and Waite's reduction up to the limit; constants of any size.
template <class V>
ETCH_DETAIL_INLINED constexpr quarter_turns<V> reduce_by_half_pi(V x) {
  using T = scalar_in<V>;
  using c = half_pi_constants<T>;
  if constexpr (std::floating_point<V>) {
    if (__builtin_is_constant_evaluated()) {
      if (math::abs(x) > c::limit) {
        auto const [q, r, tail] = reduce_large(static_cast<double>(x));
        return {static_cast<integer_of<T>>(q & 3), static_cast<T>(r), static_cast<T>(tail)};
      }
    }
  }
  V const shifted = as_written(multiply_add(x, V(T(0.63661977236758134308)), V(magic<T>)));
  V const n = as_written(shifted - V(magic<T>));
  wide<V> const most = two_sum(multiply_add(n, V(-c::part[0]), x), n * V(-c::part[1])),
                more = two_sum(most.high, n * V(-c::part[2]));
  wide<V> const r = two_sum(more.high, multiply_add(n, V(-c::part[3]), more.low + most.low));
  return {bits(shifted), r.high, r.low};
}

}  // namespace math::detail
ETCH_NAMESPACE_END
