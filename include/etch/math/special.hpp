// Special functions: the error function here; the gamma function's logarithm and its derivatives in gamma.hpp.
#pragma once

#include <etch/math/gamma.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

/// y erfc(u) e^(u²) for u in [0, 28]. (1 + 2u) erfc(u) e^(u²) varies little with t = (u - 4) / (u + 4) (M. Shepherd,
/// J. Laframboise, 1981).
template <class W>
ETCH_DETAIL_INLINED constexpr W times_scaled_erfc(W y, W u) {
  using V = word_of<W>;
  V const one(1.0);
  if constexpr (!is_wide<W>) {  // to 31 bits, by one division
    constexpr double c[] = {0.00012041495117820275, -0.00024515855235079557, -0.0007270877110113327,
                            0.005072269450762053,   -0.01621282877962602,    0.03714988788384276,
                            -0.06632654020464135,   0.09373660926383762,     -0.10103954347269094,
                            0.06809670835560222,    0.015379675876863525,    -0.13962110783269233,
                            1.2329951184162982};
    V const above = u + V(4.0), u_twice_and_1 = u + u + one, inverse = one / (above * u_twice_and_1);
    return y * (polynomial((u - V(4.0)) * (u_twice_and_1 * inverse), c) * (above * inverse));
  } else {  // 1 + (1 + t) polynomial(t) is near 1 to all digits where u is near 0
    constexpr double c[] = {
        9.284095321024103e-10,  -7.984199533884893e-11,  -1.4008206837507663e-08, -1.2246997021319789e-09,
        1.1299329491373962e-07, -4.136984018894299e-08,  -7.870394809333829e-07,  1.0826290477437223e-06,
        4.629551927796216e-06,  -1.5852158818752647e-05, -8.548227496442547e-06,  0.00015916999139328894,
        -0.0003584263375880644, -0.0003993469494909909,  0.005431316862703661,    -0.021629050923235596,
        0.05879656646798599,    -0.12512693227980404,    0.21885976727770234,     -0.3198988333140297,
        0.3879958875687353,     -0.3726162354661151,     0.2329951186255525};
    V const twice = u.high + u.high, v = twice / (u.high + V(4.0)), p = polynomial(v - one, c);
    V const f = as_written(multiply_add(v, p, one)), f_low = multiply_add(v, p, as_written(one - f));
    wide<V> const d = two_sum(twice, one);
    V const inverse = one / d.high, q = as_written(y.high * inverse);
    wide<V> const product = two_product(q, d.high);
    V const rest =
        as_written(as_written(y.high - product.high) - product.low) + (y.low - q * (d.low + (u.low + u.low)));
    wide<V> const result = two_product(q, f);
    return {result.high, result.low + multiply_add(q, f_low, rest * inverse * f)};
  }
}

/// erfc(|x|), at most 28, as a number and the exponent of 2 with which it is to be multiplied.
template <class W>
ETCH_DETAIL_INLINED constexpr floating<W> erfc_of_magnitude(word_of<W> x) {
  auto const e = exp_of_working(-product_of<W>(x, x));
  return {times_scaled_erfc(e.mantissa, given<W>(math::abs(x))), e.n};
}
/// erf(x) for |x| <= 1/2, an odd polynomial.
template <class W>
ETCH_DETAIL_INLINED constexpr W near_erf(W x) {
  constexpr double c[] = {1.3214378238338438e-08,  -1.6273138761686977e-07, 1.6459034327218912e-06,
                          -1.4925586560096415e-05, 0.00012055332131175981,  -0.0008548327016159163,
                          0.005223977625403192,    -0.026866170645130034,   0.11283791670955123,
                          -0.37612638903183754};
  auto const z = rounded(x) * rounded(x);
  return (given<W>(1.1283791670955126, 1.5335333826647484e-17) + z * polynomial(z, c)) * x;
}

}  // namespace detail

/// e^(-c x²)
template <class V>
ETCH_DETAIL_INLINED constexpr V gaussian(V x, V c) {
  return detail::computed(
      [](auto w, auto factor) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const size = math::abs(detail::rounded(w));
        W const bounded = detail::given<W>(select(size > U(0x1p400), U(0x1p400), size));
        W const exponent = -(bounded * bounded * detail::rounded(factor));
        auto const overflows = detail::rounded(exponent) > U(709.782712893384);
        auto const low = detail::rounded(exponent) < U(-800.0);
        auto const e = detail::exp_of_working(
            select(overflows, detail::given<W>(0), select(low, detail::given<W>(-800), exponent)));
        U const y = detail::rescaled(e.mantissa, e.n);
        return select(overflows, U(infinity<U>), select(size == size, y, size));
      },
      x, c);
}

/// 2/√π times the integral of e^(-t²) from 0 to x.
template <class V>
ETCH_DETAIL_INLINED constexpr V erf(V x) {
  return detail::computed(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::rounded(w), size = math::abs(input);
        return detail::either(
            size < U(0.5),
            [&](auto is_near) ETCH_DETAIL_INLINED_LAMBDA {
              auto const tiny = size < U(0x1p-500);
              U const least = select(tiny, input, U(0.0));
              W const series = detail::near_erf(select(is_near, w, detail::given<W>(0)));
              return select(tiny, least + least * U(0.12837916709551257), detail::rounded(series));
            },
            [&](auto) ETCH_DETAIL_INLINED_LAMBDA {
              auto const e = detail::erfc_of_magnitude<W>(select(size > U(6.5), U(6.5), size));
              U const far = U(1.0) - detail::rescaled(e.mantissa, e.n);
              return select(size == size, math::copysign(far, input), input);
            });
      },
      x);
}

/// 1 - erf(x), with all digits where erf(x) is near 1.
template <class V>
ETCH_DETAIL_INLINED constexpr V erfc(V x) {
  return detail::computed(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::rounded(w), size = math::abs(input);
        return detail::either(
            size < U(28.0),
            [&](auto) ETCH_DETAIL_INLINED_LAMBDA {
              auto const e = detail::erfc_of_magnitude<W>(input);
              U const right = detail::rescaled(e.mantissa, e.n);
              return select(input < U(0.0), U(2.0) - right, right);
            },
            [&](auto) ETCH_DETAIL_INLINED_LAMBDA {
              return select(size == size, U(1.0) - math::copysign(U(1.0), input), input);
            });
      },
      x);
}

}  // namespace math
ETCH_NAMESPACE_END
