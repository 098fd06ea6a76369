// Exponentials.
#pragma once

#include <etch/math/wide.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

template <class T>
struct exponential_constants;
/// exp: Cephes expf.
template <>
struct exponential_constants<float> {
  static constexpr float exp[] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                                  4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
  static constexpr float const (&expm1)[6] = exp;
  static constexpr float exp_plain = 87.0f;
  static constexpr float ln2 = 0.69314718056f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  static constexpr float exp_low = -170.0f, exp_nothing = -800.0f, exp_high = 88.72283173f, expm1_low = -20.0f,
                         exp2_low = -151.0f, exp2_high = 127.99999237f;
};
/// exp: (e^r - 1 - r) / r² to 3e-18 / r²; short_exp: the same to 7e-11 / r²; expm1: 1/n!.
template <>
struct exponential_constants<double> {
  static constexpr double exp[] = {
      2.51178695731022e-08,  2.76312803434162e-07, 2.755721627304302e-06, 2.480148994217131e-05, 0.00019841269917417404,
      0.0013888888947015988, 0.008333333333307186, 0.04166666666651542,   0.166666666666667,     0.5000000000000012};
  static constexpr double short_exp[] = {0.00019918372864153233, 0.0013946064305968185, 0.008333264377102781,
                                         0.04166627006646479,    0.16666666860604898,   0.5000000077866672};
  static constexpr double expm1[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                                     1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
                                     1.0 / 120,        1.0 / 24,        1.0 / 6,        1.0 / 2};
  static constexpr double exp_plain = 708.0;
  static constexpr double ln2 = 0.69314718055994530942, ln2_high = 6.93147180369123816490e-01,
                          ln2_low = 1.90821492927058770002e-10;
  static constexpr double exp_low = -1400.0, exp_nothing = -4000.0, exp_high = 709.782712893384, expm1_low = -45.0,
                          exp2_low = -1076.0, exp2_high = 0x1.fffffffffffffp9;
};

/// x = n ln(2) + r + tail with |r| <= ln(2) / 2, for x so small that n ln(2)'s high word is exact.
template <class V>
struct multiple_of_ln2 {
  decltype(bits(V())) n;
  V r, tail;
};
template <class V>
ETCH_DETAIL_INLINED constexpr multiple_of_ln2<V> reduce_by_ln2(V x) {
  using T = scalar_in<V>;
  using c = exponential_constants<T>;
  V const shifted = as_written(multiply_add(x, V(T(1.44269504088896340736)), V(magic<T>)));
  V const n = as_written(shifted - V(magic<T>));
  V const most = as_written(multiply_add(n, V(-c::ln2_high), x)), low = settled(n * V(c::ln2_low)),
          r = as_written(most - low);
  return {bits(shifted) - bits(T(magic<T>)), r, as_written(as_written(most - r) - low)};
}

/// e^x = mantissa 2^n with |n| <= 6000 (floats: 1200), the mantissa in [sqrt(1/2), sqrt(2)]; `shifted` is n + magic,
/// `lost` what roundings took from the mantissa, to about 60 bits of both.
template <class V>
struct plain_exp {
  V mantissa, shifted, lost;
};
template <bool Short = false, class V>
[[gnu::always_inline]] constexpr plain_exp<V> plain_exp_of(V x) {
  using T = scalar_in<V>;
  using c = exponential_constants<T>;
  V const shifted = as_written(multiply_add(x, V(T(1.44269504088896340736)), V(magic<T>)));
  V const n = as_written(shifted - V(magic<T>));
  V const most = as_written(multiply_add(n, V(-c::ln2_high), x)), r = as_written(multiply_add(n, V(-c::ln2_low), most));
  V q;
  if constexpr (Short) q = polynomial(r, c::short_exp);
  else q = polynomial(r, c::exp);
  V const square = r * r, part = as_written(multiply_add(q, square, r)), mantissa = as_written(part + V(T(1)));
  V const of_r = as_written(multiply_add(n, V(-c::ln2_low), as_written(most - r))),
          of_part = as_written(multiply_add(q, square, as_written(r - part)));
  return {mantissa, shifted, as_written(part - as_written(mantissa - V(T(1)))) + multiply_add(mantissa, of_r, of_part)};
}
/// The number that `e` stands for, rounded once.
template <class V>
ETCH_DETAIL_INLINED constexpr V value_of(plain_exp<V> e) {
  using T = scalar_in<V>;
  if constexpr (requires { scaled_by(e.mantissa, e.shifted); }) return scaled_by(e.mantissa, e.shifted - V(magic<T>));
  else return scaled(e.mantissa, bits(e.shifted) - bits(T(magic<T>)));
}
/// e^x = mantissa 2^n, for |x| at most 1100, to about 60 bits: what `exp` computes, so that a compiler computes it once
/// for both, and what that leaves out.
template <class V>
struct wide_exp {
  wide<V> mantissa;
  decltype(bits(V())) n;
};
template <class V>
ETCH_DETAIL_INLINED constexpr wide_exp<V> exp_of(wide<V> x) {
  auto const [mantissa, shifted, lost] = plain_exp_of(x.high);
  return {{mantissa, multiply_add(mantissa, x.low, lost)}, bits(shifted) - bits(magic<scalar_in<V>>)};
}
/// e^x of any scalar; infinite beyond the largest x with a finite answer.
template <std::floating_point T>
[[gnu::cold, gnu::noinline]] constexpr T exp_of_any(T x) {
  using c = exponential_constants<T>;
  if (x != x) return x;
  if (x > c::exp_high) return infinity<T>;
  return value_of(plain_exp_of(x < c::exp_low ? c::exp_low : x));
}

