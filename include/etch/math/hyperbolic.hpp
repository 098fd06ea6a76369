// Hyperbolic functions and their inverses.
#pragma once

#include <etch/math/power.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

template <class T>
struct hyperbolic_constants;
/// tanh: Cephes tanhf.
template <>
struct hyperbolic_constants<float> {
  static constexpr float tanh[] = {-5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f, 1.33314422036e-1f,
                                   -3.33332819422e-1f};
  static constexpr float tanh_divisor[] = {1.0f};
  static constexpr float tanh_high = 10.0f;
};
/// tanh: Cephes tanh (rational); sinh: 1/n!.
template <>
struct hyperbolic_constants<double> {
  static constexpr double tanh[] = {-9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3};
  static constexpr double tanh_divisor[] = {1.0, 1.12811678491632931402e2, 2.23548839060100448583e3,
                                            4.84406305325125486048e3};
  static constexpr double tanh_high = 20.0;
  static constexpr double sinh[] = {1.0 / 355687428096000, 1.0 / 1307674368000, 1.0 / 6227020800, 1.0 / 39916800,
                                    1.0 / 362880,          1.0 / 5040,          1.0 / 120,        1.0 / 6};
};

/// (e^m + sign e^-m) / 2 for m >= 0; infinite where e^m / 2 is.
template <class V>
ETCH_DETAIL_INLINED constexpr V half_of_exponentials(V m, double sign) {
  V const highest(710.4758600739439);  // the last m with a finite answer
  V const bounded = select(m > highest, highest, m);
  auto const [mantissa, n] = exp_of(wide<V>{bounded, V(0.0)});
  V const down = select(m < V(40.0), power_of_two(m, -n), V(0.0)),
          small = as_written(V(sign) / mantissa.high * down) * down;  // in units of 2^n
  wide<V> const sum = fast_two_sum(mantissa.high, small);
  V const y = scaled(sum.high + as_written(sum.low + mantissa.low), n - std::int64_t(1));
  return select(m > highest, V(infinity<V>), y);
}

/// log(1 + z), to about 65 bits, for a number z >= 0 in two words.
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> wide_log1p(wide<V> z) {
  return wide_log(fast_two_sum(V(1.0), z.high) + z.low, V(0.0));
}

}  // namespace detail

/// (e^x - e^-x) / 2; below 1 its series.
template <class V>
ETCH_DETAIL_INLINED constexpr V sinh(V x) {
  if constexpr (is_float<V>) {
    return in_double([](auto w) ETCH_DETAIL_INLINED_LAMBDA { return math::sinh(w); }, x);
  } else {
    if (detail::is_nan_constant(x)) return x;
    V const m = math::abs(x), bounded = select(m > V(1.0), V(1.0), m), z = bounded * bounded;
    V const series =
        multiply_add(detail::polynomial(z, detail::hyperbolic_constants<double>::sinh) * z, bounded, bounded);
    return math::copysign(select(m < V(1.0), series, detail::half_of_exponentials(m, -1.0)), x);
  }
}
/// (e^x + e^-x) / 2.
template <class V>
ETCH_DETAIL_INLINED constexpr V cosh(V x) {
  if constexpr (is_float<V>) {
    return in_double([](auto w) ETCH_DETAIL_INLINED_LAMBDA { return math::cosh(w); }, x);
  } else {
    if (detail::is_nan_constant(x)) return x;
    return detail::half_of_exponentials(math::abs(x), 1.0);
  }
}

/// Odd polynomial near 0, else 1 - 2 / (e^2|x| + 1) with the sign of x.
template <class V>
ETCH_DETAIL_INLINED constexpr V tanh(V x) {
  using T = scalar_in<V>;
  using c = detail::hyperbolic_constants<T>;
  if (detail::is_nan_constant(x)) return x;
  V const magnitude = math::abs(x);
  V const m = select(magnitude > V(c::tanh_high), V(c::tanh_high), magnitude);  // from here on the answer is 1
  V const z = m * m;
  V const small =
      multiply_add(quotient(detail::polynomial(z, c::tanh), detail::polynomial(z, c::tanh_divisor)) * z, m, m);
  V const large = V(T(1)) - quotient(V(T(2)), math::exp(m + m) + V(T(1)));
  return math::copysign(select(m < V(T(0.625)), small, large), x);
}

