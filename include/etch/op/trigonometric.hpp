// Circular functions and their inverses.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

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
constexpr auto sin(X const& x) {
  return apply<op::sin>(x);
}
template <handle X>
constexpr auto cos(X const& x) {
  return apply<op::cos>(x);
}

}  // namespace etch::inline ETCH_ABI
