// tangent: a function of manifolds as a function of tangent vectors, at the origin of their spaces: what is
// differentiated where an argument is a manifold, or holds one.
#pragma once

#include <etch/core/tangent.hpp>
#include <etch/transform/inner_function.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Whether an argument of types `X` that `Wrt` names is differentiated along tangent vectors.
template <class Wrt, class... X>
inline constexpr bool has_tangents = []<std::size_t... I>(std::index_sequence<I...>) {
  return ((names(Wrt{}, I) && holds_curved<X>()) || ...);
}(std::index_sequence_for<X...>{});

/// The traced value `x` with zero tangent vectors of the graph `g` in the place of manifolds; a struct that holds some
/// is a tuple of its members.
template <class X>
constexpr auto origin_of(X const& x, graph& g) {
  if constexpr (curved<X>) {
    using V = typename X::tangent;
    return make_handle<V>(&g, fit(constant(g, element_of<typename V::scalar_type>, 0), V::extent).id);
  } else if constexpr (holds_curved<X>()) {
    return map_parts([&](auto const& part) { return origin_of(part, g); }, x);
  } else {
    return x;
  }
}
/// The point that the tangent vectors `v` lead to from `x`; what is no manifold is as in `v`. Derivatives at 0 are
/// taken of it, two at most, so that a function which agrees with `retract` to second order serves where there is one,
/// unless `Exactly`.
template <bool Exactly = false, class X, class V>
constexpr auto retracted(X const& x, V const& v) {
  if constexpr (curved<X>) {
    if constexpr (!Exactly && requires { retract_nearby(x, v); }) return retract_nearby(x, v);
    else return retract(x, v);
  } else if constexpr (holds_curved<X>()) {
    X y = x;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (put(part_of<I>(y), retracted<Exactly>(part_of<I>(x), part_of<I>(v))), ...);
    }(indices_of<X>());
    return y;
  } else {
    return v;
  }
}
/// Calls `f(v)` for each tangent vector in `v`.
template <class X, class V>
constexpr void for_each_tangent(V const& v, auto const& f) {
  if constexpr (curved<X>) {
    f(v);
  } else if constexpr (holds_curved<X>()) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_tangent<std::remove_cvref_t<decltype(part_of<I>(std::declval<X&>()))>>(part_of<I>(v), f), ...);
    }(indices_of<X>());
  }
}

/// v... -> f(x retracted by v...), for the arguments that `Wrt` names; others are as f takes them.
template <class F, class Wrt, class... X>
struct on_tangents {
  [[no_unique_address]] F f;
  std::tuple<X...> at;

  template <class... Y>
    requires(sizeof...(Y) == sizeof...(X))
  constexpr auto operator()(Y const&... y) const {
    auto const given = std::tie(y...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return f(argument_at<I>(std::get<I>(given))...);
    }(std::index_sequence_for<X...>{});
  }
  /// Calls `visit(v)` for each tangent vector among the arguments.
  constexpr void visit_tangents(auto const& arguments, auto const& visit) const {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit_tangents_at<I>(std::get<I>(arguments), visit), ...);
    }(std::index_sequence_for<X...>{});
  }

 private:
  template <std::size_t I>
  constexpr auto argument_at(auto const& y) const {
    if constexpr (names(Wrt{}, I)) return retracted(std::get<I>(at), y);
    else return y;
  }
  template <std::size_t I>
  static constexpr void visit_tangents_at(auto const& y, auto const& visit) {
    if constexpr (names(Wrt{}, I)) for_each_tangent<std::tuple_element_t<I, std::tuple<X...>>>(y, visit);
  }
};

/// `then(f as a function of tangent vectors, the arguments at their origins...)`.
template <class Wrt, class F, class... X>
constexpr auto at_origins(auto const& then, F const& f, X const&... x) {
  graph* const around = graph_around(x...);
  if (around == nullptr) error::loop_meets_no_traced_value();
  auto const variables = with_variables<element_among<X...>, Wrt>(*around, x...);
  return std::apply(
      [&]<class... Each>(Each const&... each) {
        auto const one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>, auto const& value) {
          if constexpr (names(Wrt{}, I)) return origin_of(value, *around);
          else return value;
        };
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
          return then(on_tangents<F, Wrt, Each...>{f, variables},
                      one(std::integral_constant<std::size_t, I>{}, each)...);
        }(std::index_sequence_for<X...>{});
      },
      variables);
}

}  // namespace detail
ETCH_NAMESPACE_END
