// The gamma function's logarithm and the derivatives of that: digamma and Hurwitz' zeta function.
#pragma once

#include <etch/math/working.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

/// sin(π r) for |r| <= 1/2.
template <class W>
ETCH_DETAIL_INLINED constexpr W sine_of_half_turns(W r) {
  constexpr double c[] = {-2.228371216069697e-08, 7.94853903737232e-07, -2.1915250301851375e-05, 0.0004663027874593273,
                          -0.007370430943702136,  0.08214588661099356,  -0.5992645293207869};
  return long_polynomial(r * r, c, words{2.5501640398773455, -1.8041428745357886e-16},
                         words{-5.16771278004997, 2.274220744928338e-16},
                         words{3.141592653589793, 1.2246372263037107e-16}) *
         r;
}

/// log(Γ(2 + t)) for |t| <= 1/2.
template <class W>
ETCH_DETAIL_INLINED constexpr W log_gamma_near_2(W t) {
  constexpr double c[] = {6.379047507619774e-08,   -1.3412819758517287e-07, 2.0304806751615227e-07,
                          -4.303558760359961e-07,  9.578663334114758e-07,   -2.0449201467015115e-06,
                          4.374374916915131e-06,   -9.438458716242811e-06,  2.050726741605779e-05,
                          -4.4926351103833334e-05, 9.945750909889392e-05,   -0.00022315475074520367,
                          0.0005096695248853096,   -0.0011927539120010226,  0.002890510330738737,
                          -0.0073855510286681535,  0.02058080842778457,     -0.06735230105319814};
  return long_polynomial(t, c, words{0.3224670334241132, 1.5176930390577985e-17},
                         words{0.42278433509846713, 4.998234382459033e-18}) *
         t;
}

/// log(Γ(x)) for x in [2^-60, 2.6e305], times 2^-400 beyond 2^800. Stirling's series from 8 on; below, log(Γ(2 + t))
/// and the logarithm of the factors that lead from 2 + t to x.
template <class W>
ETCH_DETAIL_INLINED constexpr W log_gamma(word_of<W> x) {
  using V = word_of<W>;
  constexpr double c[] = {0.11001554697563673,   -0.027742741357277903,  0.006383322059276921,
                          -0.001917287055870562, 0.000841749570829054,   -0.0005952380914267929,
                          0.0007936507936450394, -0.0027777777777777744, 0.08333333333333333};
  V const one(1.0);
  auto const large = x >= V(8.0), huge = x > V(0x1p800);
  V const near = select(large, V(2.0), x), whole = math::round(near), shrunk = select(huge, x * V(0x1p-400), x);
  auto const inverted = near < V(1.5);
  bool const has_small = any(indicator(!large, x));
  W argument = given<W>(shrunk);
  if (has_small) {
    W product = select(inverted, given<W>(near), given<W>(1));
    product = select(near < V(0.5), (given<W>(1) + near) * near, product);
    for (double j = 1; j <= 6; ++j) product = product * select(whole > V(j + 1.5), near - V(j), one);
    argument = select(large, argument, product);
  }
  W const logarithm = log_of_working(argument, select(huge, V(400.0), V(0.0)));
  W y = given<W>(0);
  if (has_small) y = log_gamma_near_2(given<W>(near - whole)) + select(inverted, -logarithm, logarithm);
  if (any(indicator(large, x))) {
    V const inverse = one / select(large, x, one);
    W const rest = logarithm * V(-0.5) + given<W>(0.9189385332046728, -3.8782941580672414e-17) +
                   inverse * polynomial(inverse * inverse, c);
    W const stirling = (logarithm + V(-1.0)) * shrunk + select(huge, given<W>(0), rest);
    y = select(large, stirling, y);
  }
  return y;
}

