// gradient, vjp, hvp: reverse mode as functions of functions, which are traced, compiled and differentiated like any
// other.
#pragma once

#include <etch/transform/plain_call.hpp>
#include <etch/transform/tangent.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class Y, class U>
constexpr auto adjoint_does_not_match_the_result() {
  static_assert(never<Y, U>,
                "etch: vjp(f)(x..., u) takes the arguments of f and then an adjoint of the type of its result");
  return mistake{};
}
template <class X, class V>
constexpr auto direction_does_not_match() {
  static_assert(never<X, V>,
                "etch: hvp(f)(x, v) takes the arguments of f and then a direction of the type of the first one");
  return mistake{};
}
}  // namespace error

namespace detail {

/// A tuple, or what alone is in it.
template <class Tuple>
constexpr auto alone(Tuple const& all) {
  if constexpr (std::tuple_size_v<Tuple> == 1) return std::get<0>(all);
  else return all;
}

/// Value and gradient by members of an argument, which come before all arguments.
template <class Wrt, bool Precise, class F, class... X>
constexpr auto traced_value_and_gradient_of_members(F const& f, X const&... x) {
  using first = members_first<Wrt>;
  if constexpr (!std::same_as<decltype(first::template find_mistake<void, X...>()), no_mistake>) {
    return value_with_gradient<expr<double>, expr<double>>{0, 0};
  } else {
    return first::with(
        f,
        [](auto, auto const& loss, auto const&... all) {
          return traced_value_and_gradient<typename first::wanted, Precise>(loss, all...);
        },
        x...);
  }
}
template <class Wrt, bool Precise, class F, class... X>
constexpr auto traced_value_and_gradient(F const& f, X const&... x) {
  if constexpr (names_members<Wrt>) {
    return traced_value_and_gradient_of_members<Wrt, Precise>(f, x...);
  } else if constexpr (has_tangents<Wrt, X...>) {
    return at_origins<Wrt>([](auto const& of_tangents,
                              auto const&... v) { return traced_value_and_gradient<Wrt, Precise>(of_tangents, v...); },
                           f, x...);
  } else {
    refuse_integers<X...>(Wrt{});
    using T = element_among<X...>;
    using inner = inner_call<T, Wrt, X...>;
    inner call(graph_around(x...), x...);
    if constexpr (Precise) call.inside.body().precise = true;
    if constexpr (!inner::template is_sound<F, true>()) {
      auto const gradients = call.stand_in();
      return value_with_gradient{expr<T>(0), alone(gradients)};
    } else {
      auto const y = call.call(f);
      call.inside.template rewrite<pass::take_adjoints>(call.inside.nodes_of(y), sequence<int>{}, call.nodes());
      auto const value = call.inside.take_like(y);
      return value_with_gradient{value, alone(variables<Wrt>::take(call.inside, call.arguments))};
    }
  }
}
template <class Wrt, bool Precise, class F, class... X>
constexpr auto traced_gradient(F const& f, X const&... x) {
  return traced_value_and_gradient<Wrt, Precise>(f, x...).grad;
}

template <class F, class Wrt, class Settings, class... A>
struct loss_of<value_and_gradient<F, Wrt, Settings>, A...> {
  using type = leaves_of_result<value_and_gradient<F, Wrt, Settings>,
                                std::tuple<plain_result_of<F, A...>, typename gradients_of_arguments<Wrt, A...>::type>>;
};

/// (x..., u) -> f(x...), and the adjoints of x... where that of f's result is u.
template <class F, class Wrt>
struct vector_jacobian {
  [[no_unique_address]] F f;

  template <class... A>
  using values = typename decltype(last_first(
      []<class U, class... X>(std::type_identity<U>, std::type_identity<X>...) {
        return []<int... I>(wrt<I...>) {
          return std::type_identity<std::tuple<plain_result_of<F, X...>, typename gradient_at<I, A...>::type...>>{};
        }(positions_of<Wrt, sizeof...(X)>());
      },
      std::type_identity<A>{}...))::type;

  template <class... X>
    requires(sizeof...(X) > 1)
  constexpr auto operator()(X const&... x) const {
    if constexpr (!(holds_traced<X>() || ...)) return plain_call(*this, x...);
    else return last_first([&](auto const&... each) { return traced(each...); }, x...);
  }

