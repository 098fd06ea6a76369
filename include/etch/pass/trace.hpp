// trace: calls a lambda with symbols in place of its arguments; what it does becomes a graph.
#pragma once

#include <etch/core/eigen.hpp>
#include <etch/core/record.hpp>
#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::pass {

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

/// The number of leaves of an argument.
template <class A>
consteval int leaf_count() {
  graph g;
  int position = 0;
  static_cast<void>(argument<A>::trace(leaf_maker{&g, &position}));
  return position;
}

/// The graph of `F` on arguments of types `Argument`: nodes 0 ... leaves-1 are its inputs in order, its only output the result.
template <class F, class... Argument>
constexpr graph trace(F f) {
  graph g;
  int position = 0;
  leaf_maker const make{&g, &position};
  // All leaves come first, so that node i is leaf i whatever the lambda uses.
  std::tuple<typename argument<Argument>::traced...> const symbols{argument<Argument>::trace(make)...};
  auto const result = [&]<std::size_t... I>(std::index_sequence<I...>) { return f(std::get<I>(symbols)...); }
  (std::index_sequence_for<Argument...>{});
  using R = std::remove_cv_t<decltype(result)>;
  if constexpr (scalar<R>) g.outputs.push_back(constant(g, element_of<R>, static_cast<double>(result)).id);
  else g.outputs.push_back(etch::detail::joined(result, g).id);
  return g;
}

}  // namespace etch::inline ETCH_ABI::pass
