// Functions of a number type V that every other one here needs: a float, a double, or lanes of either
// (`machine/lanes.hpp` gives the same for lanes). Scalar, vector and constant evaluation run the same
// formulas; only contraction to fma may differ.
#pragma once

#include <etch/base/machine.hpp>
#include <etch/math/as_written.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace math {

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

template <class V>
inline constexpr bool is_float = sizeof(scalar_in<V>) == 4;
template <class V>
inline constexpr scalar_in<V> infinity =
    std::bit_cast<scalar_in<V>>(  // by its bits, which clang's -ffast-math does not warn of
        integer_of<scalar_in<V>>(is_float<V> ? 0x7f800000 : 0x7ff0000000000000));
template <class V>
inline constexpr scalar_in<V> not_a_number =
    std::bit_cast<scalar_in<V>>(integer_of<scalar_in<V>>(is_float<V> ? 0x7fc00000 : 0x7ff8000000000000));
/// The sign's bit.
template <class V>
inline constexpr integer_of<scalar_in<V>> sign_bit = std::numeric_limits<integer_of<scalar_in<V>>>::min();
template <class V>
inline constexpr scalar_in<V> largest = std::numeric_limits<scalar_in<V>>::max();

template <std::floating_point T>
constexpr T select(bool condition, T a, T b) {
  return condition ? a : b;
}
/// a b + c, rounded once where the target has fma, else twice.
template <std::floating_point T>
constexpr T multiply_add(T a, T b, T c) {
  return a * b + c;
}
/// Whether `fused` of numbers of type V is one instruction.
template <class V>
inline constexpr bool fuses = has_fma;
template <class V>
  requires requires { V::has_fma; }
inline constexpr bool fuses<V> = V::has_fma;
/// a b + c, rounded once; only where it `fuses`, and not in a constant.
template <std::floating_point T>
T fused(T a, T b, T c) {
  return std::fma(a, b, c);
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
  if (x >= -limit && x <= limit) return otherwise;
  return f(x);
}

/// The double nearest float, infinite beyond the largest: a constant may not overflow in a conversion.
constexpr float to_float(double x) {
  constexpr double overflow = 0x1.ffffffp+127;
  if (x >= overflow) return infinity<float>;
  return x <= -overflow ? -infinity<float> : static_cast<float>(x);
}
/// `f(x...)` computed in double and rounded to the type of `x`.
template <std::floating_point T>
constexpr T in_double(auto f, T x, std::same_as<T> auto... more) {
  if constexpr (is_float<T>) return to_float(f(static_cast<double>(x), static_cast<double>(more)...));
  else return f(x, more...);
}

template <std::floating_point T>
constexpr T root_of_constant(T x) {
  if (!(x > 0) || x > std::numeric_limits<T>::max()) return x == 0 || x > 0 ? x : not_a_number<T>;
  if (x > std::numeric_limits<T>::max() / 8) return 2 * root_of_constant(x / 4);
  // Newton's method in long double, then the exact residual x - y² decides between neighbours.
  long double const wide = x;
  long double guess = x < 1 ? 1 : wide;
  for (long double next = (guess + wide / guess) / 2; next < guess; next = (guess + wide / guess) / 2) guess = next;
  T const y = static_cast<T>(guess);
  T const splitter = static_cast<T>((1LL << (std::numeric_limits<T>::digits + 1) / 2) + 1) * y;
  T const high = splitter - (splitter - y), low = y - high;  // T. Dekker, 1971; a constant, which no flag reassociates
  T const residual = ((x - high * high) - 2 * high * low) - low * low;
  T const above = from_bits(y, bits(y) + 1), below = from_bits(y, bits(y) - 1), up = above - y, down = y - below;
  if (residual - y * up > up * up / 4) return above;  // the root lies beyond the middle between two numbers
  return residual + y * down < down * down / 4 ? below : y;
}

template <std::floating_point T>
constexpr T root(T x) {
  if (__builtin_is_constant_evaluated()) return root_of_constant(x);
  return as_written(std::sqrt(x));
}

