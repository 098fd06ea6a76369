// The product of entries, as a balanced tree of products of halves: derivatives of all orders are right where entries
// are zero, without a division, and cost as much as the product itself.
#pragma once

#include <etch/op/reshape.hpp>

#include <bit>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// Halves begin at multiples of eight entries, so that registers are whole; what does not fit into them waits in pieces
/// of 8, 4, 2 and 1 entries until as many are left.
constexpr term product_along(term x, int axis) {
  fixed<term, 4> waiting{};
  auto const part = [&](int begin, int count) { return slice(x, region(axis, begin), count); };
  auto const wait = [&](int begin, int end) {
    for (int at = begin, log = 3; at < end; --log) {
      int const count = 1 << log;
      if (end - at < count) continue;
      term& there = waiting.entry[log];
      there = there.exists() ? there * part(at, count) : part(at, count);
      at += count;
    }
  };
  for (;;) {
    int const n = x.extent()[axis],
              whole = n >= 16 ? n / 16 * 16 : static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
    wait(whole, n);
    if (whole != n && whole < 16) x = part(0, whole);
    if (whole < 16) {
      term& there = waiting.entry[std::countr_zero(static_cast<unsigned>(whole)) & 3];  // 1, 2, 4 or 8
      if (there.exists()) x = x * there;
      there = {};
    }
    if (whole == 1) return x;
    x = part(0, whole / 2) * part(whole / 2, whole / 2);
  }
}

}  // namespace detail

/// Product of all entries, or along the given axes, which stay with extent 1.
template <int... Axis, static_handle X>
constexpr auto prod(X const& x) {
  if constexpr (!(detail::has_axis<X, Axis>() && ...)) {
    return detail::instead_of<typename X::scalar_type, shape{}>(x);
  } else if constexpr (X::extent.counted != 0 && (sizeof...(Axis) == 0 || (X::extent.is_counted(Axis) || ...))) {
    error::operation_has_no_run_time_count<X>();  // halves are picked by position
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

ETCH_NAMESPACE_END
