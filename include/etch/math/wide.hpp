// wide: a number in two words, an unevaluated sum with about twice the digits, for formulas in
// which one word would lose an ulp.
#pragma once

#include <etch/math/number.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

/// `high + low`, where `low` is at most half an ulp of `high`.
template <class V>
struct wide {
  V high, low;
};

/// a + b exactly (D. Knuth); works on what is rounded already, so that no contraction changes it.
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> two_sum(V a, V b) {
  a = settled(a), b = settled(b);
  V const s = as_written(a + b), of_b = as_written(s - a);
  return {s, as_written(as_written(a - as_written(s - of_b)) + as_written(b - of_b))};
}
/// a + b exactly, where |a| >= |b| or a = 0 (T. Dekker, 1971).
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> fast_two_sum(V a, V b) {
  a = settled(a), b = settled(b);
  V const s = as_written(a + b);
  return {s, as_written(b - as_written(s - a))};
}
/// a b exactly, by fma where the target has it, else by splitting both into halves (T. Dekker, 1971): for
/// operands up to 2^900 (floats: 2^110).
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> two_product(V a, V b) {
  using T = scalar_in<V>;
  V const p = settled(a * b);
  if (fuses<V> && !__builtin_is_constant_evaluated()) return {p, as_written(fused(a, b, -p))};
  V const splitter(static_cast<T>((1LL << (std::numeric_limits<T>::digits + 1) / 2) + 1));
  V const a_scaled = settled(splitter * a), b_scaled = settled(splitter * b);
  V const a_high = as_written(a_scaled - as_written(a_scaled - a)), a_low = as_written(a - a_high);
  V const b_high = as_written(b_scaled - as_written(b_scaled - b)), b_low = as_written(b - b_high);
  V const most = as_written(as_written(a_high * b_high) - p), more = as_written(most + as_written(a_high * b_low));
  return {p, as_written(as_written(more + as_written(a_low * b_high)) + as_written(a_low * b_low))};
}

template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> operator-(wide<V> a) {
  return {-a.high, -a.low};
}
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> operator+(wide<V> a, wide<V> b) {
  wide<V> const s = two_sum(a.high, b.high);
  return fast_two_sum(s.high, s.low + (a.low + b.low));
}
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> operator+(wide<V> a, V b) {
  wide<V> const s = two_sum(a.high, b);
  return fast_two_sum(s.high, s.low + a.low);
}
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> operator*(wide<V> a, wide<V> b) {
  wide<V> const p = two_product(a.high, b.high);
  return fast_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> operator*(wide<V> a, V b) {
  wide<V> const p = two_product(a.high, b);
  return fast_two_sum(p.high, multiply_add(a.low, b, p.low));
}
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> operator/(wide<V> a, wide<V> b) {
  V const q = as_written(a.high / b.high);
  wide<V> const p = two_product(q, b.high);
  V const rest = as_written(as_written(a.high - p.high) - p.low);
  return fast_two_sum(q, (rest + (a.low - q * b.low)) / b.high);
}
/// The square root of a positive number.
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> root(wide<V> a) {
  V const y = root(a.high);
  wide<V> const square = two_product(y, y);
  V const rest = as_written(as_written(a.high - square.high) - square.low);
  return fast_two_sum(y, (rest + a.low) / (y + y));
}
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> select(auto condition, wide<V> a, wide<V> b) {
  return {select(condition, a.high, b.high), select(condition, a.low, b.low)};
}

namespace detail {

/// A constant given to 106 bits.
template <class V>
ETCH_DETAIL_INLINED constexpr wide<V> constant(double high, double low) {
  return {V(high), V(low)};
}

}  // namespace detail

}  // namespace math
ETCH_NAMESPACE_END