/// e^x of a double that will be rounded to a float, to 33 bits, for x up to 709.78; below -200 something that is
/// rounded to 0.
template <class V>
ETCH_DETAIL_INLINED constexpr V short_exp(V x) {
  using T = scalar_in<V>;
  return value_of(plain_exp_of<true>(select(x < V(T(-200)), V(T(-200)), x)));
}

}  // namespace detail

/// e^x = 2^n e^r with |r| <= ln(2) / 2; infinite beyond the largest x with a finite answer.
template <class V>
ETCH_DETAIL_INLINED constexpr V exp(V x) {
  using T = scalar_in<V>;
  using c = detail::exponential_constants<T>;
  if constexpr (std::floating_point<V>) {
    if (!(math::abs(x) <= c::exp_plain)) return detail::exp_of_any(x);
    auto const [mantissa, shifted, lost] = detail::plain_exp_of(x);
    using word = std::make_unsigned_t<integer_of<T>>;
    return from_bits(x, static_cast<integer_of<T>>(static_cast<word>(bits(mantissa)) +
                                                   (static_cast<word>(bits(shifted)) << detail::mantissa_bits<T>)));
  } else {  // beyond exp_high, the factors' product overflows
    // Processors take 100 times as long for a result a little below all normal numbers, but not for one far below.
    constexpr T lowest = requires(V v) { scaled_by(v, v); } ? c::exp_nothing : c::exp_low;
    return detail::value_of(detail::plain_exp_of(clamped(x, V(lowest), V(c::exp_high + T(0.5)))));
  }
}

/// 2^x = 2^n e^(r ln 2), where r = x - n is exact.
template <class V>
ETCH_DETAIL_INLINED constexpr V exp2(V x) {
  using T = scalar_in<V>;
  using c = detail::exponential_constants<T>;
  if (detail::is_nan_constant(x)) return x;
  auto const overflows = x > V(c::exp2_high);
  x = select(overflows, V(c::exp2_high), select(x < V(c::exp2_low), V(c::exp2_low), x));
  V const shifted = as_written(x + V(detail::magic<T>));
  V const r = as_written(x - as_written(shifted - V(detail::magic<T>))) * V(c::ln2);
  V const p = as_written(multiply_add(detail::polynomial(r, c::exp), r * r, r)) + V(T(1));
  return select(overflows, V(infinity<V>), detail::scaled(p, bits(shifted) - bits(T(detail::magic<T>))));
}

/// e^x - 1 = 2 ((2^(n-1) - 1/2) + 2^(n-1) (e^r - 1)), the large parts added without error.
template <class V>
ETCH_DETAIL_INLINED constexpr V expm1(V x) {
  using T = scalar_in<V>;
  using c = detail::exponential_constants<T>;
  if (detail::is_nan_constant(x)) return x;
  auto const overflows = x > V(c::exp_high);
  V const bounded = select(overflows, V(c::exp_high), select(x < V(c::expm1_low), V(c::expm1_low), x));
  auto const [n, r, tail] = detail::reduce_by_ln2(bounded);
  V const power = detail::power_of_two(x, n - integer_of<T>(1));
  V const q = multiply_add(detail::polynomial(r, c::expm1), r * r, tail);
  wide<V> const s = fast_two_sum(as_written(power - V(T(0.5))), power * r);
  V const y = as_written(s.high + as_written(multiply_add(power, q, s.low)));
  V const tiny(std::numeric_limits<T>::epsilon() / 4);
  return select(overflows, V(infinity<V>), select(math::abs(x) < tiny, x, y + y));
}

}  // namespace math
ETCH_NAMESPACE_END
