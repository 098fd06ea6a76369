// The stable exponential family: logsumexp, softmax, log_softmax.
// Composites: each has a rule of its own, and expands into other ops once all derivatives are taken.
#pragma once

#include <etch/op/elementwise.hpp>
#include <etch/op/reduce.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// An op that `expand`s into others; the attribute holds axes as a reduction's does.
struct composite : composite_kind {
  static constexpr int arity = 1;
  static constexpr reach reaches = reach::along_axes;
  static constexpr auto separates = separable::not_reduced;
  static constexpr bool batches = true;
  static constexpr shape infer(attribute axes, shapes<1> const& x) {
    reduction::infer(axes, x);
    return x[0];
  }
  static std::string describe(node const& n) { return reduction::describe(n); }

 protected:
  /// x - m and m, the largest entry, 0 for -inf. Where an entry is m the difference is 0, also between infinities.
  static constexpr auto shifted(attribute axes, auto x) {
    auto const largest = emit<max>(axes, x), zero = constant(*x.owner, x->type, 0);
    auto const m = emit<select>(0, equal_to(largest, -math::infinity<double>), zero, largest);
    return std::pair{emit<select>(0, equal_to(x, m), zero, x - m), m};
  }
};

/// log(sum(e^x)) = m + log(sum(e^(x - m))), m the largest entry.  dy/dx = softmax(x), which unlike e^(x - y) has not
/// the rounding error of a large y in its exponent; 0 where all entries are -inf.
struct logsumexp : composite {
  static constexpr auto name = "logsumexp";
  static constexpr auto call = "logsumexp<0>(x)";
  static constexpr auto formula = "log(e^x1 + e^x2 + ...)";
  static constexpr auto kinks =
      "-inf with gradient 0 where all entries are -inf; entries of inf share the gradient evenly";
  static constexpr interval domain{-4, 4};
  static constexpr shape infer(attribute axes, shapes<1> const& x) { return reduction::infer(axes, x); }
  static constexpr auto expand(attribute axes, auto x) {
    auto const [z, m] = shifted(axes, x);
    return etch::log(emit<sum>(axes, etch::exp(z))) + m;
  }
  static constexpr auto pullback(auto g, auto y, auto x, attribute axes) {
    auto const nothing = equal_to(y, -math::infinity<double>);
    return operands{emit<select>(0, nothing, constant(*x.owner, x->type, 0), g * emit<softmax>(axes, x))};
  }
};

/// e^(x - logsumexp(x)).  dx = y (g - sum(y g)).
struct softmax : composite {
  static constexpr auto name = "softmax";
  static constexpr auto call = "softmax<0>(x)";
  static constexpr auto formula = "e^x / (e^x1 + e^x2 + ...)";
  static constexpr auto kinks = "NaN where all entries are -inf; entries of inf have equal parts of 1";
  static constexpr interval domain{-4, 4};
  static constexpr auto expand(attribute axes, auto x) {
    auto const e = etch::exp(shifted(axes, x).first);
    return e * (1 / emit<sum>(axes, e));  // a sum of at least 1
  }
  static constexpr auto pullback(auto g, auto y, auto, attribute axes) {
    return operands{y * (g - emit<sum>(axes, y * g))};
  }
};

/// x - logsumexp(x).  dx = g - e^y sum(g).
struct log_softmax : composite {
  static constexpr auto name = "log_softmax";
  static constexpr auto call = "log_softmax<0>(x)";
  static constexpr auto formula = "x - logsumexp(x)";
  static constexpr interval domain{-4, 4};
  static constexpr auto expand(attribute axes, auto x) {
    auto const z = shifted(axes, x).first;
    return z - etch::log(emit<sum>(axes, etch::exp(z)));
  }
  static constexpr auto pullback(auto g, auto y, auto, attribute axes) {
    return operands{g - etch::exp(y) * emit<sum>(axes, g)};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// Logarithm of the sum of exponentials, of all entries or along the given axes; finite wherever the result is.
template <int... Axis, handle X>
constexpr auto logsumexp(X const& x) {
  return apply<op::logsumexp, detail::axes<Axis...>>(x);
}
/// Exponentials scaled to sum 1 along the given axes (over all entries, where none is given).
template <int... Axis, handle X>
constexpr auto softmax(X const& x) {
  return apply<op::softmax, detail::axes<Axis...>>(x);
}
/// Logarithm of `softmax`, without its underflow.
template <int... Axis, handle X>
constexpr auto log_softmax(X const& x) {
  return apply<op::log_softmax, detail::axes<Axis...>>(x);
}

ETCH_NAMESPACE_END
