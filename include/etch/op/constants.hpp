// Constants that belong to no graph yet: they join the one they meet, in the element type they meet.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI {

/// A constant tensor whose element type is that of the other operand.
template <int... Dims>
struct constant_expr : expr<float, Dims...> {
  static constexpr bool untyped = true;
  constexpr constant_expr(int kind, double value) : expr<float, Dims...>(nullptr, kind) { this->immediate = value; }
};

/// Constants are scaled before they meet a graph.
template <scalar S, int... Dims>
constexpr auto operator*(S const& s, constant_expr<Dims...> const& c) {
  return constant_expr<Dims...>(c.id, static_cast<double>(s) * c.immediate);
}
template <scalar S, int... Dims>
constexpr auto operator*(constant_expr<Dims...> const& c, S const& s) {
  return s * c;
}
template <scalar S, int... Dims>
constexpr auto operator/(constant_expr<Dims...> const& c, S const& s) {
  return constant_expr<Dims...>(c.id, c.immediate / static_cast<double>(s));
}
template <int... Dims>
constexpr auto operator-(constant_expr<Dims...> const& c) {
  return -1 * c;
}

/// The identity matrix.
template <int N>
constexpr auto identity() {
  return constant_expr<N, N>(identity_id, 1);
}
/// Every entry `value`.
template <int... Dims>
constexpr auto full(double value) {
  return constant_expr<Dims...>(-1, value);
}
template <int... Dims>
constexpr auto zeros() {
  return full<Dims...>(0);
}
template <int... Dims>
constexpr auto ones() {
  return full<Dims...>(1);
}

}  // namespace etch::inline ETCH_ABI
