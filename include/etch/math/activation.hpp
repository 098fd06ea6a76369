// Smooth activation functions over a number type V. The others are linear in pieces and need no formulas.
#pragma once

#include <etch/math/special.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

/// x / (1 + e^-v) for x and v of the same sign, where |v| <= 1100: x e^v / (1 + e^v) left of 0.
template <class W>
ETCH_DETAIL_INLINED constexpr word_of<W> logistic_part(W x, W v) {
  using V = word_of<W>;
  auto const negative = rounded(v) < V(0.0);
  auto const e = exp_of_working(-magnitude(v));
  W const numerator = select(negative, e.mantissa, given<W>(1)) * x;
  W const y = numerator / (shifted(e.mantissa, e.n) + V(1.0));
  return select(negative, rescaled(y, e.n), rounded(y));
}

/// `y`; beyond `from` x, which y rounds to there. NaN stays.
template <class V>
ETCH_DETAIL_INLINED constexpr V identity_beyond(scalar_in<V> from, V x, V y) {
  return select(x > V(from), x, select(x == x, y, x));
}
/// A `y` that has the sign of `x`, also at -0, is treated alike.
template <class V>
ETCH_DETAIL_INLINED constexpr V gated(scalar_in<V> from, V x, V y) {
  return identity_beyond(from, x, math::copysign(y, x));
}
/// `x` with its magnitude at most `most`; NaN becomes `most`.
template <class V>
ETCH_DETAIL_INLINED constexpr V bounded(V x, scalar_in<V> most) {
  return select(x < V(-most), V(-most), select(x < V(most), x, V(most)));
}

}  // namespace detail

/// 1 / (1 + e^-x), without overflow on either side; what rounding loses of the divisor s is made good by y (1 - l / s).
template <class V>
ETCH_DETAIL_INLINED constexpr V sigmoid(V x) {
  using T = scalar_in<V>;
  if (detail::is_nan_constant(x)) return x;
  auto const negative = x < V(T(0));
  V const e = math::exp(select(negative, x, -x));
  V const one(T(1));
  auto const [s, l] = fast_two_sum(one, e);
  V const y = quotient(select(negative, e, one), s);
  return y - as_written(y * (l * select(negative, one - y, y)));
}

/// log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), where e^-|x| has two words.
template <class V>
ETCH_DETAIL_INLINED constexpr V softplus(V x) {
  using T = scalar_in<V>;
  if (detail::is_nan_constant(x)) return x;
  V const clipped = detail::bounded(x, T(sizeof(T) == 4 ? 150 : 800)), zero(T(0));
  auto const [mantissa, n] = detail::exp_of(wide<V>{-math::abs(clipped), zero});
  V const power = detail::scaled(V(T(1)), n),
          y = detail::plus_log1p(select(clipped > zero, clipped, zero),
                                 wide<V>{mantissa.high * power, mantissa.low * power});
  return detail::identity_beyond(40, x,
                                 select(clipped > V(T(-40)), y, detail::scaled(mantissa.high + mantissa.low, n)));
}

/// log(sigmoid(x)) = -softplus(-x)
template <class V>
ETCH_DETAIL_INLINED constexpr V log_sigmoid(V x) {
  return -math::softplus(-x);
}

/// x / (1 + |x|)
template <class V>
ETCH_DETAIL_INLINED constexpr V softsign(V x) {
  using T = scalar_in<V>;
  V const size = math::abs(x), one(T(1));
  if (detail::is_nan_constant(x)) return x;
  auto const infinite = size == V(infinity<V>);
  return quotient(select(infinite, math::copysign(one, x), x), one + select(infinite, V(T(0)), size));
}

/// x, left of 0 alpha (e^x - 1)
template <class V>
ETCH_DETAIL_INLINED constexpr V elu(V x, V alpha) {
  using T = scalar_in<V>;
  auto const negative = x < V(T(0));
  return select(negative, alpha * math::expm1(select(negative, x, V(T(0)))), x);
}

inline constexpr double selu_scale = 1.0507009873554804934193349852946, selu_left = 1.7580993408473768599402175208123;

/// selu_scale x, left of 0 selu_left (e^x - 1), selu_left being scale times alpha (G. Klambauer et al., 2017).
template <class V>
ETCH_DETAIL_INLINED constexpr V selu(V x) {
  if (detail::is_nan_constant(x)) return x;
  return in_double(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using U = decltype(w);
        auto const negative = w < U(0.0);
        U const left = math::expm1(select(negative, w, U(0.0))), right = select(negative, U(0.0), w);
        return select(negative, U(selu_left) * left, U(selu_scale) * right);
      },
      x);
}

/// x Φ(x) = x erfc(-x / √2) / 2
template <class V>
ETCH_DETAIL_INLINED constexpr V gelu(V x) {
  return detail::computed(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::bounded(detail::rounded(w), 39), a = math::abs(input);
        W const u = detail::given<W>(0.7071067811865476, -4.833646656726457e-17) * a;
        auto const e = detail::exp_of_working(detail::given<W>(a) * a * U(-0.5));
        W const half = detail::times_scaled_erfc(e.mantissa * U(0.5), u);
        U const left = detail::rescaled(half * input, e.n);
        W const right = detail::sum_of<W>(U(1.0), -detail::rescaled(half, e.n)) * input;
        return detail::gated(38, detail::rounded(w), select(input < U(0.0), left, detail::rounded(right)));
      },
      x);
}

/// x / 2 (1 + tanh(√(2/π) (x + 0.044715 x³))) = x sigmoid(2 √(2/π) (x + 0.044715 x³))
template <class V>
ETCH_DETAIL_INLINED constexpr V gelu_tanh(V x) {
  return detail::computed(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const a = detail::bounded(detail::rounded(w), 23);
        W const cubic = detail::given<W>(0.07135481627260025, -6.175149918155315e-19) * a * a +
                        detail::given<W>(1.5957691216057308, -9.96930880911092e-17);
        return detail::gated(22, detail::rounded(w), detail::logistic_part(detail::given<W>(a), cubic * a));
      },
      x);
}

/// x sigmoid(x)
template <class V>
ETCH_DETAIL_INLINED constexpr V silu(V x) {
  return detail::computed(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        W const clipped = detail::given<W>(detail::bounded(detail::rounded(w), 800));
        return detail::gated(40, detail::rounded(w), detail::logistic_part(clipped, clipped));
      },
      x);
}

/// x tanh(softplus(x)) = x n / (n + 2), where n = e^x (e^x + 2); right of 0 both multiplied by e^-2x.
template <class V>
ETCH_DETAIL_INLINED constexpr V mish(V x) {
  return detail::computed(
      [](auto w) ETCH_DETAIL_INLINED_LAMBDA {
        using W = decltype(w);
        using U = detail::word_of<W>;
        U const input = detail::bounded(detail::rounded(w), 800), zero(0.0), two(2.0);
        auto const negative = input < zero;
        auto const e = detail::exp_of_working(-detail::magnitude(detail::given<W>(input)));
        W const small = detail::shifted(e.mantissa, e.n);
        W const left = small + two, right = small * two + U(1.0);
        W const n = select(negative, e.mantissa * left, right);
        W const divisor = select(negative, small * left + two, right + small * small * two);
        W const y = n * input / divisor;
        return detail::gated(40, detail::rounded(w), select(negative, detail::rescaled(y, e.n), detail::rounded(y)));
      },
      x);
}

}  // namespace math
ETCH_NAMESPACE_END