/// ψ(x) for x in [2^-60, ∞): the asymptotic series from 8 on; below, (t - t0) times a polynomial, where t in [1, 2]
/// differs from x by a whole number and t0 is the zero, and the reciprocals that lead from t to x.
template <class W>
ETCH_DETAIL_INLINED constexpr W positive_digamma(word_of<W> x) {
  using V = word_of<W>;
  constexpr double c[] = {-8.153978973309418e-05, 0.00012230983055406747, -6.11554261750751e-05,  9.173383289174792e-05,
                          -0.0002178682145501451, 0.0003268068044141764,  -0.0004599625144612576, 0.0006899717801166841,
                          -0.001042261556504223,  0.0015635679757533885,  -0.002344650082351321,  0.0035180800751066694,
                          -0.00528001782089874,   0.007927024067961237,   -0.011908215172584002,  0.017907248195969127,
                          -0.02697579684427536,   0.04076083394462657,    -0.06192213327165706,   0.09498872445283,
                          -0.14840492305391761,   0.24054248424078736,    -0.42362742128146047};
  constexpr double series[] = {-1.7723438848038762,   0.4103919397123186,    -0.08284662584146768,
                               0.021088476563015532,  -0.007575734736252119, 0.0041666665982644955,
                               -0.003968253968150779, 0.008333333333333273,  -0.08333333333333333};
  V const one(1.0), zero(0.0);
  auto const large = x >= V(8.0), huge = x > V(0x1p800);
  W y = given<W>(0);
  if (any(indicator(!large, x))) {
    V const near = select(large, one, x), steps = math::floor(near) - one;
    auto const below = near < one;
    W numerator = given<W>(select(below, V(-1.0), zero)), denominator = given<W>(select(below, near, one));
    for (double j = 1; j <= 6; ++j) {
      auto const taken = steps > V(j - 0.5);
      V const factor = select(taken, near - V(j), one);
      numerator = numerator * factor + select(taken, denominator, given<W>(0));
      denominator = denominator * factor;
    }
    W const t = given<W>(near) + (-steps);
    W const from_zero = (t + V(-1.4616321449683622)) + V(-9.549995429965697e-17);
    V const around = rounded(t + V(-1.5));
    W const factor = given<W>(0.9510558760318328, 4.292118102788199e-17) + around * polynomial(around, c);
    y = from_zero * factor + numerator / denominator;
  }
  if (any(indicator(large, x))) {
    V const inverse = one / select(large, x, one), z = inverse * inverse;
    W const logarithm =
        log_of_working(given<W>(select(huge, x * V(0x1p-400), select(large, x, one))), select(huge, V(400.0), V(0.0)));
    y = select(large, logarithm + multiply_add(z, polynomial(z, series), V(-0.5) * inverse), y);
  }
  return y;
}

/// b^e for whole e >= 0.
template <class W>
ETCH_DETAIL_INLINED constexpr W whole_power(W b, word_of<W> e) {
  using V = word_of<W>;
  W y = given<W>(1);
  while (any(indicator(e > V(0.0), e))) {
    V const half = math::floor(e * V(0.5));
    y = select(e - (half + half) > V(0.5), y * b, y);
    b = b * b;
    e = half;
  }
  return y;
}

/// ζ(s, 1 + x) for x >= -1/2: eleven terms, then the sum of Euler and Maclaurin from a = x + 12.
template <class W>
ETCH_DETAIL_INLINED constexpr W zeta_after_first(word_of<W> s, W x) {
  using V = word_of<W>;
  constexpr double c[] = {0.08333333333333333,    -0.001388888888888889,   3.306878306878307e-05,
                          -8.267195767195768e-07, 2.08767569878681e-08,    -5.284190138687493e-10,
                          1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
                          -2.174868698558062e-16, 5.5090028283602295e-18,  -1.3954464685812522e-19};  // B_2j / (2j)!
  V const one(1.0);
  W const inverse = given<W>(1) / (x + V(12.0));
  V const z = rounded(inverse) * rounded(inverse);
  V rising = s * z, series(0.0);
  for (double j = 0; double const b : c) {
    series = multiply_add(rising, V(b), series);
    rising = rising * z * ((s + V(j + 1)) * (s + V(j + 2)));
    j += 2;
  }
  W sum = whole_power(inverse, s - one) * (given<W>(1) / given<W>(s - one) + inverse * V(0.5) + series);
  for (double k = 11; k >= 1; --k) sum = sum + whole_power(given<W>(1) / (x + V(k)), s);
  return sum;
}

/// ζ(s, x) where x is no pole; s whole, at least 2. Left of 0 the sum over all integers, less what lies left of x.
template <class W>
ETCH_DETAIL_INLINED constexpr word_of<W> zeta_of(word_of<W> s, word_of<W> x) {
  using V = word_of<W>;
  V const one(1.0), zero(0.0);
  auto const negative = x < zero;
  V const odd = s - V(2.0) * math::floor(s * V(0.5)), from_whole = x - math::round(x);
  V const first = select(negative, from_whole, x);
  W rest = zeta_after_first(s, given<W>(first));
  if (any(indicator(negative, x))) {
    W const left = zeta_after_first(s, given<W>(select(negative, -first, one))) +
                   -zeta_after_first(s, given<W>(select(negative, -x, one)));
    rest = rest + select(negative, left * (one - V(2.0) * odd), given<W>(0));
  }
  // first^-s = m^-s 2^-(k s), so that no power of a small number overflows before its reciprocal does.
  V const size = math::abs(first);
  auto const small = size < one;
  auto const [m, k] = split_at_root_half(select(small, size, one));
  W power = whole_power(given<W>(1) / given<W>(select(small, m, size)), s);
  power = select(first < zero, power * (one - V(2.0) * odd), power);
  V const n_real = select(small, math::min(-(k * s), V(2040.0)), zero), moderate = math::min(n_real, V(900.0));
  auto const whole = [](V n) { return bits(as_written(n + V(magic<double>))) - bits(magic<double>); };
  V const y = rounded(power * scaled(one, whole(moderate)) + rest);
  return select(n_real > V(900.0), scaled(rounded(power), whole(n_real)), y);
}

}  // namespace detail