/// log(|x| + sqrt(x² + 1)) = log1p(|x| + x² / (1 + sqrt(x² + 1))) with the sign of x; log(2 |x|) where x² swallows 1.
template <class V>
ETCH_DETAIL_INLINED constexpr V asinh(V x) {
  if (detail::is_nan_constant(x)) return x;
  if constexpr (is_float<V>) {
    auto const of_magnitude = [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
      return math::log1p(w + w * w / (decltype(w)(1.0) + root(w * w + decltype(w)(1.0))));
    };
    V const m = math::abs(x);
    return math::copysign(
        select(m < V(infinity<V>), in_double(of_magnitude, select(m < V(infinity<V>), m, V(0.0f))), m), x);
  } else {
    V const m = math::abs(x), one(1.0);
    auto const large = m > V(0x1p+60);
    V const w = select(large, one, m);
    wide<V> const square = two_product(w, w);
    wide<V> const z = square / (root(square + one) + one) + w;
    wide<V> const far =
        detail::wide_log(select(large, m, one)) + detail::constant<V>(0.6931471805599453, 2.3190468138462996e-17);
    V const y = select(large, far.high, detail::wide_log1p(z).high);
    return math::copysign(select(m < V(0x1p-28), m, select(m < V(infinity<V>), y, m)), x);
  }
}

/// log(x + sqrt(x² - 1)) = log1p(t + sqrt(t (t + 2))), t = x - 1; log(2 x) where x² swallows 1; NaN below 1.
template <class V>
ETCH_DETAIL_INLINED constexpr V acosh(V x) {
  if constexpr (is_float<V>) {
    V const bounded = select((x > V(1.0f)) & (x < V(infinity<V>)), x, V(1.0f));
    auto const usual = [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
      auto const t = w - decltype(w)(1.0);
      return math::log1p(t + root(t * (t + decltype(w)(2.0))));
    };
    V const y = in_double(usual, bounded);
    return select(x >= V(1.0f), select(x < V(infinity<V>), y, x), V(not_a_number<V>));
  } else {
    V const one(1.0);
    auto const large = x > V(0x1p+60), above = x > one;
    V const w = select(large, V(2.0), select(above, x, V(2.0)));
    wide<V> const t = two_sum(w, -one);
    wide<V> const z = t + root(t * (t + V(2.0)));
    wide<V> const far =
        detail::wide_log(select(large, x, one)) + detail::constant<V>(0.6931471805599453, 2.3190468138462996e-17);
    V const y = select(large, far.high, detail::wide_log1p(z).high);
    V const outside = select(x == one, V(0.0), V(not_a_number<V>));
    return select(above, select(x < V(infinity<V>), y, x), outside);
  }
}

/// log((1 + x) / (1 - x)) / 2 = log1p(2 |x| / (1 - |x|)) / 2 with the sign of x; NaN beyond 1.
template <class V>
ETCH_DETAIL_INLINED constexpr V atanh(V x) {
  using T = scalar_in<V>;
  V const m = math::abs(x), one(T(1)), half(T(0.5));
  auto const inside = m < one;
  V const w = select(inside, m, half);
  V const y = [&] {
    if constexpr (is_float<V>) {
      return in_double(
          [](auto v)
              ETCH_DETAIL_INLINED_LAMBDA { return decltype(v)(0.5) * math::log1p((v + v) / (decltype(v)(1.0) - v)); },
          w);
    } else {
      wide<V> const z = wide<V>{w + w, V(0.0)} / two_sum(one, -w);
      return select(m < V(0x1p-28), w, half * detail::wide_log1p(z).high);
    }
  }();
  return math::copysign(select(inside, y, select(m == one, V(infinity<V>), V(not_a_number<V>))), x);
}

}  // namespace math
ETCH_NAMESPACE_END
