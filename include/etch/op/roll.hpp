// roll: entries moved along an axis; what leaves at one end comes in at the other.
#pragma once

#include <etch/op/concat.hpp>

ETCH_NAMESPACE_BEGIN

/// The entries moved by `Shift` along `Axis`, towards higher indices where it is positive: y[(i + Shift) mod n] = x[i].
template <int Axis, int Shift, static_handle X>
constexpr auto roll(X const& x) {
  if constexpr (!detail::has_axis<X, Axis>()) {
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else {
    constexpr int n = X::extent[Axis], last = (Shift % n + n) % n;  // so many entries come to the front
    if constexpr (last == 0) return x;
    else return concat<Axis>(slice<Axis, n - last, last>(x), slice<Axis, 0, n - last>(x));
  }
}

ETCH_NAMESPACE_END
