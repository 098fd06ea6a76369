// Smooth activation functions.
#pragma once

#include <etch/op/extremum.hpp>
#include <etch/op/special.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Logistic function 1 / (1 + e^-x).  y' = y (1 - y); precisely y sigmoid(-x), which keeps its digits where y is
/// near 1.
struct sigmoid : transcendental<1> {
  static constexpr auto name = "sigmoid";
  static constexpr auto formula = "1 / (1 + e^-x)";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::sigmoid(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (y * (1 - y))}; }
  static constexpr auto precise_pullback(auto g, auto y, auto x) { return operands{g * (y * emit<sigmoid>(0, -x))}; }
};

/// log(sigmoid(x)), never -inf for finite x.  y' = sigmoid(-x).
struct log_sigmoid : transcendental<1> {
  static constexpr auto name = "log_sigmoid";
  static constexpr auto formula = "log(sigmoid(x))";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::log_sigmoid(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * emit<sigmoid>(0, -x)}; }
};

/// log(1 + e^x) = max(x, 0) + log1p(e^-|x|), without overflow.  y' = sigmoid(x).
struct softplus : transcendental<1> {
  static constexpr auto name = "softplus";
  static constexpr auto formula = "log(1 + e^x)";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::softplus(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * emit<sigmoid>(0, x)}; }
};

/// x / (1 + |x|).  y' = 1 / (1 + |x|)²; smooth at 0, but for the second derivative.
struct softsign : elementwise<1> {
  static constexpr auto name = "softsign";
  static constexpr auto formula = "x / (1 + |x|)";
  static constexpr auto kinks = "second derivative 0 at 0";
  static constexpr interval domain{0.25, 4};
  static constexpr int cost = 6;
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::softsign(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    auto const divisor = 1 + emit<abs>(0, x);
    return operands{g / divisor / divisor};
  }
};

/// Whether a kinked function's right half applies: from 0 on, but not at NaN, which so
/// reaches the gradient by the left one.
constexpr term right_half(term x) { return emit<less_equal>(0, constant(*x.owner, x->type, 0), x); }
/// `x` where the condition holds, else `otherwise`: an operand for a branch that must be
/// finite also where it is not taken.
constexpr term only_where(term condition, term x, double otherwise) {
  return emit<select>(0, condition, x, constant(*x.owner, x->type, otherwise));
}
constexpr term only_left(term x) { return emit<select>(0, right_half(x), constant(*x.owner, x->type, 0), x); }

/// x from 0 on, else alpha (e^x - 1).  dy/dx left of 0 is y + alpha, precisely alpha e^x; at 0 it is 1, the limit from
/// the right.
struct elu : transcendental<2> {
  static constexpr auto name = "elu";
  static constexpr auto formula = "x >= 0 ? x : alpha (e^x - 1)";
  static constexpr auto kinks = "gradient 1 at 0";
  static constexpr interval domain{-4, -0.25};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x, auto alpha) { return math::elu(x, alpha); }
  static constexpr auto pullback(auto g, auto y, auto x, auto alpha) { return by(g, x, y + alpha); }
  static constexpr auto precise_pullback(auto g, auto, auto x, auto alpha) {
    return by(g, x, alpha * emit<exp>(0, only_left(x)));
  }

 private:
  static constexpr auto by(auto g, auto x, auto left) {
    return operands{g * emit<select>(0, right_half(x), constant(*x.owner, x->type, 1), left),
                    g * emit<expm1>(0, only_left(x))};
  }
};

/// Self-normalising elu, with fixed scale and alpha (G. Klambauer et al., 2017).  y' is scale from 0 on, else y + scale
/// alpha, precisely scale alpha e^x.
struct selu : transcendental<1> {
  static constexpr auto name = "selu";
  static constexpr auto formula = "1.0507 elu(x, 1.67326)";
  static constexpr auto kinks = "gradient 1.0507 at 0";
  static constexpr interval domain{-4, -0.25};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::selu(x); }
  static constexpr auto pullback(auto g, auto y, auto x) { return by(g, x, y + math::selu_left); }
  static constexpr auto precise_pullback(auto g, auto, auto x) {
    return by(g, x, math::selu_left * emit<exp>(0, only_left(x)));
  }

 private:
  static constexpr auto by(auto g, auto x, auto left) {
    return operands{g * emit<select>(0, right_half(x), constant(*x.owner, x->type, math::selu_scale), left)};
  }
};

/// `x` within [-most, most]: what a rule may multiply with a factor that has vanished before `most`, also at ±inf.
constexpr term within(double most, term x) {
  return emit<clamp>(0, x, constant(*x.owner, x->type, -most), constant(*x.owner, x->type, most));
}

/// sigmoid(x) and sigmoid(-x), both with all their digits, from the smaller of them.
struct logistic_pair {
  term rising, falling;
  constexpr explicit logistic_pair(term x) {
    auto const negative = less_than(x, 0);
    auto const smaller = emit<sigmoid>(0, emit<select>(0, negative, x, -x)), larger = 1 - smaller;
    rising = emit<select>(0, negative, smaller, larger), falling = emit<select>(0, negative, larger, smaller);
  }
};

/// x Φ(x), Φ the normal distribution.  y' = Φ(x) + x φ(x), with a zero at -0.7518; precisely Φ = y / x left of -1.
struct gelu : transcendental<1> {
  static constexpr auto name = "gelu";
  static constexpr auto formula = "x (1 + erf(x / √2)) / 2";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::gelu(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    auto const near = within(60, x);
    return by(g, near, distribution(x), emit<exp>(0, -0.5 * (near * near)));
  }
  static constexpr auto precise_pullback(auto g, auto y, auto x) {
    auto const near = within(60, x), left = less_than(x, -1), ratio = y / only_where(left, x, -1);
    return by(g, near, emit<select>(0, left, ratio, distribution(x)),
              emit<gaussian>(0, near, constant(*x.owner, x->type, 0.5)));
  }

