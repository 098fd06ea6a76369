// jvp: the derivative of a function in a direction, as a function that can be traced,
// compiled and differentiated itself.
#pragma once

#include <etch/transform/plain_call.hpp>
#include <etch/transform/tangent.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class... X>
constexpr auto directions_do_not_match() {
  static_assert(never<X...>,
                "etch: jvp(f) takes the arguments of f and then a direction for each of them, of the same types");
  return mistake{};
}
}  // namespace error

namespace detail {

/// (x..., v...) -> f(x...), and its derivative along v....
template <class F>
struct derivative_along {
  [[no_unique_address]] F f;

  template <class... A>
  using values = typename decltype([]<std::size_t... I>(std::index_sequence<I...>) {
    using Y = plain_result_of<F, std::tuple_element_t<I, std::tuple<A...>>...>;
    return std::type_identity<std::tuple<Y, Y>>{};
  }(std::make_index_sequence<sizeof...(A) / 2>{}))::type;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr (sizeof...(X) == 0 || sizeof...(X) % 2 != 0) {
      error::directions_do_not_match<X...>();
      note_mistake_in(x...);
      return std::tuple(expr<double>(), expr<double>());
    } else if constexpr (!(holds_traced<X>() || ...)) {
      return plain_call(*this, x...);
    } else {
      constexpr std::size_t arity = sizeof...(X) / 2;
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto const all = std::tie(x...);
        return traced(graph_around(x...), std::tie(std::get<arity + I>(all)...), std::get<I>(all)...);
      }(std::make_index_sequence<arity>{});
    }
  }

 private:
  template <class... V, class... X>
  constexpr auto traced(graph* around, std::tuple<V const&...> const& directions, X const&... x) const {
    if constexpr (has_tangents<wrt<>, X...>)
      return at_origins<wrt<>>(
          [&]<class G>(G const& of_tangents, auto const&... y) {
            return std::apply([&](auto const&... v) { return derivative_along<G>{of_tangents}(y..., v...); },
                              directions);
          },
          f, x...);
    else return in_flat_space(around, directions, x...);
  }
  template <class... V, class... X>
  constexpr auto in_flat_space(graph* around, std::tuple<V const&...> const& directions, X const&... x) const {
    using inner = inner_call<element_among<X..., V...>, decltype(positions_of<wrt<>, sizeof...(X)>()), X...>;
    inner call(around, x...);
    if constexpr (!matches<V...>(std::type_identity<typename inner::Arguments>{})) {
      error::directions_do_not_match<X..., V...>();
      call.stand_in();
      return std::tuple(expr<double>(), expr<double>());
    } else if constexpr (!inner::template is_sound<F, false>()) {
      return std::tuple(std::get<0>(call.stand_in()), std::get<0>(call.arguments));
    } else {
      auto along = call.arguments;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (assign(std::get<I>(along), whole_on_graph(std::get<I>(directions)), call.inside.body()), ...);
      }(std::index_sequence_for<X...>{});
      auto const y = call.call(f);
      call.inside.template rewrite<pass::take_derivatives_along>(call.inside.nodes_of(y), call.nodes(),
                                                                 call.inside.nodes_of(along));
      auto const value = call.inside.take_like(y), derivative = call.inside.take_like(y);
      return std::tuple(value, derivative);
    }
  }
  template <class... V, class... X>
  static consteval bool matches(std::type_identity<std::tuple<X...>>) {
    return (fits_into<X, std::remove_cvref_t<decltype(whole_on_graph(std::declval<V const&>()))>>() && ...);
  }
};

}  // namespace detail

/// The function (x..., v...) -> (f(x...), derivative of f at x... in the direction v...): each v has the type of
/// its x, or is a number where that is a scalar, and the derivative has the type of the result, of which there
/// may be a tuple. It may be compiled, differentiated, put on a tape, and be the f of another jvp. Integers among
/// the x have directions that are not read.
template <class F>
constexpr detail::derivative_along<F> jvp(F const& f) {
  return {f};
}

ETCH_NAMESPACE_END
