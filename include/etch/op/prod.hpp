// The product of entries, as a balanced tree of products of halves: derivatives of all orders are right where entries are zero, without a
// division, and cost as much as the product itself.
#pragma once

#include <etch/op/reshape.hpp>

namespace etch::inline ETCH_ABI {

namespace detail {

constexpr term product_along(term x, int axis) {
  term odd{};  // what did not fit into the halves
  auto const part = [&](int begin, int count) { return slice(x, region(axis, begin), count); };
  while (x.extent()[axis] > 1) {
    int const n = x.extent()[axis], half = n / 2;
    if (n % 2 != 0) odd = odd.exists() ? odd * part(n - 1, 1) : part(n - 1, 1);
    x = part(0, half) * part(half, half);
  }
  return odd.exists() ? x * odd : x;
}

}  // namespace detail

/// Product of all entries, or along the given axes, which stay with extent 1.
template <int... Axis, static_handle X>
constexpr auto prod(X const& x) {
  if constexpr (!(detail::has_axis<X, Axis>() && ...)) {
    return detail::instead_of<typename X::scalar_type, shape{}>(x);
  } else if constexpr (sizeof...(Axis) == 0) {
    return detail::computed<shape{}>(x, [](term t) {
      t = emit_to<op::reshape>(make_shape(t.extent().size()), t);
      return fit(detail::product_along(t, 0), shape{});
    });
  } else {
    constexpr shape target = [] {
      shape s = X::extent;
      ((s[Axis] = 1), ...);
      return s;
    }();
    return detail::computed<target>(x, [](term t) {
      ((t = detail::product_along(t, Axis)), ...);
      return t;
    });
  }
}

}  // namespace etch::inline ETCH_ABI
