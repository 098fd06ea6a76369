// map, sum_map: a small program at many points. The points are taken several at a time, one in each lane of a register.
#pragma once

#include <etch/transform/scan.hpp>

namespace etch::inline ETCH_ABI {

namespace detail {

/// `f` as the body of a loop of points over the columns of `xs`; the results are of the kind `y`.
template <yield Y, class F, class... Xs>
constexpr auto traced_points(F const& f, Xs const&... xs) {
  constexpr int count = steps_of<std::tuple<Xs...>>();
  graph* outer = nullptr;
  (for_each_leaf(xs, [&](auto const& x) { outer = innermost(outer, x.owner); }), ...);
  loop_tracer tracer(outer);
  // One after the other: the inputs are in the order of the operands.
  std::tuple const columns{map_leaves([&]<class X>(X const&) { return tracer.add_input<slice_of<X>>(feed::slice); }, xs)...};
  auto const returned = std::apply(f, columns);
  for_each_leaf(returned, [&](auto const& y) { tracer.add_output(Y, y); });

  graph& g = tracer.outer();
  sequence<int> operands;
  (for_each_leaf(xs, [&](auto const& x) { operands.push_back(joined(x, g).id); }), ...);
  tracer.finish(count, true, operands, true);
  int r = 0;
  return map_leaves(
      [&]<class X>(X const&) {
        if constexpr (Y == yield::sum) return tracer.take<X>(r++);
        else return tracer.take<stack_of<X, count>>(r++);
      },
      returned);
}

/// Whether the columns of `Xs` can be walked through side by side; names the mistake otherwise.
template <class... Xs>
constexpr bool have_columns() {
  if constexpr (!(is_structure<Xs, false>() && ...)) return error::loop_value_is_unknown<std::tuple<Xs...>>(), false;
  else if constexpr (steps_of<std::tuple<Xs...>>() == 0) return error::slices_have_no_common_count<std::tuple<Xs...>>(), false;
  else return true;
}

}  // namespace detail

/// `f(x, ...)` for every entry x of the last axis of `xs`, ... : the results side by side along a new last axis, a tuple of them where `f`
/// returns one. Each of `xs` is a traced value, or a tuple or array of them. `f` may capture traced values. Gradients flow to `xs` and to
/// what is captured. Docs: map.md.
template <class F, class... Xs>
constexpr auto map(F const& f, Xs const&... xs) {
  return detail::traced_points<yield::stack>(f, xs...);
}

/// The same, with the results added up.
template <class F, class... Xs>
constexpr auto sum_map(F const& f, Xs const&... xs) {
  return detail::traced_points<yield::sum>(f, xs...);
}

}  // namespace etch::inline ETCH_ABI
