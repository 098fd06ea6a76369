// Special functions: the error function here; the gamma function's logarithm and its derivatives in gamma.hpp.
#pragma once

#include <etch/math/gamma.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

/// erfc(u) e^(u²) for u in [0, 28], of which `u_twice_and_1` is 1 + 2u: over its inverse, a function that varies little
/// with t = (u - 4) / (u + 4) (M. Shepherd, J. Laframboise, 1981).
template <class W>
ETCH_DETAIL_INLINED constexpr W scaled_erfc(word_of<W> u, W u_twice_and_1) {
  using V = word_of<W>;
  if constexpr (!is_wide<W>) {  // to 31 bits, by one division
    constexpr double c[] = {0.00012041495117820275, -0.00024515855235079557, -0.0007270877110113327,
                            0.005072269450762053,   -0.01621282877962602,    0.03714988788384276,
                            -0.06632654020464135,   0.09373660926383762,     -0.10103954347269094,
                            0.06809670835560222,    0.015379675876863525,    -0.13962110783269233,
                            1.2329951184162982};
    V const above = u + V(4.0), inverse = V(1.0) / (above * u_twice_and_1);
    return polynomial((u - V(4.0)) * (u_twice_and_1 * inverse), c) * (above * inverse);
  } else {
    constexpr double c[] = {
        2.9111659955327447e-10,  2.1031095817570338e-09,  1.6868082625932292e-09,  -1.660879467182853e-08,
        -1.9106294487779176e-08, 1.1328048304274549e-07,  7.703495881102781e-08,   -8.277591913537945e-07,
        2.916445562939141e-07,   5.710769473216913e-06,   -1.1220902504340601e-05, -2.4399505458525544e-05,
        0.00015062131217624512,  -0.00019925664291065565, -0.0007577732147971718,  0.005031969972225688,
        -0.016197734067039865,   0.03716751553787908,     -0.06633036581154421,    0.09373283499833329,
        -0.10103906603632955,    0.06809705425469303,     0.015379652102620111,    -0.13962111684056253};
    V const t = (u - V(4.0)) / (u + V(4.0));
    return (given<W>(1.2329951186255526, -4.6424575138226587e-17) + t * polynomial(t, c)) / u_twice_and_1;
  }
}

/// erfc(a) for a in [1/2, 28]; from 0 on, too: to several ulp where W is wide, else to 31 bits.
template <class W>
ETCH_DETAIL_INLINED constexpr floating<W> far_erfc(word_of<W> a) {
  auto const e = exp_of_working(-product_of<W>(a, a));
  return {e.mantissa * scaled_erfc(a, sum_of<W>(a + a, word_of<W>(1.0))), e.n};
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
      [](auto w, auto factor) {
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
      [](auto w) {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::rounded(w), size = math::abs(input);
        return detail::either(
            size < U(0.5),
            [&](auto is_near) {
              auto const tiny = size < U(0x1p-500);
              U const least = select(tiny, input, U(0.0));
              W const series = detail::near_erf(select(is_near, w, detail::given<W>(0)));
              return select(tiny, least + least * U(0.12837916709551257), detail::rounded(series));
            },
            [&](auto) {
              auto const e = detail::far_erfc<W>(select(size > U(6.5), U(6.5), size));
              U const far = detail::rounded(detail::given<W>(1) + -detail::shifted(e.mantissa, e.n));
              return select(size == size, math::copysign(far, input), input);
            });
      },
      x);
}

/// 1 - erf(x), with all digits where erf(x) is near 1.
template <class V>
ETCH_DETAIL_INLINED constexpr V erfc(V x) {
  return detail::computed(
      [](auto w) {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::rounded(w), size = math::abs(input);
        auto const far = [&](auto) {
          auto const e = detail::far_erfc<W>(select(size > U(28.0), U(28.0), size));
          U const left = detail::rounded(detail::given<W>(2) + -detail::shifted(e.mantissa, e.n));
          return select(input < U(0.0), left, select(size == size, detail::rescaled(e.mantissa, e.n), input));
        };
        auto const near = [&](auto is_near) {
          return detail::rounded(detail::given<W>(1) + -detail::near_erf(select(is_near, w, detail::given<W>(0))));
        };
        if constexpr (detail::is_wide<W>) return detail::either(size < U(0.5), near, far);
        else return far(true);
      },
      x);
}

}  // namespace math
ETCH_NAMESPACE_END
