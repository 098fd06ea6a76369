// Logarithms.
#pragma once

#include <etch/math/exponential.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

template <class T>
struct logarithmic_constants;
/// log: fdlibm e_logf.
template <>
struct logarithmic_constants<float> {
  static constexpr float log[] = {0.24279078841f, 0.28498786688f, 0.40000972152f, 0.66666662693f};
};
/// log: fdlibm e_log; atanh: the series of (atanh(s) / s - 1 - z/3 - z²/5) / z³ in z = s², interpolated.
template <>
struct logarithmic_constants<double> {
  static constexpr double log[] = {1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01,
                                   2.222219843214978396e-01, 2.857142874366239149e-01, 3.999999999940941908e-01,
                                   6.666666666666735130e-01};
  static constexpr double atanh[] = {0.05309096992488574, 0.052363974955656235, 0.05883027018390139,
                                     0.06666657301778912, 0.07692307762797304,  0.09090909090648908,
                                     0.11111111111111477, 0.14285714285714285};
};

/// f - log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)), by fdlibm's series in s = f / (2 + f), less the low word of k
/// ln(2) and a small correction.
template <class V>
ETCH_DETAIL_INLINED constexpr V log_below(V f, V k, V correction) {
  using T = scalar_in<V>;
  V const s = quotient(f, f + V(T(2)));
  V const z = s * s;
  V const h = V(T(0.5)) * f * f;
  V const r = as_written(multiply_add(s, h + z * polynomial(z, logarithmic_constants<T>::log),
                                      multiply_add(k, V(exponential_constants<T>::ln2_low), correction)));
  return as_written(h - r);
}
/// log(2^k (1 + f)), with 1 + f in [sqrt(1/2), sqrt(2)), plus a small correction.
template <class V>
ETCH_DETAIL_INLINED constexpr V log_of(V f, V k, V correction) {
  return multiply_add(k, V(exponential_constants<scalar_in<V>>::ln2_high), as_written(f - log_below(f, k, correction)));
}

/// The arguments of `log_of` for 1 + x = u + v, u rounded: the correction is v / u. Where u is in [sqrt(1/2), sqrt(2)),
/// f is x itself, and the correction of its low word alone.
template <class V>
struct log1p_arguments {
  V f, k, correction;
};
template <class V>
ETCH_DETAIL_INLINED constexpr log1p_arguments<V> one_plus(wide<V> x) {
  V const zero(scalar_in<V>(0)), one(scalar_in<V>(1));
  wide<V> const u = two_sum(one, x.high);
  auto const [m, k] = split_at_root_half(u.high);
  auto const near = k == zero;
  return {select(near, x.high, m - one), k, quotient(x.low + select(near, zero, u.low), u.high)};
}
/// a + log(1 + x) for a >= 0 and x in [0, 1], which has two words.
template <class V>
ETCH_DETAIL_INLINED constexpr V plus_log1p(V a, wide<V> x) {
  auto const [f, k, correction] = one_plus(x);
  wide<V> const log = fast_two_sum(f, -log_below(f, k, correction)),
                whole = two_sum(a, k * V(exponential_constants<scalar_in<V>>::ln2_high)),
                y = two_sum(whole.high, log.high);
  return y.high + (y.low + (whole.low + log.low));
}

/// log(2^k (1 + f)) to about 65 bits, with 1 + f in [sqrt(1/2), sqrt(2)): k ln(2) + 2 atanh(s), s = f / (2 + f).
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> wide_log_of(wide<V> f, wide<V> f_plus_2, V k) {
  using T = scalar_in<V>;
  using c = exponential_constants<T>;
  wide<V> const s = f / f_plus_2, z = s * s;
  V const fifths = z.high * multiply_add(z.high, polynomial(z.high, logarithmic_constants<T>::atanh), V(T(0.2)));
  wide<V> const thirds = fast_two_sum(V(T(0.3333333333333333)), fifths) + V(T(1.850371707708594e-17));
  wide<V> const twice{s.high + s.high, s.low + s.low};
  return wide<V>{k * V(c::ln2_high), k * V(c::ln2_low)} + (twice + twice * (z * thirds));
}
/// log(x) to about 65 bits, for positive finite x.
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> wide_log(V x) {
  using T = scalar_in<V>;
  auto const [number, offset] = normalised(x);
  auto const [m, k] = split_at_root_half(number);
  V const one(T(1));
  return wide_log_of(wide<V>{m - one, V(T(0))}, fast_two_sum(one, m), k + offset);
}
/// log(2^offset x) to about 65 bits, for x in [2^-900, 2^900].
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> wide_log(wide<V> x, V offset) {
  using T = scalar_in<V>;
  auto const [m, k] = split_at_root_half(x.high);
  V const one(T(1)), low = x.low * power_of_two(x.high, -((bits(x.high) - bits(m)) >> integer_of<T>(mantissa_bits<T>)));
  return wide_log_of(two_sum(m - one, low), fast_two_sum(one, m) + low, k + offset);
}

/// log(x) for positive finite x; 0 for any other.
template <class V>
ETCH_DETAIL_INLINED constexpr V log_of_positive(V x) {
  using T = scalar_in<V>;
  auto const [number, offset] = normalised(x);
  auto const [m, k] = split_at_root_half(number);
  return log_of(m - V(T(1)), k + offset, V(T(0)));
}

