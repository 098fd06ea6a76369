// Piecewise linear activation functions, and hard_swish, which is made of one.
#pragma once

#include <etch/op/rounding.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// max(x, 0).  y' is 1 where y > 0, else 0 (also at 0), and NaN where x is.
struct relu : elementwise<1> {
  static constexpr auto name = "relu";
  static constexpr auto formula = "max(x, 0)";
  static constexpr auto kinks = "gradient 0 at 0";
  static constexpr interval domain{0.25, 4};
  [[gnu::always_inline]] static constexpr auto value(auto x) { return math::relu(x); }
  static constexpr auto pullback(auto g, auto y, auto) {
    return operands{emit<select>(0, less_than(0, y), g, y)};  // elsewhere y is 0 or NaN, and so is the gradient
  }
};

/// min(max(x, 0), 6).  y' = 1 between the kinks; at and beyond them 0.
struct relu6 : elementwise<1> {
  static constexpr auto name = "relu6";
  static constexpr auto formula = "min(max(x, 0), 6)";
  static constexpr auto kinks = "gradient 0 at 0 and 6";
  static constexpr interval domain{0.25, 5.75};
  template <class V>
  ETCH_DETAIL_INLINED static constexpr V value(V x) {
    return math::min(math::relu(x), V(math::scalar_in<V>(6)));
  }
  static constexpr auto pullback(auto g, auto y, auto) {
    return operands{
        emit<select>(0, less_than(0, y), emit<select>(0, less_than(y, 6), g, constant(*g.owner, g->type, 0)), y)};
  }
};

/// x where x > 0, else slope x.  At 0 the derivative is the slope.
struct leaky_relu : elementwise<2> {
  static constexpr auto name = "leaky_relu";
  static constexpr auto formula = "x > 0 ? x : slope x";
  static constexpr auto kinks = "gradient slope at 0";
  static constexpr interval domain{-4, 4};
  template <class V>
  ETCH_DETAIL_INLINED static constexpr V value(V x, V slope) {
    using math::select;
    return select(x > V(math::scalar_in<V>(0)), x, slope * x);
  }
  static constexpr auto pullback(auto g, auto, auto x, auto slope) {
    auto const positive = less_than(0, x);
    auto const along = emit<select>(0, emit<equal>(0, x, x), slope, x);  // NaN where x is
    return operands{emit<select>(0, positive, g, g * along),
                    emit<select>(0, positive, constant(*g.owner, g->type, 0), g * x)};
  }
};

/// min(max(x, -1), 1).  y' = 1 between the kinks; at and beyond them 0.
struct hard_tanh : elementwise<1> {
  static constexpr auto name = "hard_tanh";
  static constexpr auto formula = "min(max(x, -1), 1)";
  static constexpr auto kinks = "gradient 0 at -1 and 1";
  static constexpr interval domain{-0.75, 0.75};
  template <class V>
  ETCH_DETAIL_INLINED static constexpr V value(V x) {
    using T = math::scalar_in<V>;
    return math::min(math::max(x, V(T(-1))), V(T(1)));
  }
  static constexpr auto pullback(auto g, auto y, auto) {
    return operands{emit<select>(0, less_than(emit<abs>(0, y), 1), g, zero_or_nan(y))};
  }
};

/// relu6(x + 3) / 6.  y' = 1/6 between the kinks; at and beyond them 0.
struct hard_sigmoid : elementwise<1> {
  static constexpr auto name = "hard_sigmoid";
  static constexpr auto formula = "min(max(x + 3, 0), 6) / 6";
  static constexpr auto kinks = "gradient 0 at -3 and 3";
  static constexpr interval domain{-2.75, 2.75};
  static constexpr int cost = 6;
  template <class V>
  ETCH_DETAIL_INLINED static constexpr V value(V x) {
    using T = math::scalar_in<V>;
    return relu6::value(x + V(T(3))) / V(T(6));
  }
  static constexpr auto pullback(auto g, auto y, auto x) {
    return operands{emit<select>(0, less_than(emit<abs>(0, x), 3), g / 6, zero_or_nan(y))};
  }
};

/// x hard_sigmoid(x).  y' = (2 x + 3) / 6 between the kinks, 0 from -3 down, 1 from 3 up.
struct hard_swish : elementwise<1> {
  static constexpr auto name = "hard_swish";
  static constexpr auto formula = "x hard_sigmoid(x)";
  static constexpr auto kinks = "gradient 0 at -3, 1 at 3";
  static constexpr interval domain{-2.75, 2.75};
  static constexpr int cost = 8;
  template <class V>
  ETCH_DETAIL_INLINED static constexpr V value(V x) {
    using T = math::scalar_in<V>;
    using math::select;
    return select(x <= V(T(-3)), V(T(0)), x * hard_sigmoid::value(x));  // -inf would be multiplied by 0
  }
  static constexpr auto pullback(auto g, auto, auto x) {
    auto const outside = emit<select>(0, less_than(0, x), g, zero_or_nan(x));
    return operands{emit<select>(0, less_than(emit<abs>(0, x), 3), g * ((2 * x + 3) / 6), outside)};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// max(x, 0) of every entry. The shape of `x`.
template <handle X>
constexpr auto relu(X const& x) {
  return apply<op::relu>(x);
}
/// min(max(x, 0), 6) of every entry. The shape of `x`.
template <handle X>
constexpr auto relu6(X const& x) {
  return apply<op::relu6>(x);
}
/// x where it is above 0, else `slope` x, entry by entry. The slope may be a number, a traced scalar, or a tensor that
/// broadcasts (one slope a channel); it has a gradient of its own.
template <handle X, class S = double>
  requires operand_pair<X, S>
constexpr auto leaky_relu(X const& x, S const& slope = 0.01) {
  return combine<op::leaky_relu>(x, slope);
}
/// x clamped to [-1, 1], entry by entry. The shape of `x`.
template <handle X>
constexpr auto hard_tanh(X const& x) {
  return apply<op::hard_tanh>(x);
}
/// x / 6 + 1/2 clamped to [0, 1], entry by entry. The shape of `x`.
template <handle X>
constexpr auto hard_sigmoid(X const& x) {
  return apply<op::hard_sigmoid>(x);
}
/// x hard_sigmoid(x) of every entry. The shape of `x`.
template <handle X>
constexpr auto hard_swish(X const& x) {
  return apply<op::hard_swish>(x);
}

ETCH_NAMESPACE_END