/// `x` within [low, high]; NaN stays.
template <std::floating_point T>
constexpr T clamped(T x, T low, T high) {
  x = high < x ? high : x;
  return x < low ? low : x;
}

/// 1 where the condition holds, else 0.
template <class C, class V>
ETCH_DETAIL_INLINED constexpr V indicator(C condition, V) {
  using T = scalar_in<V>;
  return select(condition, V(T(1)), V(T(0)));
}

/// `a` where the condition holds, else `b`: `select`, where that is the name of an op.
template <class C, class V>
ETCH_DETAIL_INLINED constexpr V where(C condition, V a, V b) {
  return select(condition, a, b);
}

/// `a` where `c` is not 0, else `b`.
template <class V>
ETCH_DETAIL_INLINED constexpr V choose(V c, V a, V b) {
  return select(c == V(scalar_in<V>(0)), b, a);
}

/// The larger operand; NaN if either is NaN.
template <class V>
ETCH_DETAIL_INLINED constexpr V max(V a, V b) {
  return select(a > b, a, select(b >= a, b, select(a == a, b, a)));
}
/// The smaller operand; NaN if either is NaN.
template <class V>
ETCH_DETAIL_INLINED constexpr V min(V a, V b) {
  return select(a < b, a, select(b <= a, b, select(a == a, b, a)));
}

/// max(x, 0); NaN stays.
template <class V>
ETCH_DETAIL_INLINED constexpr V relu(V x) {
  V const zero(scalar_in<V>(0));
  return select(x < zero, zero, x);
}

template <class V>
ETCH_DETAIL_INLINED constexpr V abs(V x) {
  return from_bits(x, bits(x) & ~sign_bit<V>);
}
/// |x| with the sign bit of `sign`.
template <class V>
ETCH_DETAIL_INLINED constexpr V copysign(V x, V sign) {
  return from_bits(x, (bits(x) & ~sign_bit<V>) | (bits(sign) & sign_bit<V>));
}
/// -1, 0 or 1; a zero keeps its sign, NaN stays.
template <class V>
ETCH_DETAIL_INLINED constexpr V sign(V x) {
  using T = scalar_in<V>;
  return select(x > V(T(0)), V(T(1)), select(x < V(T(0)), V(T(-1)), x));
}

namespace detail {

template <class T>
inline constexpr int mantissa_bits = std::numeric_limits<T>::digits - 1;
template <class T>
inline constexpr int exponent_bias = std::numeric_limits<T>::max_exponent - 1;
/// Adding 1.5 * 2^mantissa_bits rounds to an integer and leaves it in the low bits.
template <class T>
inline constexpr T magic = sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0);

/// Whether `x` is a NaN in a constant, where the compiler does not compute with it.
template <class V>
ETCH_DETAIL_INLINED constexpr bool is_nan_constant(V x) {
  if constexpr (std::floating_point<V>) return __builtin_is_constant_evaluated() && x != x;
  else return false;
}

/// `Count` of the terms of c[0] x^n + c[1] x^(n-1) + ... + c[n], up to four, from `First` on,
/// over x^(n - First - Count + 1).
template <std::size_t First, std::size_t Count, class V, class T, std::size_t N>
[[gnu::always_inline]] constexpr V block_of_polynomial(V x, V square, T const (&c)[N]) {
  if constexpr (Count == 1) return V(c[First]);
  else if constexpr (Count == 2) return multiply_add(V(c[First]), x, V(c[First + 1]));
  else
    return multiply_add(block_of_polynomial<First, Count - 2>(x, square, c), square,
                        block_of_polynomial<First + Count - 2, 2>(x, square, c));
}
/// c[0] x^n + c[1] x^(n-1) + ... + c[n], by W. Horner's rule in x^4 for blocks of four terms,
/// which are independent of each other.
template <class V, class T, std::size_t N>
[[gnu::always_inline]] constexpr V polynomial(V x, T const (&c)[N]) {
  constexpr std::size_t first = (N - 1) % 4 + 1;
  V const square = N > 2 ? x * x : x, fourth = N > 4 ? square * square : x;
  V sum = block_of_polynomial<0, first>(x, square, c);
  [&]<std::size_t... I>(std::index_sequence<I...>) ETCH_DETAIL_INLINED_LAMBDA {
    ((sum = multiply_add(sum, fourth, block_of_polynomial<first + 4 * I, 4>(x, square, c))), ...);
  }(std::make_index_sequence<(N - 1) / 4>{});
  return sum;
}

