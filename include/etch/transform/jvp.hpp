// jvp: the derivative of a function in a direction, as a function that can be traced,
// compiled and differentiated itself.
#pragma once

#include <etch/rewrite/differentiate.hpp>
#include <etch/transform/loop.hpp>

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

/// The first position that no input of `b` has.
constexpr attribute inputs_of(graph const& b) {
  attribute count = 0;
  for (int id = 0; id < b.size(); ++id)
    if (b[id].op == opcode_of<op::input>) count = std::max(count, b[id].attributes + 1);
  return count;
}

/// The derivatives of the nodes `ys` of `b` along the directions `vs` of its nodes `xs`. Nodes move;
/// the numbers in `ys` are kept right.
///
/// The reverse sweep with adjoints u gives J(x)ᵀ u, which is linear in u, so that the sweep through that, with respect
/// to u, gives J(x) v (J. Townsend, A new trick for calculating Jacobian vector products, 2017). Each u is an input of
/// its own: it equals nothing else, and what is linear in it does not read it in the end.
constexpr sequence<int> derivatives_along(graph& b, sequence<int>& ys, sequence<int> xs, sequence<int> vs) {
  b.simplifying = true;
  sequence<int> us;
  sequence<pass::seed> seeds;
  attribute unused = inputs_of(b);
  for (int y : ys) {
    us.push_back(input(b, b[y].type, b[y].extent, static_cast<int>(unused++)).id);
    seeds.push_back({y, {{&b, us.back()}}});
  }
  auto const sweep = [&](sequence<pass::seed> const& from, sequence<int> const& wrt) {
    graph const before = b;
    pass::swept back = pass::backpropagate(before, b, from, wrt, false);
    for (sequence<int>* each : {&ys, &xs, &vs, &us})
      for (int& id : *each) id = back.forward.entry[id];
    return back.adjoints;
  };
  sequence<int> const gradients = sweep(seeds, xs);
  term product{};  // of gradients and directions
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (gradients.entry[i] < 0) continue;
    term const each = emit<op::sum>(op::reduction::whole, term{&b, gradients.entry[i]} * term{&b, vs.entry[i]});
    product = product.exists() ? product + each : each;
  }
  sequence<int> along = filled(ys.size(), -1);
  if (product.exists()) {
    sequence<pass::seed> one;
    one.push_back({product.id, {constant(b, product->type, 1)}});
    along = sweep(one, us);
  }
  for (std::size_t k = 0; k < ys.size(); ++k)
    if (along.entry[k] < 0) along.entry[k] = fit(constant(b, b[ys.entry[k]].type, 0), b[ys.entry[k]].extent).id;
  return along;
}

/// Makes the nodes `ys` of `b`, and their derivatives along the directions `vs` of its nodes `xs`, its outputs.
constexpr void take_derivatives_along(graph& b, sequence<int>& ys, sequence<int> const& xs, sequence<int> const& vs) {
  attribute const first_u = inputs_of(b);
  sequence<int> const along = derivatives_along(b, ys, xs, vs);
  for (int id : ys) b.outputs.push_back(id);
  for (int id : along) b.outputs.push_back(id);
  // A loop that computes its steps again may be handed a u, whatever it is: a zero will do.
  b = pass::rebuild(b, false, [&](graph& to, node const& n, const_span<int> of) {
    bool const is_u = n.op == opcode_of<op::input> && n.attributes >= first_u;
    return is_u ? fit(constant(to, n.type, 0), n.extent) : pass::same_node(to, n, of);
  });
  b = pass::drop_dead(b);
}

