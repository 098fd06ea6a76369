// map, sum_map: a small program at many points. The points are taken several at a time, one in each lane of a register.
#pragma once

#include <etch/transform/scan.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// The columns of `xs` as inputs of `body`.
template <class X>
constexpr auto add_columns(loop_tracer& body, X const& xs) {
  return map_leaves([&]<class Leaf>(Leaf const&) { return body.add_input<slice_of<Leaf>>(loop_input::slice); }, xs);
}

/// The body of a loop of points over the columns of `Xs` while it is traced.
template <class... Xs>
class point_tracer {
 public:
  static constexpr int count = steps_of<std::tuple<Xs...>>();

  constexpr explicit point_tracer(loop_tracer& tracer, Xs const&... xs)
      : body(tracer), columns{add_columns(body, xs)...} {}

  /// The loop, whose outputs have been added. Results are then taken from `body`.
  constexpr void finish(Xs const&... xs) {
    graph& g = body.end();
    sequence<int> operands;
    (for_each_leaf(xs, [&](auto const& x) { operands.push_back(joined(x, g).id); }), ...);
    constexpr shape all = make_shape(count);
    body.finish(all[0], true, operands, true, all.counted != 0);
  }

  loop_tracer& body;
  std::tuple<decltype(add_columns(std::declval<loop_tracer&>(), std::declval<Xs const&>()))...> columns;
};

/// The result of `trace(tracer)` for a loop of points over the columns of `xs`.
template <class... Xs>
constexpr auto traced_at_points(auto const& trace, Xs const&... xs) {
  graph* outer = nullptr;
  (for_each_leaf(xs, [&](auto const& x) { outer = innermost(outer, x.owner); }), ...);
  return traced_in_place(outer, [&](loop_tracer& body) {
    point_tracer<Xs...> tracer(body, xs...);
    return trace(tracer);
  });
}

/// `f` at every point; the results are of the kind `Y`.
template <loop_output Y, class F, class... Xs>
constexpr auto traced_points(F const& f, Xs const&... xs) {
  if constexpr (!can_take<F, decltype(add_columns(std::declval<loop_tracer&>(), xs))...>()) {
    return without_steps(xs...);
  } else {
    return traced_at_points(
        [&](point_tracer<Xs...>& tracer) {
          constexpr bool stacks =
              Y == loop_output::stack;  // of which a struct has none among its members; of sums it has
          auto const made = in_tuples<stacks>(std::apply(f, tracer.columns));
          using R = std::remove_const_t<decltype(made)>;
          auto const returned = joined_structure<element_among<R, Xs...>>(made, tracer.body.loop().body);
          for_each_leaf(returned, [&](auto const& y) { tracer.body.add_output(Y, y); });
          tracer.finish(xs...);
          int r = 0;
          if constexpr (Y == loop_output::sum) {
            auto total = returned;
            for_each_leaf(total, [&]<class X>(X& x) { x = tracer.body.template take<X>(r++); });
            return total;
          } else {
            return map_leaves(
                [&]<class X>(X const&) {
                  constexpr int count = point_tracer<Xs...>::count;
                  if constexpr (X::extent.counted != 0 && count > counted_dimension)
                    error::two_axes_are_counted<X, Xs...>();
                  return tracer.body.template take<stack_of<X, count>>(r++);
                },
                returned);
          }
        },
        xs...);
  }
}

/// `points(xs...)`, where constants among the columns have the element type of the others, or
/// else of what `f` makes of them.
template <class F, class... Xs>
constexpr auto with_typed_columns(F const&, auto const& points, Xs const&... xs) {
  if constexpr (!(has_untyped_leaf<Xs>() || ...)) {
    return points(xs...);
  } else if constexpr (first_element_bytes<Xs...>() > 0) {
    return points(typed<element_among<Xs...>>(xs)...);
  } else {
    auto const slice = []<class X>(X const&) { return slice_of<X>{}; };
    return points(
        typed<element_among<std::remove_cvref_t<decltype(std::declval<F const&>()(map_leaves(slice, xs)...))>>>(xs)...);
  }
}

/// Whether there are columns to walk through side by side; names the mistake otherwise.
template <class... Xs>
constexpr bool have_columns() {
  if constexpr (!(is_structure<Xs>() && ...)) return error::loop_value_is_unknown<std::tuple<Xs...>>(), false;
  else if constexpr (steps_of<std::tuple<Xs...>>() == 0)
    return error::slices_have_no_common_count<std::tuple<Xs...>>(), false;
  else return true;
}

}  // namespace detail

/// `f(x, ...)` for every entry x of the last axis of `xs`, ... : the results side by side along a new last axis, a
/// tuple of them where `f` returns one, or a struct. Each of `xs` is a traced value, or a tuple, an array or a struct
/// of them. `f` may capture traced values. Gradients flow to `xs` and to what is captured. Docs: map.md.
template <class F, class... Xs>
constexpr auto map(F const& f, Xs const&... xs) {
  if constexpr (detail::hold_places<Xs...>()) return map(f, detail::without_places(xs)...);
  else if constexpr (detail::have_columns<Xs...>())
    return detail::with_typed_columns(
        f, [&](auto const&... x) { return detail::traced_points<loop_output::stack>(f, x...); }, xs...);
  else return expr<double>(0);
}

/// Maps, and adds up the results.
template <class F, class... Xs>
constexpr auto sum_map(F const& f, Xs const&... xs) {
  if constexpr (detail::hold_places<Xs...>()) return sum_map(f, detail::without_places(xs)...);
  else if constexpr (detail::have_columns<Xs...>())
    return detail::with_typed_columns(
        f, [&](auto const&... x) { return detail::traced_points<loop_output::sum>(f, x...); }, xs...);
  else return expr<double>(0);
}

ETCH_NAMESPACE_END
