// Constants that belong to no graph yet: they join the one they meet, in the element type they meet,
// and so does what follows from them.
#pragma once

#include <etch/op/compare.hpp>

ETCH_NAMESPACE_BEGIN

/// The identity matrix.
template <int N>
constexpr auto identity() {
  return constant_expr<undetermined, false, N, N>(identity_id, 1);
}
/// Every entry `value`.
template <int... Dims>
constexpr auto full(double value) {
  return constant_expr<undetermined, false, Dims...>(-1, value);
}
/// Zeros in the shape `Dims`, of the element type that they meet.
template <int... Dims>
constexpr auto zeros() {
  return full<Dims...>(0);
}
/// Ones in the shape `Dims`, of the element type that they meet.
template <int... Dims>
constexpr auto ones() {
  return full<Dims...>(1);
}

/// The number that a scalar constant is.
template <constant_handle X>
  requires(X::extent.rank == 0)
constexpr double value(X const& x) {
  return static_cast<double>(x);
}

ETCH_NAMESPACE_END
