// Elementary functions, written once over a number type V: a float, a double, or lanes of either.
// Scalar, vector and constant evaluation therefore run the same formulas; only contraction to fma may differ.
#pragma once

#include <etch/core/version.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace etch::inline ETCH_ABI::math {

/// What V needs, given here for scalars; `run/lanes.hpp` gives the same for lanes.
template <std::floating_point T>
using integer_of = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <class V>
struct number {
  using scalar_type = typename V::scalar_type;
};
template <std::floating_point T>
struct number<T> {
  using scalar_type = T;
};
template <class V>
using scalar_in = typename number<V>::scalar_type;

template <std::floating_point T>
constexpr T select(bool condition, T a, T b) {
  return condition ? a : b;
}
template <std::floating_point T>
constexpr T multiply_add(T a, T b, T c) {
  return a * b + c;
}
template <std::floating_point T>
constexpr integer_of<T> bits(T x) {
  return std::bit_cast<integer_of<T>>(x);
}
template <std::floating_point T>
constexpr T from_bits(T, integer_of<T> i) {
  return std::bit_cast<T>(i);
}
template <std::floating_point T>
constexpr T to_real(T, integer_of<T> i) {
  return static_cast<T>(i);
}
/// `f(x)` where any lane is outside [-limit, limit], else `otherwise`.
template <std::floating_point T>
constexpr T beyond(T x, T limit, T otherwise, auto f) {
  if (std::is_constant_evaluated() || (x >= -limit && x <= limit)) return otherwise;
  return f(x);
}
template <std::floating_point T>
constexpr T root(T x) {
  if (!std::is_constant_evaluated()) return std::sqrt(x);
  if (!(x > 0) || x > std::numeric_limits<T>::max()) return x == 0 || x > 0 ? x : std::numeric_limits<T>::quiet_NaN();
  if (x > std::numeric_limits<T>::max() / 8) return 2 * root(x / 4);
  // Newton's method in long double, then the exact residual x - y² decides between neighbours.
  long double const wide = x;
  long double guess = x < 1 ? 1 : wide;
  for (long double next = (guess + wide / guess) / 2; next < guess; next = (guess + wide / guess) / 2) guess = next;
  T const y = static_cast<T>(guess);
  T const splitter = static_cast<T>((1LL << (std::numeric_limits<T>::digits + 1) / 2) + 1) * y;
  T const high = splitter - (splitter - y), low = y - high;  // T. Dekker, 1971
  T const residual = ((x - high * high) - 2 * high * low) - low * low;
  T const above = from_bits(y, bits(y) + 1), below = from_bits(y, bits(y) - 1), up = above - y, down = y - below;
  if (residual - y * up > up * up / 4) return above;  // the root lies beyond the middle between two numbers
  return residual + y * down < down * down / 4 ? below : y;
}

namespace detail {

template <class T>
inline constexpr int mantissa_bits = std::numeric_limits<T>::digits - 1;
template <class T>
inline constexpr int exponent_bias = std::numeric_limits<T>::max_exponent - 1;
/// Adding 1.5 * 2^mantissa_bits rounds to an integer and leaves it in the low bits.
template <class T>
inline constexpr T magic = sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0);

/// c[0] x^n + c[1] x^(n-1) + ... + c[n]
template <class V, class T, std::size_t N>
constexpr V polynomial(V x, T const (&c)[N]) {
  V sum(c[0]);
  for (std::size_t i = 1; i < N; ++i) sum = multiply_add(sum, x, V(c[i]));
  return sum;
}

