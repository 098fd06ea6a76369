// trace: calls a lambda with symbols in place of its arguments; what it does becomes a graph.
#pragma once

#include <etch/core/columns.hpp>
#include <etch/core/counted_views.hpp>
#include <etch/core/eigen.hpp>
#include <etch/core/named_view.hpp>
#include <etch/op/misuse_of_std.hpp>
#include <etch/op/misuse_of_tensors.hpp>
#include <etch/op/table.hpp>
#include <etch/rewrite/prune.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Makes the input nodes of an argument's leaves, in order.
struct leaf_maker {
  graph* owner;
  int* position;

  template <scalar T, shape Extent>
  constexpr auto operator()() const {
    return make_expr<T, Extent>(owner, input(*owner, element_of<T>, Extent, (*position)++).id);
  }
  /// A leaf whose memory holds the transpose of what the lambda sees.
  template <scalar T, shape Extent>
  constexpr auto transposed() const {
    return etch::transpose((*this).template operator()<T, Extent>());
  }
};

/// Counts them for a program, which takes equal layers as one leaf (`core/columns.hpp`).
struct program_leaf_maker : leaf_maker {
  static constexpr bool takes_columns = true;

  template <scalar T, shape Extent>
  constexpr auto columns() const {
    return (*this).template operator()<T, Extent>();
  }
};

/// Notes the leaves whose memory holds the transpose of what the lambda sees.
template <class Maker>
struct turned_leaf_maker : Maker {
  sequence<int>* turned;

  template <scalar T, shape Extent>
  constexpr auto transposed() const {
    turned->push_back(*this->position);
    return Maker::template transposed<T, Extent>();
  }
};

/// The number of leaves of an argument.
template <class A, class Maker = leaf_maker>
consteval int leaf_count() {
  graph g;
  int position = 0;
  static_cast<void>(argument<A>::trace(Maker{leaf_maker{&g, &position}}));
  return position;
}
/// The number of leaves that a program sees.
template <class A>
consteval int program_leaf_count() {
  return leaf_count<A, program_leaf_maker>();
}

/// The floating element type of what a loss returns, the first where it returns several;
/// `otherwise` where nothing has one.
template <class R>
constexpr element element_of_result(element otherwise) {
  if constexpr (requires { std::tuple_size<R>::value; })
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      element found = otherwise;
      static_cast<void>(
          (((found = element_of_result<std::tuple_element_t<I, R>>(element::boolean)) != element::boolean) || ...));
      return found == element::boolean ? otherwise : found;
    }(std::make_index_sequence<std::tuple_size_v<R>>{});
  else if constexpr (static_handle<R>)
    return etch::detail::operand_traits<R>::literal || !std::is_floating_point_v<typename R::scalar_type>
               ? otherwise
               : element_of<typename R::scalar_type>;
  else return otherwise;
}

/// Appends what a loss returns to the outputs of its graph: one value, or those of a tuple. Its numbers and
/// constants take the element type `type`.
template <class R>
constexpr void add_outputs(graph& g, R const& result, element type) {
  if constexpr (requires { std::tuple_size<R>::value; })
    std::apply([&](auto const&... each) { (add_outputs(g, each, type), ...); }, result);
  else if constexpr (scalar<R>)
    g.outputs.push_back(
        constant(g, std::is_floating_point_v<R> ? type : element_of<R>, static_cast<double>(result)).id);
  else if constexpr (etch::detail::operand_traits<R>::literal)
    g.outputs.push_back(
        (type == element::f32 ? etch::detail::joined<float>(result, g) : etch::detail::joined<double>(result, g)).id);
  else g.outputs.push_back(etch::detail::joined(result, g).id);
}

/// The graph of `F` on arguments of types `Argument`: its inputs are the leaves in order, at the beginning unless they
/// are layers in columns; its outputs the results. `precise` concerns derivatives taken within `F`.
template <class F, class... Argument>
constexpr graph trace(F f, bool precise = false) {
  graph g;
  g.precise = precise;
  int position = 0;
  program_leaf_maker const make{{&g, &position}};
  // All leaves come first, whatever the lambda uses.
  std::tuple<typename argument<Argument>::traced...> const symbols{argument<Argument>::trace(make)...};
  bool const has_views =
      g.size() > 2 * position;  // more than a transposition of each: those of layers in columns (`nn/repeated.hpp`)
  auto const result = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return f(std::get<I>(symbols)...);
  }(std::index_sequence_for<Argument...>{});
  element type = element::f64;
  for (int id = g.size() < position ? g.size() : position; id-- > 0;)
    if (is_floating(g[id].type)) type = g[id].type;
  add_outputs(g, result, element_of_result<std::remove_const_t<decltype(result)>>(type));
  if (!has_views) return g;
  graph kept = drop_dead(g, true);  // a loss reads few of them
  kept.mistaken = g.mistaken;
  kept.functions = g.functions;
  return kept;
}

}  // namespace pass
ETCH_NAMESPACE_END
