// Working numbers W, twice as precise as the answer: a double for a float, two words for a
// double. One formula over W serves both.
#pragma once

#include <etch/math/logarithm.hpp>

#include <initializer_list>

ETCH_NAMESPACE_BEGIN
namespace math::detail {

template <class V>
ETCH_DETAIL_INLINED constexpr V rounded(V x) {
  return x;
}
template <class V>
ETCH_DETAIL_INLINED constexpr V rounded(wide<V> x) {
  return x.high;
}
template <class W>
using word_of = decltype(rounded(W()));
template <class W>
inline constexpr bool is_wide = !std::is_same_v<W, word_of<W>>;

/// The number `high + low`, of which W may have but the high word.
template <class W, class High, class Low = double>
ETCH_DETAIL_INLINED constexpr W given(High high, Low low = Low(0.0)) {
  using V = word_of<W>;
  if constexpr (is_wide<W>) return {V(high), V(low)};
  else return V(high);
}
template <class W>
ETCH_DETAIL_INLINED constexpr W magnitude(W x) {
  return select(rounded(x) < word_of<W>(0.0), -x, x);
}
/// a + b of numbers of one word.
template <class W>
ETCH_DETAIL_INLINED constexpr W sum_of(word_of<W> a, word_of<W> b) {
  if constexpr (is_wide<W>) return two_sum(a, b);
  else return a + b;
}
/// a b of numbers of one word.
template <class W>
ETCH_DETAIL_INLINED constexpr W product_of(word_of<W> a, word_of<W> b) {
  if constexpr (is_wide<W>) return two_product(a, b);
  else return a * b;
}
/// c[0] x^n + ... + c[n], then continued with the constants of two words in `leads`.
template <class W, std::size_t N>
ETCH_DETAIL_INLINED constexpr W long_polynomial(W x, double const (&c)[N], auto... leads) {
  W sum = given<W>(polynomial(rounded(x), c));
  ((sum = sum * x + given<W>(leads.high, leads.low)), ...);
  return sum;
}
/// A constant to 106 bits.
struct words {
  double high, low;
};

/// mantissa 2^n
template <class W>
struct floating {
  W mantissa;
  decltype(bits(word_of<W>())) n;
};
/// e^x for |x| up to 1100, up to 709.78 of a working number of one word.
template <class W>
ETCH_DETAIL_INLINED constexpr floating<W> exp_of_working(W x) {
  if constexpr (is_wide<W>) {
    auto const [y, n] = exp_of(x);
    return {y, n};
  } else {
    return {short_exp(x), bits(x) - bits(x)};
  }
}
/// y 2^n, rounded once.
template <class W>
ETCH_DETAIL_INLINED constexpr word_of<W> rescaled(W y, auto n) {
  if constexpr (is_wide<W>) return scaled(y.high + y.low, n);
  else return y;
}
/// y 2^n as a working number; its low word may underflow.
template <class W>
ETCH_DETAIL_INLINED constexpr W shifted(W y, auto n) {
  if constexpr (is_wide<W>) {
    auto const power = scaled(word_of<W>(1.0), n);
    return {y.high * power, y.low * power};
  } else {
    return y;
  }
}
/// log(x 2^offset) for x in [2^-900, 2^900].
template <class W>
ETCH_DETAIL_INLINED constexpr W log_of_working(W x, word_of<W> offset) {
  if constexpr (is_wide<W>) return wide_log(x, offset);
  else return math::log(x);
}

/// `f(x...)` on working numbers, rounded to the type of the operands.
template <class V>
ETCH_DETAIL_INLINED constexpr V computed(auto f, V x, std::same_as<V> auto... more) {
  for (V operand : {x, more...})
    if (is_nan_constant(operand)) return operand;
  if constexpr (is_float<V>) return in_double(f, x, more...);
  else return f(given<wide<V>>(x), given<wide<V>>(more)...);
}

/// `f(c)` where the condition holds, else `g(c)`; of a scalar only one of them is computed.
template <class C>
ETCH_DETAIL_INLINED constexpr auto either(C c, auto f, auto g) {
  if constexpr (!std::same_as<C, bool>) return select(c, f(c), g(c));
  else if (c) return f(c);
  else return g(c);
}

/// Whether any lane of an indicator is 1.
template <class V>
ETCH_DETAIL_INLINED constexpr bool any(V indicator) {
  if constexpr (requires { indicator.across([](auto a, auto) ETCH_DETAIL_INLINED_LAMBDA { return a; }); })
    return indicator.across([](auto a, auto b) ETCH_DETAIL_INLINED_LAMBDA { return a + b; }) > 0;
  else return indicator > 0;
}

}  // namespace math::detail
ETCH_NAMESPACE_END
