// custom: functions whose derivative is the user's own, at every order.
#pragma once

#include <etch/op/custom.hpp>
#include <etch/transform/jacobian.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class Backward, class... X>
constexpr auto backward_does_not_take_the_values() {
  static_assert(
      never<Backward, X...>,
      "etch: the backward function of custom_vjp takes (u, y, x...): the adjoint of the result, the result, and "
      "the arguments; the rule of custom_jvp takes (x..., v...): the arguments and a direction for each");
  return mistake{};
}
template <class Gradients, class... X>
constexpr auto backward_gives_not_each_gradient() {
  static_assert(
      never<Gradients, X...>,
      "etch: the backward function of custom_vjp returns the gradient of the argument, or a std::tuple with one "
      "for each, of their types");
  return mistake{};
}
}  // namespace error

namespace detail {

/// Whether what `backward` returned is a gradient for each of `X`; one for a label or index is not read.
template <class R, class... X>
consteval bool gives_each_gradient(std::type_identity<std::tuple<X...>>) {
  if constexpr (sizeof...(X) == 1 && (fits_into<X, R>() && ...)) return true;
  else if constexpr (!is_tuple<R>) return false;
  else if constexpr (std::tuple_size_v<R> != sizeof...(X)) return false;
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((!has_floating_leaf<X>() || fits_into<X, std::tuple_element_t<I, R>>()) && ...);
    }(std::index_sequence_for<X...>{});
}

/// The traced value `x` without what derivatives flow through.
template <class X>
constexpr X stopped(X x) {
  for_each_leaf(x, [&]<class Leaf>(Leaf& leaf) {
    if constexpr (std::is_floating_point_v<typename Leaf::scalar_type>) leaf = Leaf(stop_gradient(leaf));
  });
  return x;
}

/// The traced value `x` with zeros for what has derivatives.
template <class X>
constexpr X zeros_of(X x) {
  for_each_leaf(x, [&]<class Leaf>(Leaf& leaf) {
    if constexpr (std::is_floating_point_v<typename Leaf::scalar_type>)
      leaf = make_handle<Leaf>(leaf.owner, pass::zeros_like(*leaf.owner, leaf.id).id);
  });
  return x;
}

/// The value `whole`, one value or all leaves in a vector, in the structure of `y`.
template <class Y, class Whole>
constexpr auto in_form_of(Y const& y, Whole const& whole) {
  if constexpr (static_handle<Y>) return whole;
  else return in_structure_of(y, whole);
}

/// x... -> forward(x...), with the adjoints that backward(u, y, x...) gives. If `MayCapture`, values that `forward`
/// captures have no derivative, else they are a mistake.
template <class Forward, class Backward, bool MayCapture = false>
struct custom_function {
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] Backward backward;

  template <class... A>
  using values = plain_result_of<custom_function, A...>;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr (!(holds_traced<X>() || ...)) {
      return plain_call(*this, x...);
    } else {
      graph* const around = graph_around(x...);
      if (around == nullptr) error::loop_meets_no_traced_value();
      return traced(*around, as_variable<element_among<X...>>(x, *around)...);
    }
  }

 private:
  template <class... X>
  constexpr auto traced(graph& around, X const&... x) const {
    if constexpr (!can_take<Forward, X...>()) {
      return without_steps(x...);
    } else {
      // All that the value depends on is an argument: derivatives flow nowhere else.
      inner_call<element_among<X...>, decltype(positions_of<wrt<>, sizeof...(X)>()), X...> value(&around,
                                                                                                 stopped(x)...);
      auto const inner = value.call(forward);
      value.inside.put_with(value.inside.nodes_of(inner));
      if (!MayCapture && value.inside.captures_numbers()) error::custom_function_captures_a_value();
      auto const y = [&] {
        auto const all = value.inside.take_like(inner);
        if constexpr (MayCapture) return stopped(all);
        else return all;
      }();
      if constexpr (static_handle<std::remove_const_t<decltype(y)>>) return ruled(around, y, y, x...);
      else return ruled(around, y, as_vector(y), x...);  // several results have one rule
    }
  }

  template <class Y, class Whole, class... X>
  constexpr auto ruled(graph& around, Y const& y, Whole const& whole, X const&... x) const {
    inner_function rule(&around);
    auto const u = in_form_of(y, rule.input(whole)), value = in_form_of(y, rule.input(whole));
    std::tuple<X...> const arguments{rule.input(x)...};  // braces: from left to right
    using S = std::remove_const_t<decltype(u)>;
    if constexpr (!requires { backward(u, value, x...); }) {
      error::backward_does_not_take_the_values<Backward, S, S, X...>();
      note_mistake(&around);
      return y;
    } else {
      auto const returned = std::apply(
          [&](auto const&... each) { return without_places(whole_on_graph(backward(u, value, each...))); }, arguments);
      using R = std::remove_const_t<decltype(returned)>;
      if constexpr (!gives_each_gradient<R>(std::type_identity<std::tuple<X...>>{})) {
        error::backward_gives_not_each_gradient<R, X...>();
        note_mistake(&around);
        return y;
      } else {
        std::tuple<X...> gradients = arguments;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          (take_gradient<I>(gradients, returned, rule.body()), ...);
        }(std::index_sequence_for<X...>{});
        rule.body().outputs = rule.nodes_of(gradients);
        term const with = rule.put_as_rule();
        return in_form_of(y, make_handle<Whole>(with.owner, with.id));
      }
    }
  }
  /// Gradient `I` of those that `backward` returned; none for labels and indices.
  template <std::size_t I, class... X, class R>
  static constexpr void take_gradient(std::tuple<X...>& gradients, R const& returned, graph& body) {
    auto& to = std::get<I>(gradients);
    using To = std::remove_reference_t<decltype(to)>;
    if constexpr (!has_floating_leaf<To>()) return;
    else if constexpr (sizeof...(X) == 1 && fits_into<To, R>()) assign(to, returned, body);
    else assign(to, std::get<I>(returned), body);
  }
};

