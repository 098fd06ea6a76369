// jacobian_map: value and Jacobian of a small program at many points, in lanes.
#pragma once

#include <etch/rewrite/jacobian.hpp>
#include <etch/transform/inner_function.hpp>
#include <etch/transform/map.hpp>

ETCH_NAMESPACE_BEGIN

/// The result of `jacobian_map`: the values side by side, and for every point the derivatives of the entries of its
/// value (down) by the entries of its columns (right).
template <class Value, class Jacobian>
struct point_jacobians {
  Value value;
  Jacobian jacobian;
};
template <class Value, class Jacobian>
point_jacobians(Value, Jacobian) -> point_jacobians<Value, Jacobian>;

namespace detail {

/// Calls `f` for every value in the columns at the positions that `Wrt` names; it names all where it is empty.
template <class Wrt, class... Columns>
constexpr void for_each_wanted(std::tuple<Columns...> const& columns, auto f) {
  auto const look_at = [&]<std::size_t At>(std::integral_constant<std::size_t, At>) {
    if constexpr (names(Wrt{}, At)) for_each_leaf(std::get<At>(columns), f);
  };
  [&]<std::size_t... At>(std::index_sequence<At...>) {
    (look_at(std::integral_constant<std::size_t, At>{}), ...);
  }(std::index_sequence_for<Columns...>{});
}
template <class Wrt, class... Columns>
consteval int entries_wanted(std::tuple<Columns...>*) {
  int entries = 0;
  for_each_wanted<Wrt>(std::tuple<Columns...>{},
                       [&]<class X>(X const&) { entries += static_cast<int>(X::extent.size()); });
  return entries;
}

}  // namespace detail

/// `f(x, ...)` and its Jacobian for every entry x of the last axis of `xs`, ... . `f` returns one traced value, of
/// m entries; the columns of the arguments at the positions in `Wrt` (all if there are none) have n entries
/// together. The result's `value` is what `map` returns, its `jacobian` has the shape [m, n, points], or [n,
/// points] where `f` returns a scalar. Docs: map.md.
template <class Wrt = wrt<>, class F, class... Xs>
constexpr auto jacobian_map(F const& f, Xs const&... xs) {
  if constexpr (detail::hold_places<Xs...>()) {
    return jacobian_map<Wrt>(f, detail::without_places(xs)...);
  } else if constexpr (!detail::have_columns<Xs...>()) {
    return point_jacobians<expr<double>, expr<double>>{};
  } else if constexpr ((detail::has_untyped_leaf<Xs>() || ...)) {
    return detail::with_typed_columns(f, [&](auto const&... x) { return jacobian_map<Wrt>(f, x...); }, xs...);
  } else {
    return detail::traced_at_points(
        [&](detail::point_tracer<Xs...>& tracer) {
          using R = std::remove_cvref_t<decltype(std::apply(f, tracer.columns))>;
          auto const y = detail::joined_structure<detail::element_among<R, Xs...>>(std::apply(f, tracer.columns),
                                                                                   tracer.body.loop().body);
          using Y = std::remove_const_t<decltype(y)>;
          using T = typename Y::scalar_type;
          constexpr int rows = static_cast<int>(Y::extent.size()),
                        columns = detail::entries_wanted<Wrt>(static_cast<decltype(tracer.columns)*>(nullptr)),
                        count = detail::point_tracer<Xs...>::count;
          sequence<int> leaves;
          detail::for_each_wanted<Wrt>(tracer.columns, [&](auto const& x) { leaves.push_back(x.id); });
          tracer.body.add_output(loop_output::stack, y);
          loop_body& l = tracer.body.loop();
          sequence<int> values, none;
          values.push_back(l.body.outputs[0]);
          int const jacobian_node = pass::jacobian_of(l.body, values, leaves, none);
          l.body.outputs[0] = values[0];
          l.body.outputs.push_back(jacobian_node);
          l.out.push_back(loop_output::stack);
          tracer.finish(xs...);
          auto const value = tracer.body.template take<detail::stack_of<Y, count>>(0);
          auto const flat =
              tracer.body.template take<typename expr_type<T, make_shape(rows * columns, count), false>::type>(1);
          constexpr shape whole = Y::extent.rank == 0 ? make_shape(columns, count) : make_shape(rows, columns, count);
          return point_jacobians{value, detail::in_shape<whole>(flat)};
        },
        xs...);
  }
}

ETCH_NAMESPACE_END