template <class T>
struct coefficients;
/// exp: Cephes expf; log: fdlibm e_logf; sin, cos, tanh: Cephes sinf, tanhf.
template <>
struct coefficients<float> {
  static constexpr float exp[] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                                  4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
  static constexpr float log[] = {0.24279078841f, 0.28498786688f, 0.40000972152f, 0.66666662693f};
  static constexpr float sin[] = {-1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f};
  static constexpr float cos[] = {2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f};
  static constexpr float half_pi[] = {1.5703125f, 4.837512969970703e-4f, 7.549533620476723e-08f, 2.5633440682570896e-12f};
  static constexpr float tanh[] = {-5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f, 1.33314422036e-1f, -3.33332819422e-1f};
  static constexpr float tanh_divisor[] = {1.0f};
  static constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  static constexpr float exp_low = -104.0f, exp_high = 88.72283173f, tanh_high = 10.0f, trigonometric_limit = 8192.0f;
};
/// exp: 1/n!; log: fdlibm e_log; sin, cos: fdlibm k_sin, k_cos; tanh: Cephes tanh (rational).
template <>
struct coefficients<double> {
  static constexpr double exp[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                   1.0 / 5040,       1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2};
  static constexpr double log[] = {1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
                                   2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01};
  static constexpr double sin[] = {1.58969099521155010221e-10,  -2.50507602534068634195e-08, 2.75573137070700676789e-06,
                                   -1.98412698298579493134e-04, 8.33333333332248946124e-03,  -1.66666666666666324348e-01};
  static constexpr double cos[] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,  -2.75573143513906633035e-07,
                                   2.48015872894767294178e-05,  -1.38888888888741095749e-03, 4.16666666666666019037e-02};
  static constexpr double half_pi[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624871116645580e-21,
                                       8.47842766036889956997e-32};
  static constexpr double tanh[] = {-9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3};
  static constexpr double tanh_divisor[] = {1.0, 1.12811678491632931402e2, 2.23548839060100448583e3, 4.84406305325125486048e3};
  static constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  static constexpr double exp_low = -746.0, exp_high = 709.782712893384, tanh_high = 20.0, trigonometric_limit = 524288.0;
};

/// 2^i for integers in the exponent's range.
template <class V, class I>
constexpr V power_of_two(V like, I i) {
  using T = scalar_in<V>;
  return from_bits(like, (i + integer_of<T>(exponent_bias<T>)) << integer_of<T>(mantissa_bits<T>));
}

/// sin(x + quarter * pi/2), by Cody-Waite reduction in four parts; beyond the limit of that, the C library's.
template <class V>
constexpr V sine(V x, int quarter, auto library) {
  using T = scalar_in<V>;
  using c = coefficients<T>;
  V const shifted = multiply_add(x, V(T(0.63661977236758134308)), V(magic<T>));
  V const n = shifted - V(magic<T>);
  auto const q = bits(shifted) + integer_of<T>(quarter);
  V r = multiply_add(n, V(-c::half_pi[0]), x);
  r = multiply_add(n, V(-c::half_pi[1]), r);
  r = multiply_add(n, V(-c::half_pi[2]), r);
  r = multiply_add(n, V(-c::half_pi[3]), r);
  V const z = r * r;
  V const s = multiply_add(polynomial(z, c::sin) * z, r, r);
  V const k = multiply_add(polynomial(z, c::cos) * z, z, multiply_add(z, V(T(-0.5)), V(T(1))));
  auto const odd = -(q & integer_of<T>(1));
  auto const sign = (q & integer_of<T>(2)) << integer_of<T>(8 * sizeof(T) - 2);
  return beyond(x, V(c::trigonometric_limit), from_bits(x, ((bits(k) & odd) | (bits(s) & ~odd)) ^ sign), library);
}

}  // namespace detail

/// 1 where the condition holds, else 0.
template <class C, class V>
constexpr V indicator(C condition, V) {
  using T = scalar_in<V>;
  return select(condition, V(T(1)), V(T(0)));
}

/// `a` where `c` is not 0, else `b`.
template <class V>
constexpr V choose(V c, V a, V b) {
  return select(c == V(scalar_in<V>(0)), b, a);
}

/// max(x, 0); NaN stays.
template <class V>
constexpr V relu(V x) {
  V const zero(scalar_in<V>(0));
  return select(x < zero, zero, x);
}

/// The larger operand; NaN if either is NaN.
template <class V>
constexpr V max(V a, V b) {
  return select(a > b, a, select(b >= a, b, a + b));
}

template <class V>
constexpr V sqrt(V x) {
  return root(x);
}