/// The way back of a function that is given by its derivative along directions: the rule is linear in these, so its own
/// way back with respect to them is that of the function.
template <class Rule>
struct transposed_rule {
  [[no_unique_address]] Rule rule;

  template <class U, class Y, class... X>
  constexpr auto operator()(U const& u, Y const&, X const&... x) const {
    auto const along = [&](auto const&... v) { return rule(x..., v...); };
    auto const all = vjp(along)(zeros_of(x)..., u);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple(std::get<1 + I>(all)...);
    }(std::index_sequence_for<X...>{});
  }
};

}  // namespace detail

/// The function x... -> forward(x...), whose derivative is what `backward(u, y, x...)` says: the gradient of the sum
/// over all entries of u times y with respect to the argument, or a `std::tuple` with one for each of several. u has
/// the type of y, the result. Both functions are traced, so that `backward` is differentiated where a second derivative
/// is asked for. `forward` captures no traced values; what `backward` captures has no gradient by it. Docs:
/// derivatives.md.
template <class Forward, class Backward>
constexpr detail::custom_function<Forward, Backward> custom_vjp(Forward const& forward, Backward const& backward) {
  return {forward, backward};
}

/// The function x... -> f(x...), whose derivative along v... is `rule(x..., v...)`, of the type of f's result and
/// linear in v... . Reverse mode transposes it. As for `custom_vjp`, f captures no traced values. Docs: derivatives.md.
template <class F, class Rule>
constexpr auto custom_jvp(F const& f, Rule const& rule) {
  return custom_vjp(f, detail::transposed_rule<Rule>{rule});
}

/// The function x -> f(x), whose derivative is 1: the adjoint of the result is that of x, of the same type. (Y. Bengio,
/// N. Léonard, A. Courville, Estimating or propagating gradients through stochastic neurons, 2013.)
template <class F>
constexpr auto straight_through(F const& f) {
  auto const backward = [](auto const& u, auto const&, auto const&) { return u; };
  return detail::custom_function<F, std::remove_const_t<decltype(backward)>, true>{f, backward};
}

/// `x`, whose adjoint is kept within -`Limit` and `Limit`, entry by entry; `Limit` is a number of floating type or an
/// integer.
template <auto Limit, class X>
constexpr auto clip_gradient(X const& x) {
  static_assert(Limit > 0, "etch: a gradient is clipped at a positive limit");
  return custom_vjp([](auto const& a) { return a; },
                    [](auto const& u, auto const&, auto const&) { return clamp(u, -Limit, Limit); })(x);
}

ETCH_NAMESPACE_END