 private:
  static constexpr auto distribution(auto x) { return 0.5 * emit<erfc>(0, -0.70710678118654752440 * x); }
  static constexpr auto by(auto g, auto near, auto distributed, auto bell) {
    return operands{g * (distributed + 0.39894228040143267794 * near * bell)};
  }
};

/// x sigmoid(v), v = √(8/π) (x + 0.044715 x³), gelu's older form with tanh.  y' = s (1 + x v' (1 - s)), s = sigmoid(v),
/// with a zero at -0.7525; precisely s = y / x left of -1, as v rounded loses digits of it.
struct gelu_tanh : transcendental<1> {
  static constexpr auto name = "gelu_tanh";
  static constexpr auto formula = "x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::gelu_tanh(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    auto const near = within(1000, x), s = emit<sigmoid>(0, inner(near));
    return by(g, near, s, 1 - s);
  }
  static constexpr auto precise_pullback(auto g, auto y, auto x) {
    auto const near = within(1000, x), left = less_than(x, -1), ratio = y / only_where(left, x, -1);
    logistic_pair const s(inner(near));
    return by(g, near, emit<select>(0, left, ratio, s.rising), emit<select>(0, left, 1 - ratio, s.falling));
  }

 private:
  static constexpr double linear = 1.5957691216057307117, cubic = 0.044715 * linear;
  static constexpr auto inner(auto x) { return x * (linear + cubic * (x * x)); }
  static constexpr auto by(auto g, auto x, auto s, auto rest) {
    return operands{g * (s * (1 + x * (linear + 3 * cubic * (x * x)) * rest))};
  }
};

/// x sigmoid(x), also called swish.  y' = s (1 + x sigmoid(-x)), s = sigmoid(x), with a zero at -1.2785.
struct silu : transcendental<1> {
  static constexpr auto name = "silu";
  static constexpr auto formula = "x sigmoid(x)";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::silu(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    logistic_pair const s(x);
    return operands{g * (s.rising * (1 + within(1000, x) * s.falling))};
  }
};

/// x tanh(softplus(x)).  y' = t + x s (1 - t²), s = sigmoid(x), with a zero at -1.1924; by q = sigmoid(-x), d = 1 + q²
/// is t = s (1 + q) / d and 1 - t² = 4 q² / d². Precisely t = y / x and s = e^x q left of -1.
struct mish : transcendental<1> {
  static constexpr auto name = "mish";
  static constexpr auto formula = "x tanh(softplus(x))";
  static constexpr interval domain{-4, 4};
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) { return math::mish(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    logistic_pair const s(x);
    auto const q = s.falling, square = q * q, divisor = 1 + square;
    return operands{g * (s.rising / divisor * (1 + q + 4 * within(1000, x) * square / divisor))};
  }
  static constexpr auto precise_pullback(auto g, auto y, auto x) {
    logistic_pair const s(x);
    auto const q = s.falling, square = q * q, divisor = 1 + square;
    auto const left = less_than(x, -1), there = only_where(left, x, -1), ratio = y / there;
    auto const t = emit<select>(0, left, ratio, s.rising * (1 + q) / divisor);
    auto const rest = emit<select>(0, left, 1 - ratio * ratio, 4 * square / (divisor * divisor));
    auto const rising = emit<select>(0, left, emit<exp>(0, there) * q, s.rising);
    return operands{g * (t + within(1000, x) * (rising * rest))};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// 1 / (1 + e^-x) of every entry, without overflow. The shape of `x`.
template <handle X>
constexpr auto sigmoid(X const& x) {
  return apply<op::sigmoid>(x);
}
/// log(sigmoid(x)) that stays finite, entry by entry.
template <handle X>
constexpr auto log_sigmoid(X const& x) {
  return apply<op::log_sigmoid>(x);
}
/// log(1 + e^x) that does not overflow, entry by entry.
template <handle X>
constexpr auto softplus(X const& x) {
  return apply<op::softplus>(x);
}
/// x / (1 + |x|) of every entry. The shape of `x`.
template <handle X>
constexpr auto softsign(X const& x) {
  return apply<op::softsign>(x);
}
/// x from 0 on, else `alpha` (e^x - 1).
template <class X, class Alpha>
  requires operand_pair<X, Alpha>
constexpr auto elu(X const& x, Alpha const& alpha) {
  return combine<op::elu>(x, alpha);
}
template <handle X>
constexpr auto elu(X const& x) {
  return combine<op::elu>(x, 1);
}
/// The scaled exponential linear unit (G. Klambauer et al., 2017) of every entry. The shape of `x`.
template <handle X>
constexpr auto selu(X const& x) {
  return apply<op::selu>(x);
}
/// x Φ(x), by the error function.
template <handle X>
constexpr auto gelu(X const& x) {
  return apply<op::gelu>(x);
}
/// The approximation of gelu by tanh.
template <handle X>
constexpr auto gelu_tanh(X const& x) {
  return apply<op::gelu_tanh>(x);
}
/// x sigmoid(x) of every entry. The shape of `x`.
template <handle X>
constexpr auto silu(X const& x) {
  return apply<op::silu>(x);
}
/// x tanh(log(1 + e^x)) of every entry (D. Misra, 2019). The shape of `x`.
template <handle X>
constexpr auto mish(X const& x) {
  return apply<op::mish>(x);
}

ETCH_NAMESPACE_END
