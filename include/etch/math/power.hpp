// Powers and roots.
#pragma once

#include <etch/math/logarithm.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

/// cbrt(x) on [1, 8], interpolated to 10 bits.
inline constexpr double cube_root_guess[] = {5.655254894221102e-05, -0.001596887337316374, 0.018251656689589422,
                                             -0.11212010655657866,  0.48881233581505845,   0.6084349186865862};

/// Factors that bring two magnitudes, the larger of which is given, to where squares neither
/// overflow nor lose digits, and back.
template <class V>
struct scale {
  V by, back;
};
template <class V>
ETCH_DETAIL_INLINED constexpr scale<V> scale_of(V larger) {
  auto const small = larger<V(0x1p-400), large = larger> V(0x1p+500);
  V const one(1.0);
  return {select(small, V(0x1p+600), select(large, V(0x1p-600), one)),
          select(small, V(0x1p-600), select(large, V(0x1p+600), one))};
}

/// 2^k by which x is multiplied before it is inverted: with x subnormal 1 / x would overflow, with x
/// near the largest number lose digits.
template <class V>
ETCH_DETAIL_INLINED constexpr V inversion_scale(V x) {
  using T = scalar_in<V>;
  constexpr T least = std::numeric_limits<T>::min(), most = T(0.25) / least, by = is_float<V> ? T(0x1p64) : T(0x1p200);
  V const m = math::abs(x), one(T(1));
  return select(m < V(least), V(by), select(m > V(most), V(T(1) / by), one));
}

/// m^b in double, for positive finite m and finite b; the logarithm has 65 bits, so that the power has 54 of its own.
template <class V>
ETCH_DETAIL_INLINED constexpr V power_of_positive(V m, V b) {
  V const most(0x1p+65);  // beyond which every power other than 1 over- or underflows
  V const exponent = select(b > most, most, select(b < -most, -most, b)), zero(0.0);
  wide<V> const t = wide_log(m) * exponent;
  auto const overflows = t.high > V(710.0), vanishes = t.high < V(-746.0);
  auto const [mantissa, n] =
      exp_of(select(overflows, wide<V>{V(709.0), zero}, select(vanishes, wide<V>{V(-746.0), zero}, t)));
  return select(overflows, V(infinity<V>), scaled(mantissa.high + mantissa.low, n));
}

}  // namespace detail

template <class V>
ETCH_DETAIL_INLINED constexpr V sqrt(V x) {
  return root(x);
}

/// 1 / sqrt(x), within 1 ulp where the machine guesses it: there e = 1 - x y² makes y (1 - e)^(-1/2) of a guess y, by
/// the series' first terms, and for double once more. Elsewhere within 1.5 ulp.
template <class V>
ETCH_DETAIL_INLINED constexpr V rsqrt(V x) {
  using T = scalar_in<V>;
  if constexpr (requires { guessed_rsqrt(x); }) {
    V const guess = guessed_rsqrt(x), one(T(1)), half(T(0.5));
    V const e = fused(-as_written(x * guess), guess, one);
    V y = fused(as_written(guess * e), fused(e, V(T(0.375)), half), guess);
    if constexpr (!is_float<V>) y = fused(as_written(y * half), fused(-as_written(x * y), y, one), y);
    return select((x > V(T(0))) & (x < V(infinity<V>)), y, guess);
  }
  V const y = quotient(V(T(1)), select(x > V(T(0)), root(x), V(T(1))));
  V const outside = select(x < V(T(0)), V(not_a_number<V>), select(x == V(T(0)), math::copysign(V(infinity<V>), x), x));
  return select(x > V(T(0)), y, outside);
}

/// x = t 8^j with t in [1, 8): a step of Halley's method, and one of Newton's with the exact residual t - y³.
template <class V>
ETCH_DETAIL_INLINED constexpr V cbrt(V x) {
  if constexpr (is_float<V>) {
    return in_double([](auto w) ETCH_DETAIL_INLINED_LAMBDA { return math::cbrt(w); }, x);
  } else {
    V const m = math::abs(x), one(1.0);
    auto const usual = (m > V(0.0)) & (m < V(infinity<V>));
    auto const small = m < V(0x1p-1000);
    V const finite = select(usual, m, one), number = finite * select(small, V(0x1p+54), one);
    auto const exponent = (bits(number) >> std::int64_t(52)) - std::int64_t(1023);
    V const shifted = as_written(multiply_add(to_real(x, exponent) - one, V(1.0 / 3), V(detail::magic<double>)));
    auto const j = bits(shifted) - bits(detail::magic<double>);
    V const t = from_bits(x, bits(number) - ((j + j + j) << std::int64_t(52)));
    V const guess = detail::polynomial(t, detail::cube_root_guess), cube = guess * guess * guess;
    V const y = as_written(guess * ((cube + (t + t)) / ((cube + cube) + t)));
    wide<V> const square = two_product(y, y), most = two_product(square.high, y);
    V const residual = as_written(as_written(t - most.high) - most.low) - square.low * y;
    V const root_of_t = y + residual / (V(3.0) * square.high);
    return select(usual, math::copysign(root_of_t * detail::power_of_two(x, j) * select(small, V(0x1p-18), one), x), x);
  }
}

/// sqrt(a² + b²), NaN if either is NaN.
template <class V>
ETCH_DETAIL_INLINED constexpr V hypot(V a, V b) {
  if (detail::is_nan_constant(a)) return a;
  if (detail::is_nan_constant(b)) return b;
  if constexpr (is_float<V>) {
    return in_double([](auto p, auto q) ETCH_DETAIL_INLINED_LAMBDA { return root(p * p + q * q); }, a, b);
  } else {
    V const larger = math::max(math::abs(a), math::abs(b)), smaller = math::min(math::abs(a), math::abs(b));
    auto const usual = (larger > V(0.0)) & (larger < V(infinity<V>));
    auto const [by, back] = detail::scale_of(larger);
    V const p = select(usual, larger * by, V(1.0)), q = select(usual, smaller * by, V(0.0));
    return select(usual, root(two_product(p, p) + two_product(q, q)).high * back, larger);
  }
}

/// a^b, in the special cases as in IEEE 754: 1 where b is 0 or a is 1, NaN for negative a unless b is whole.
template <class V>
ETCH_DETAIL_INLINED constexpr V pow(V a, V b) {
  using T = scalar_in<V>;
  V const m = math::abs(a), zero(T(0)), one(T(1)), infinite(infinity<V>);
  auto const extreme = (m == zero) | (m == infinite) | (math::abs(b) == infinite);
  auto const nan = (a != a) | (b != b);
  V const base = select(extreme | nan, one, m), exponent = select(extreme | nan, one, b);
  V const usual = [&] {
    if constexpr (is_float<V>)
      return in_double([](auto p, auto q) ETCH_DETAIL_INLINED_LAMBDA { return math::exp(q * math::log(p)); }, base,
                       exponent);
    else return detail::power_of_positive(base, exponent);
  }();
  auto const grows = ((m < one) & (b < zero)) | ((m > one) & (b > zero));
  V const y = select(extreme, select(m == one, one, select(grows, infinite, zero)), usual);
  V const power = select(nan, one, b), half = power * V(T(0.5));
  auto const whole = detail::to_even(power) == power, even = detail::to_even(half) == half;
  V const with_sign = select(whole & !even, math::copysign(y, a), y);
  auto const undefined = nan | ((a < zero) & (m < infinite) & !whole);
  return select((b == zero) | (a == one), one, select(undefined, V(not_a_number<V>), with_sign));
}

}  // namespace math
ETCH_NAMESPACE_END