/// log |Γ(x)|; infinite at 0, -1, -2, ... Left of 0 by reflection: there the error is 2 ulp or 2^-57 of log(Γ(|x|)),
/// whichever is more, since between whole numbers the function has zeros.
template <class V>
ETCH_DETAIL_INLINED constexpr V lgamma(V x) {
  return detail::computed(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::rounded(w), size = math::abs(input), zero(0.0), one(1.0), tiny(0x1p-60),
                largest(2.5599833278516383e305);
        U const a = select(size > largest, largest, select(size < tiny, tiny, size)), from_whole = a - math::round(a);
        W const right = detail::log_gamma<W>(a);
        auto const negative = input < zero;
        U regular = select(a > U(0x1p800), detail::rounded(right) * U(0x1p400), detail::rounded(right));
        if (detail::any(indicator(negative, input))) {
          auto const pole = from_whole == zero;
          W const turns = detail::sine_of_half_turns(detail::given<W>(select(pole, U(0.5), math::abs(from_whole)))) *
                          select(a < U(0x1p52), a, one);
          W const left = detail::given<W>(1.1447298858494002, 1.0265951162707826e-17) +
                         -(detail::log_of_working(turns, zero) + right);
          regular = select(negative, select(pole, U(infinity<U>), detail::rounded(left)), regular);
        }
        return select(size < tiny, -math::log(size),
                      select(size > largest, U(infinity<U>), select(size == size, regular, input)));
      },
      x);
}

/// ψ = (log Γ)'; NaN at -1, -2, ..., infinite at 0 with the sign of -x. Left of 0 by
/// reflection, with zeros as lgamma has them.
template <class V>
ETCH_DETAIL_INLINED constexpr V digamma(V x) {
  return detail::computed(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::rounded(w), size = math::abs(input), zero(0.0), one(1.0), half(0.5), tiny(0x1p-60);
        auto const finite = size < U(infinity<U>);
        U const a = select(finite, select(size < tiny, tiny, size), one), from_whole = a - math::round(a);
        W const right = detail::positive_digamma<W>(a);
        auto const negative = input < zero;
        U const nowhere(not_a_number<U>);
        U regular = detail::rounded(right);
        if (detail::any(indicator(negative, input))) {
          auto const pole = from_whole == zero;
          U const r = select(pole, half, from_whole);
          W const sine = detail::sine_of_half_turns(detail::given<W>(r)),
                  cosine = detail::sine_of_half_turns(detail::given<W>(half - math::abs(r)));
          W const cotangent = detail::given<W>(3.141592653589793, 1.2246467991473532e-16) * (cosine / sine);
          W const left = right + detail::given<W>(1) / detail::given<W>(select(a < U(0x1p53), a, one)) + cotangent;
          regular = select(negative, select(pole, nowhere, detail::rounded(left)), regular);
        }
        auto const overflows = size < U(0x1p-1024);
        U const near_0 =
            select(overflows, math::copysign(U(infinity<U>), -input), U(-1.0) / select(overflows, one, input));
        U const at_end = select(negative, nowhere, input);
        return select(size < tiny, near_0, select(finite, regular, at_end));
      },
      x);
}

/// Hurwitz' zeta function, the sum of (x + k)^-s over k >= 0, for whole s from 2 to 20. At
/// 0 infinite, at -1, -2, ... NaN.
template <class V>
ETCH_DETAIL_INLINED constexpr V zeta(V s, V x) {
  return detail::computed(
      [](auto order, auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::rounded(w), exponent = detail::rounded(order), one(1.0), zero(0.0);
        auto const valid = (exponent >= U(2.0)) & (exponent == math::floor(exponent)) & (exponent < U(1024.0));
        U const e = select(valid, exponent, U(2.0)), odd = e - U(2.0) * math::floor(e * U(0.5));
        auto const pole = (input <= zero) & (input == math::floor(input));
        auto const far = input > U(0x1p500), near_0 = (math::abs(input) < U(0x1p-520));
        U const regular = detail::zeta_of<W>(e, select(pole | far | near_0, one, input));
        U const leading = detail::whole_power(one / select(far, input, one), e - one) / (e - one);
        U const at_0 = select(odd > zero, math::copysign(U(infinity<U>), input), U(infinity<U>));
        U const y = select(near_0, at_0, select(pole, U(not_a_number<U>), select(far, leading, regular)));
        return select(valid, y, select(exponent == one, U(infinity<U>), U(not_a_number<U>)));
      },
      s, x);
}

}  // namespace math
ETCH_NAMESPACE_END
