// Functions of one variable, applied to each entry.
#pragma once

#include <etch/core/math.hpp>
#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

/// Exponential.  y' = y.
struct exp : transcendental<1> {
  static constexpr auto name = "exp";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return math::exp(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * y}; }
};

/// Natural logarithm.  y' = 1 / x; NaN where the logarithm is.
struct log : transcendental<1> {
  static constexpr auto name = "log";
  static constexpr interval domain{0.25, 4};
  static constexpr auto value(auto x) { return math::log(x); }
  static constexpr auto pullback(auto g, auto, auto x) {
    return operands{emit<select>(0, less_than(x, 0), constant(*x.owner, x->type, std::numeric_limits<double>::quiet_NaN()), g / x)};
  }
};

/// Square root.  y' = 1 / (2 y).
struct sqrt : transcendental<1> {
  static constexpr auto name = "sqrt";
  static constexpr interval domain{0.25, 4};
  static constexpr auto value(auto x) { return math::sqrt(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g / (2 * y)}; }
};

/// Square.  y' = 2 x.
struct square : elementwise<1> {
  static constexpr auto name = "square";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return x * x; }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{g * (2 * x)}; }
};

/// Hyperbolic tangent.  y' = 1 - y², so the way back needs only the answer.
struct tanh : transcendental<1> {
  static constexpr auto name = "tanh";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return math::tanh(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (1 - y * y)}; }
};

/// Logistic function 1 / (1 + e^-x).  y' = y (1 - y).
struct sigmoid : transcendental<1> {
  static constexpr auto name = "sigmoid";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return math::sigmoid(x); }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{g * (y * (1 - y))}; }
};

/// max(x, 0).  y' is 1 where y > 0, else 0 (also at 0), and NaN where x is.
struct relu : elementwise<1> {
  static constexpr auto name = "relu";
  static constexpr interval domain{0.25, 4};
  static constexpr auto value(auto x) { return math::relu(x); }
  static constexpr auto pullback(auto g, auto y, auto) {
    return operands{emit<select>(0, less_than(0, y), g, y)};  // elsewhere y is 0 or NaN, and so is the gradient
  }
};

/// Sine.
struct sin : transcendental<1> {
  static constexpr auto name = "sin";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return math::sin(x); }
  static constexpr auto pullback(auto g, auto, auto x);
};

/// Cosine.
struct cos : transcendental<1> {
  static constexpr auto name = "cos";
  static constexpr interval domain{-4, 4};
  static constexpr auto value(auto x) { return math::cos(x); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{-(g * emit<sin>(0, x))}; }
};

constexpr auto sin::pullback(auto g, auto, auto x) { return operands{g * emit<cos>(0, x)}; }

}  // namespace etch::inline ETCH_ABI::op

namespace etch::inline ETCH_ABI {

template <handle X>
constexpr auto exp(X const& x) {
  return apply<op::exp>(x);
}
template <handle X>
constexpr auto log(X const& x) {
  return apply<op::log>(x);
}
template <handle X>
constexpr auto sqrt(X const& x) {
  return apply<op::sqrt>(x);
}
template <handle X>
constexpr auto square(X const& x) {
  return apply<op::square>(x);
}
template <handle X>
constexpr auto tanh(X const& x) {
  return apply<op::tanh>(x);
}
template <handle X>
constexpr auto sigmoid(X const& x) {
  return apply<op::sigmoid>(x);
}
template <handle X>
constexpr auto relu(X const& x) {
  return apply<op::relu>(x);
}
template <handle X>
constexpr auto sin(X const& x) {
  return apply<op::sin>(x);
}
template <handle X>
constexpr auto cos(X const& x) {
  return apply<op::cos>(x);
}

}  // namespace etch::inline ETCH_ABI