/// `y`, the logarithm of a positive finite `x`, or what it is for any other.
template <class V>
ETCH_DETAIL_INLINED constexpr V where_positive(V x, V y) {
  using T = scalar_in<V>;
  return select(x > V(T(0)), select(x < V(infinity<V>), y, x),
                select(x < V(T(0)), V(not_a_number<V>), select(x == V(T(0)), V(-infinity<V>), x)));
}

/// log(x) times the number `high + low`.
template <class V>
ETCH_DETAIL_INLINED constexpr V log_times(V x, double high, double low) {
  if constexpr (is_float<V>) {
    return in_double([high](auto w) { return where_positive(w, log_of_positive(w) * decltype(w)(high)); }, x);
  } else {
    wide<V> const y = wide_log(x) * constant<V>(high, low);
    return where_positive(x, y.high);
  }
}

/// log(x) of any scalar.
template <std::floating_point T>
[[gnu::cold, gnu::noinline]] constexpr T log_of_any(T x) {
  return where_positive(x, log_of_positive(x));
}

}  // namespace detail

/// log(2^k m) = k ln(2) + log(m) with m in [sqrt(1/2), sqrt(2)).
template <class V>
ETCH_DETAIL_INLINED constexpr V log(V x) {
  if constexpr (std::floating_point<V>) {
    if (!(x >= std::numeric_limits<V>::min() && x <= largest<V>)) return detail::log_of_any(x);
    auto const [m, k] = detail::split_at_root_half(x);
    return detail::log_of(m - V(1), k, V(0));
  } else {
    return detail::where_positive(x, detail::log_of_positive(x));
  }
}

/// log(1 + x); what rounding 1 + x = u loses is added as its quotient by u (fdlibm s_log1p).
template <class V>
ETCH_DETAIL_INLINED constexpr V log1p(V x) {
  using T = scalar_in<V>;
  auto const finite = x < V(infinity<V>);
  V const bounded = select(x > V(T(-1)), select(finite, x, V(T(0))), V(T(0)));
  auto const [f, k, correction] = detail::one_plus(wide<V>{bounded, V(T(0))});
  V const y = detail::log_of(f, k, correction);
  V const outside = select(x < V(T(-1)), V(not_a_number<V>), select(x == V(T(-1)), V(-infinity<V>), x));
  return select(x > V(T(-1)), select(finite, select(x == V(T(0)), x, y), x), outside);
}

template <class V>
ETCH_DETAIL_INLINED constexpr V log2(V x) {
  return detail::log_times(x, 1.4426950408889634, 2.0355273740931033e-17);
}
template <class V>
ETCH_DETAIL_INLINED constexpr V log10(V x) {
  return detail::log_times(x, 0.4342944819032518, 1.098319650216765e-17);
}

/// log(e^a + e^b) = m + log1p(e^-|a - b|), where m is the larger operand.
template <class V>
ETCH_DETAIL_INLINED constexpr V logaddexp(V a, V b) {
  using T = scalar_in<V>;
  V const m = math::max(a, b), zero(T(0));
  auto const finite = math::abs(m) < V(infinity<V>);
  V const larger = select(finite, m, zero);
  V const smaller =
      math::max(select(finite, select(a > b, b, a), zero), larger - V(T(1000)));  // from there on the sum is the larger
  if constexpr (is_float<V>) {
    return select(finite,
                  in_double([](auto p, auto q) ETCH_DETAIL_INLINED_LAMBDA { return p + math::log1p(math::exp(q - p)); },
                            larger, smaller),
                  m);
  } else {
    V const farthest(T(-746));  // where e^difference has become 0
    wide<V> const difference = two_sum(smaller, -larger);
    auto const [mantissa, n] = detail::exp_of(select(difference.high > farthest, difference, wide<V>{farthest, zero}));
    wide<V> const u = fast_two_sum(V(T(1)), detail::scaled(mantissa.high, n)) + detail::scaled(mantissa.low, n);
    wide<V> const y = detail::wide_log(u, zero) + larger;
    return select(finite, y.high, m);
  }
}

/// a log(b), and 0 where a is 0 and b a number.
template <class V>
ETCH_DETAIL_INLINED constexpr V xlogy(V a, V b) {
  using T = scalar_in<V>;
  if (detail::is_nan_constant(a)) return a;
  if (detail::is_nan_constant(b)) return b;
  V const zero(T(0)), one(T(1)), factor = select(a == zero, one, a);
  auto const inside = (b > zero) & (b < V(infinity<V>));
  V const argument = select(inside, b, one), edge = select(inside | (b < zero), one, detail::where_positive(b, zero));
  V const product = [&] {
    if constexpr (is_float<V>) {
      return in_double([](auto p, auto q) ETCH_DETAIL_INLINED_LAMBDA { return p * detail::log_of_positive(q); }, factor,
                       argument);
    } else {
      wide<V> const l = detail::wide_log(argument);
      return multiply_add(factor, l.high, select(math::abs(factor) < V(infinity<V>), factor, zero) * l.low);
    }
  }();
  V const y = select(inside, product, select(b < zero, V(not_a_number<V>), factor * edge));
  return select(a == zero, select(b == b, zero, b), y);
}

}  // namespace math
ETCH_NAMESPACE_END