/// e^x = 2^n e^r with |r| <= ln(2) / 2; infinite beyond the largest x with a finite answer.
template <class V>
constexpr V exp(V x) {
  using T = scalar_in<V>;
  using c = detail::coefficients<T>;
  auto const overflows = x > V(c::exp_high);
  x = select(overflows, V(c::exp_high), select(x < V(c::exp_low), V(c::exp_low), x));
  V const shifted = multiply_add(x, V(T(1.44269504088896340736)), V(detail::magic<T>));
  V const n = shifted - V(detail::magic<T>);
  V const r = multiply_add(n, V(-c::ln2_low), multiply_add(n, V(-c::ln2_high), x));
  V const p = multiply_add(detail::polynomial(r, c::exp), r * r, r) + V(T(1));
  auto const i = bits(shifted) - bits(T(detail::magic<T>));
  auto const half = i >> integer_of<T>(1);  // in two steps, so that neither factor leaves the exponent's range
  V const y = p * detail::power_of_two(x, half) * detail::power_of_two(x, i - half);
  return select(overflows, V(std::numeric_limits<T>::infinity()), y);
}

/// log(2^k m) = k ln(2) + log(m) with m in [sqrt(1/2), sqrt(2)); fdlibm's series in s = f / (2 + f), f = m - 1.
template <class V>
constexpr V log(V x) {
  using T = scalar_in<V>;
  using c = detail::coefficients<T>;
  using limits = std::numeric_limits<T>;
  auto const subnormal = x < V(limits::min());
  V const larger = select(subnormal, x, V(T(0))) * V(T(1) / limits::epsilon());
  V const scaled = select(x > V(T(0)), select(subnormal, larger, x), V(T(1)));  // positive, so that its bits are a positive number
  auto const base = bits(T(0.70710678118654752440));
  auto const i = bits(scaled) - base;
  V const m = from_bits(x, (i & ((integer_of<T>(1) << detail::mantissa_bits<T>)-1)) + base);
  V const k = to_real(x, i >> integer_of<T>(detail::mantissa_bits<T>)) - select(subnormal, V(T(detail::mantissa_bits<T>)), V(T(0)));
  V const f = m - V(T(1));
  V const s = f / (f + V(T(2)));
  V const z = s * s;
  V const h = V(T(0.5)) * f * f;
  V const r = multiply_add(s, h + z * detail::polynomial(z, c::log), k * V(c::ln2_low));
  V const y = multiply_add(k, V(c::ln2_high), f - (h - r));
  return select(x > V(T(0)), select(x < V(limits::infinity()), y, x),
                select(x < V(T(0)), V(limits::quiet_NaN()), select(x >= V(T(0)), V(-limits::infinity()), x)));
}

template <class V>
constexpr V sin(V x) {
  return select(x == V(scalar_in<V>(0)), x, detail::sine(x, 0, [](auto one) { return std::sin(one); }));  // keeps the sign of 0
}
template <class V>
constexpr V cos(V x) {
  return detail::sine(x, 1, [](auto one) { return std::cos(one); });
}

/// Odd polynomial near 0, else 1 - 2 / (e^2|x| + 1) with the sign of x.
template <class V>
constexpr V tanh(V x) {
  using T = scalar_in<V>;
  using c = detail::coefficients<T>;
  auto const negative = x < V(T(0));
  V const magnitude = select(negative, -x, x);
  V const m = select(magnitude > V(c::tanh_high), V(c::tanh_high), magnitude);  // from here on the answer is 1
  V const z = m * m;
  V const small = multiply_add(detail::polynomial(z, c::tanh) / detail::polynomial(z, c::tanh_divisor) * z, m, m);
  V const large = V(T(1)) - V(T(2)) / (math::exp(m + m) + V(T(1)));
  V const y = select(m < V(T(0.625)), small, large);
  return select(negative, -y, select(x == V(T(0)), x, y));  // keeps the sign of 0
}

/// 1 / (1 + e^-x), without overflow on either side.
template <class V>
constexpr V sigmoid(V x) {
  using T = scalar_in<V>;
  auto const negative = x < V(T(0));
  V const e = math::exp(select(negative, x, -x));
  return select(negative, e, V(T(1))) / (V(T(1)) + e);
}

}  // namespace etch::inline ETCH_ABI::math