 private:
  template <class U, class... X>
  constexpr auto traced(U const& u, X const&... x) const {
    if constexpr (has_tangents<Wrt, X...>) {
      return at_origins<Wrt>([&]<class G>(G const& of_tangents,
                                          auto const&... v) { return vector_jacobian<G, Wrt>{of_tangents}(v..., u); },
                             f, x...);
    } else {
      refuse_integers<X...>(Wrt{});
      using Positions = decltype(positions_of<Wrt, sizeof...(X)>());
      using inner = inner_call<element_among<X..., U>, Positions, X...>;
      inner call(graph_around(x..., u), x...);
      auto const results = []<class Y>(Y const& y, auto const& gradients) {
        return std::tuple_cat(std::tuple<Y>(y), gradients);  // Y may be a tuple
      };
      if constexpr (!inner::template is_sound<F, false>()) {
        return results(expr<double>(0), call.stand_in());
      } else {
        auto const y = call.call(f);
        auto const adjoint = whole_on_graph(u);
        using Y = std::remove_const_t<decltype(y)>;
        if constexpr (!fits_into<Y, std::remove_const_t<decltype(adjoint)>>()) {
          error::adjoint_does_not_match_the_result<Y, U>();
          return results(y, call.stand_in());
        } else {
          Y seeds = y;
          assign(seeds, adjoint, call.inside.body());
          call.inside.template rewrite<pass::take_adjoints>(call.inside.nodes_of(y), call.inside.nodes_of(seeds),
                                                            call.nodes());
          auto const value = call.inside.take_like(y);
          return results(value, variables<Positions>::take(call.inside, call.arguments));
        }
      }
    }
  }
};

struct same_value {
  constexpr auto operator()(auto const& x) const { return x; }
};

/// (x, more..., v) -> the Hessian of f by x, times v.
template <class F>
struct hessian_vector {
  [[no_unique_address]] F f;

  template <class First, class... A>
  using values = typename argument<First>::gradient;

  template <class... X>
    requires(sizeof...(X) > 1)
  constexpr auto operator()(X const&... x) const {
    if constexpr (!(holds_traced<X>() || ...)) return plain_call(*this, x...);
    else return last_first([&](auto const&... each) { return traced(each...); }, x...);
  }

 private:
  template <class V, class... X>
  constexpr auto traced(V const& v, X const&... x) const {
    if constexpr (has_tangents<wrt<0>, X...>) {
      return at_origins<wrt<0>>(
          [&]<class G>(G const& of_tangents, auto const&... y) { return hessian_vector<G>{of_tangents}(y..., v); }, f,
          x...);
    } else {
      refuse_integers<X...>(wrt<0>{});
      using inner = inner_call<element_among<X..., V>, wrt<0>, X...>;
      inner call(graph_around(x..., v), x...);
      auto const direction = whole_on_graph(v);
      using First = std::tuple_element_t<0, typename inner::Arguments>;
      if constexpr (!inner::template is_sound<F, true>()) {
        return std::get<0>(call.stand_in());
      } else if constexpr (!fits_into<First, std::remove_const_t<decltype(direction)>>()) {
        error::direction_does_not_match<First, V>();
        return std::get<0>(call.stand_in());
      } else {
        int const y = call.inside.nodes_of(value_of_result(call.call(f))).entry[0];
        First along = std::get<0>(call.arguments);
        assign(along, direction, call.inside.body());
        call.inside.template rewrite<pass::take_hessian_product>(y, call.nodes(), call.inside.nodes_of(along));
        return call.inside.take_like(along);
      }
    }
  }
};

/// The gradient by a manifold of numbers, a tangent vector, from those by its members.
template <curved M>
constexpr auto along_tangents(M const& x, M const& ambient) {
  return std::get<1>(vector_jacobian<same_value, wrt<0>>{}(x, ambient));
}
template <curved M>
constexpr sequence<int> gradient_along_tangents(graph& g, int first, sequence<int> const& ambient) {
  auto const x = argument<M>::trace(pass::leaf_maker{&g, &first});
  auto u = x;
  std::size_t next = 0;
  for_each_leaf(u, [&]<class Leaf>(Leaf& leaf) { leaf = make_handle<Leaf>(&g, ambient.entry[next++]); });
  sequence<int> nodes;
  auto const all = vector_jacobian<same_value, wrt<0>>{}(x, u);
  for_each_leaf(std::get<1>(all), [&](auto const& v) { nodes.push_back(v.id); });
  return nodes;
}

}  // namespace detail

/// The function (x..., u) -> `std::tuple(f(x...), gradient of argument 0, 1, ...)`, the gradients those of the sum over
/// all entries of u times f(x...). u has the type of f's result; `Wrt` names the arguments that are differentiated, all
/// if it names none. Called with numbers, tensors, Eigen's types and structs it computes them, without allocation;
/// called with traced values it gives traced values; `compile<wrt<>>(vjp(f), x..., u)` is a program. Docs:
/// derivatives.md.
template <class Wrt = wrt<>, class F>
constexpr detail::vector_jacobian<F, Wrt> vjp(F const& f) {
  return {f};
}

/// The function (x, v) -> the Hessian of the scalar f at x, times v: of the type of x, as v is. Further arguments of f
/// stand between x and v. Reverse mode of the gradient's product with v, so it costs about two gradients, and no matrix
/// is made (B. Pearlmutter, Fast exact multiplication by the Hessian, 1994). Docs: derivatives.md.
template <class F>
constexpr detail::hessian_vector<F> hvp(F const& f) {
  return {f};
}

ETCH_NAMESPACE_END