/// 2^i for integers in the exponent's range.
template <class V, class I>
ETCH_DETAIL_INLINED constexpr V power_of_two(V like, I i) {
  using T = scalar_in<V>;
  return from_bits(like, (i + integer_of<T>(exponent_bias<T>)) << integer_of<T>(mantissa_bits<T>));
}
/// y 2^i, in two steps, so that neither factor leaves the exponent's range; or in one, where the
/// target has an instruction for it.
template <class V, class I>
ETCH_DETAIL_INLINED constexpr V scaled(V y, I i) {
  if constexpr (requires { scaled_by(y, y); }) return scaled_by(y, to_real(y, i));
  auto const half = i >> integer_of<scalar_in<V>>(1);
  return as_written(y * power_of_two(y, half)) * power_of_two(y, i - half);
}

/// x rounded to an integer, ties to even, with the sign of x. Numbers from 2^mantissa_bits on are whole.
template <class V>
ETCH_DETAIL_INLINED constexpr V to_even(V x) {
  using T = scalar_in<V>;
  if (is_nan_constant(x)) return x;
  V const whole(from_bits(T(0), integer_of<T>(mantissa_bits<T> + exponent_bias<T>) << mantissa_bits<T>));
  V const m = math::abs(x);
  return math::copysign(select(m < whole, as_written(m + whole) - whole, m), x);
}

/// x = number 2^offset with a normal number, for positive finite x; of any other x, the number is 1.
template <class V>
struct normal {
  V number, offset;
};
template <class V>
ETCH_DETAIL_INLINED constexpr normal<V> normalised(V x) {
  using T = scalar_in<V>;
  auto const subnormal = x < V(std::numeric_limits<T>::min());
  V const positive = select(x > V(T(0)), select(x < V(infinity<V>), x, V(T(1))), V(T(1)));
  V const lifted = select(subnormal, positive, V(T(0))) * V(T(1) / std::numeric_limits<T>::epsilon());
  return {select(lifted > V(T(0)), lifted, positive), select(subnormal, V(T(-mantissa_bits<T>)), V(T(0)))};
}

/// x = m 2^k with m in [sqrt(1/2), sqrt(2)), for normal positive x.
template <class V>
struct split {
  V m, k;
};
template <class V>
ETCH_DETAIL_INLINED constexpr split<V> split_at_root_half(V x) {
  using T = scalar_in<V>;
  auto const base = bits(T(0.70710678118654752440));
  auto const i = bits(x) - base;
  return {from_bits(x, (i & ((integer_of<T>(1) << mantissa_bits<T>)-1)) + base),
          to_real(x, i >> integer_of<T>(mantissa_bits<T>))};
}

}  // namespace detail

template <class V>
ETCH_DETAIL_INLINED constexpr V floor(V x) {
  if (detail::is_nan_constant(x)) return x;
  V const y = detail::to_even(x);
  return math::copysign(y - indicator(y > x, x), x);
}
template <class V>
ETCH_DETAIL_INLINED constexpr V ceil(V x) {
  if (detail::is_nan_constant(x)) return x;
  V const y = detail::to_even(x);
  return math::copysign(y + indicator(y < x, x), x);
}
/// Toward 0.
template <class V>
ETCH_DETAIL_INLINED constexpr V trunc(V x) {
  return math::copysign(math::floor(math::abs(x)), x);
}
/// To the nearest integer, halves away from 0.
template <class V>
ETCH_DETAIL_INLINED constexpr V round(V x) {
  using T = scalar_in<V>;
  if (detail::is_nan_constant(x)) return x;
  V const m = math::abs(x), y = math::floor(m), rest = m - select(m < V(infinity<V>), y, V(T(0)));
  return math::copysign(y + indicator(rest >= V(T(0.5)), x), x);
}

}  // namespace math
ETCH_NAMESPACE_END
