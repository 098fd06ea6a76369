// Sums, differences, products and quotients that may be constants: there a compiler refuses to compute what is NaN or
// overflows.
#pragma once

#include <etch/math/as_written.hpp>
#include <etch/math/number.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

template <std::floating_point T>
constexpr bool is_nan_of(T a, T b) {
  return a != a || b != b;
}
/// The infinity with the sign of a b.
template <std::floating_point T>
constexpr T infinity_of(T a, T b) {
  bool const negative = (std::bit_cast<integer_of<T>>(a) < 0) != (std::bit_cast<integer_of<T>>(b) < 0);
  return negative ? -infinity<T> : infinity<T>;
}

/// A power of 2 that brings what overflows back into range, taken twice, without a digit lost.
template <std::floating_point T>
inline constexpr T small_scale = [] {
  T s = 1;
  for (int i = 0; i <= std::numeric_limits<T>::max_exponent / 2; ++i) s /= 2;
  return s;
}();

template <std::floating_point T>
constexpr T constant_sum(T a, T b) {
  if (is_nan_of(a, b)) return not_a_number<T>;
  if (a == infinity<T> || a == -infinity<T>) return b == -a ? not_a_number<T> : a;
  T const half = a / 2 + b / 2;  // rounded as the sum is, where that is large
  return half > largest<T> / 2 || half < -largest<T> / 2 ? infinity_of(half, T(1)) : a + b;
}
template <std::floating_point T>
constexpr T constant_product(T a, T b) {
  if (is_nan_of(a, b)) return not_a_number<T>;
  T const m = a < 0 ? -a : a, n = b < 0 ? -b : b;
  if (m > largest<T> || n > largest<T>) return m == 0 || n == 0 ? not_a_number<T> : infinity_of(a, b);
  T const scale = small_scale<T>;
  if ((m * scale) * (n * scale) > largest<T> * scale * scale) return infinity_of(a, b);
  return a * b;
}
template <std::floating_point T>
constexpr T constant_quotient(T a, T b) {
  if (is_nan_of(a, b)) return not_a_number<T>;
  T const m = a < 0 ? -a : a, n = b < 0 ? -b : b;
  if (m > largest<T>) return n > largest<T> ? not_a_number<T> : infinity_of(a, b);
  if (n == 0) return m == 0 ? not_a_number<T> : infinity_of(a, b);
  T const scale = small_scale<T>;
  bool const is_huge = n <= scale && m * scale >= 1;  // so that the quotient of the next line would overflow itself
  if (n < 1 && (is_huge || (m * scale) / (n / scale) > largest<T> * scale * scale)) return infinity_of(a, b);
  return a / b;
}

}  // namespace detail

/// a + b, in constants also where that is NaN or overflows. Any other number type simply adds.
template <class A, class B>
[[gnu::always_inline]] constexpr auto sum(A a, B b) {
  if constexpr (std::floating_point<A> && std::same_as<A, B>)
    if (__builtin_is_constant_evaluated()) return detail::constant_sum(a, b);
  return a + b;
}
/// a - b, likewise.
template <class A, class B>
[[gnu::always_inline]] constexpr auto difference(A a, B b) {
  if constexpr (std::floating_point<A> && std::same_as<A, B>)
    if (__builtin_is_constant_evaluated()) return detail::constant_sum(a, -b);
  return a - b;
}
/// a b, likewise.
template <class A, class B>
[[gnu::always_inline]] constexpr auto product(A a, B b) {
  if constexpr (std::floating_point<A> && std::same_as<A, B>)
    if (__builtin_is_constant_evaluated()) return detail::constant_product(a, b);
  return a * b;
}
/// a / b, likewise.
template <class A, class B>
[[gnu::always_inline]] constexpr auto ratio(A a, B b) {
  if constexpr (std::floating_point<A> && std::same_as<A, B>)
    if (__builtin_is_constant_evaluated()) return detail::constant_quotient(a, b);
  if constexpr (requires { quotient(a, b); }) return quotient(a, b);
  else return a / b;
}

}  // namespace math
ETCH_NAMESPACE_END