template <class F>
struct derivative_along {
  [[no_unique_address]] F f;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    constexpr std::size_t arity = sizeof...(X) / 2;
    if constexpr (are_met<X...>(std::make_index_sequence<arity>{})) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (*this)(on_graph_beside<std::tuple_element_t<(I + arity) % (2 * arity), std::tuple<X...>>>(x)...);
      }(std::make_index_sequence<2 * arity>{});
    } else if constexpr (!matches<X...>(std::make_index_sequence<arity>{})) {
      error::directions_do_not_match<X...>();
      note_mistake_in(x...);
      return std::tuple(expr<double>(), expr<double>());
    } else if constexpr (!(std::is_same_v<X, typename joined_type<X>::type> &&
                           ...)) {  // constants, such as a direction
      graph* outer = nullptr;
      (for_each_leaf(x, [&](auto const& leaf) { outer = innermost(outer, leaf.owner); }), ...);
      if (outer == nullptr) error::loop_meets_no_traced_value();
      return (*this)(joined_structure<element_among<X...>>(x, *outer)...);
    } else if constexpr (![&]<std::size_t... I>(std::index_sequence<I...>) {
                           return can_take<F, std::tuple_element_t<I, std::tuple<X...>>...>();
                         }(std::make_index_sequence<arity>{})) {
      return std::tuple(without_steps(x...), without_steps(x...));
    } else {
      graph* outer = nullptr;
      (for_each_leaf(x,
                     [&]<class Leaf>(Leaf const& leaf) {
                       if constexpr (static_handle<Leaf>) outer = innermost(outer, leaf.owner);
                     }),
       ...);
      loop_tracer tracer(outer);
      sequence<int> operands, leaves;
      auto const as_input = [&]<class Each>(Each each) {
        for_each_leaf(each, [&]<class Leaf>(Leaf& leaf) {
          operands.push_back(joined(leaf, tracer.outer()).id);
          leaf = tracer.add_input<Leaf>(loop_input::captured);
          leaves.push_back(leaf.id);
        });
        return each;
      };
      std::tuple<X...> const inside{as_input(x)...};  // braces: from left to right
      auto const returned = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return f(std::get<I>(inside)...);
      }(std::make_index_sequence<arity>{});
      using R = std::remove_const_t<decltype(returned)>;
      auto y = joined_structure<element_among<R, X...>>(returned, tracer.loop().body);
      auto dy = y;
      graph& b = tracer.loop().body;
      sequence<int> ys, xs, vs;
      for_each_leaf(y, [&](auto const& each) { ys.push_back(joined(each, b).id); });
      for (std::size_t i = 0; i < leaves.size() / 2; ++i)
        if (is_floating(b[leaves.entry[i]].type))
          xs.push_back(leaves.entry[i]), vs.push_back(leaves.entry[leaves.size() / 2 + i]);
      if (__builtin_is_constant_evaluated()) take_derivatives_along(b, ys, xs, vs);
      else out_of_line<take_derivatives_along>::call(b, ys, xs, vs);
      sequence<int> const at = tracer.put(operands);
      int next = 0;
      auto const take = [&]<class Leaf>(Leaf& leaf) { leaf = make_handle<Leaf>(&tracer.outer(), at.entry[next++]); };
      for_each_leaf(y, take);
      for_each_leaf(dy, take);
      return std::tuple(y, dy);
    }
  }

 private:
  /// Whether `X` is a number and `Other`, its value or its direction, a traced scalar.
  template <class X, class Other>
  static consteval bool is_number_beside() {
    if constexpr (static_handle<Other>) return scalar<X> && Other::extent.rank == 0;
    else return scalar<X> && tape_scalar<Other>;
  }
  /// Whether some of the values and directions are to be put on the graph first: scalars of a tape,
  /// and numbers beside traced scalars.
  template <class... X, std::size_t... I>
  static consteval bool are_met(std::index_sequence<I...>) {
    if constexpr (sizeof...(X) != 2 * sizeof...(I)) return false;
    else {
      using all = std::tuple<X...>;
      return (tape_scalar<X> || ...) ||
             ((is_number_beside<std::tuple_element_t<I, all>, std::tuple_element_t<sizeof...(I) + I, all>>() ||
               is_number_beside<std::tuple_element_t<sizeof...(I) + I, all>, std::tuple_element_t<I, all>>()) ||
              ...);
    }
  }
  template <class Other, class X>
  static constexpr decltype(auto) on_graph_beside(X const& x) {
    if constexpr (!is_number_beside<X, Other>()) return on_graph(x);
    else if constexpr (tape_scalar<Other>) return expr<typename Other::tape_scalar_type>(x);
    else return Other(x);
  }
  template <class... X, std::size_t... I>
  static consteval bool matches(std::index_sequence<I...>) {
    if constexpr (sizeof...(X) == 0 || sizeof...(X) % 2 != 0 || (scalar<X> || ...)) return false;
    else
      return (fits_into<std::tuple_element_t<I, std::tuple<X...>>,
                        std::tuple_element_t<sizeof...(I) + I, std::tuple<X...>>>() &&
              ...);
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
