// stages: the passes that a loss goes through, in order. Programs and blocks of a tape take them from these lists.
#pragma once

#include <etch/compile/step_limit.hpp>
#include <etch/rewrite/batch_maps.hpp>
#include <etch/rewrite/contract_sums.hpp>
#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/defer_products.hpp>
#include <etch/rewrite/fuse_maps.hpp>
#include <etch/rewrite/join_products.hpp>
#include <etch/rewrite/products_of_sums.hpp>
#include <etch/rewrite/prune.hpp>
#include <etch/rewrite/reassociate.hpp>
#include <etch/rewrite/settle.hpp>
#include <etch/rewrite/simplify.hpp>
#include <etch/rewrite/factor_sums.hpp>
#include <etch/rewrite/split_at_joins.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail::stage {

constexpr bool always(graph_view) { return true; }
constexpr bool where_loops_are(graph_view g) { return !g.pool.empty(); }

/// A pass, and where it is worth running. Where it is not, it costs nothing.
template <graph (*Pass)(graph_view), bool (*IsWorth)(graph_view) = always>
struct of {
  static constexpr bool is_worth(graph_view g) { return IsWorth(g); }
  template <std::int64_t Nodes>
  static constexpr bool is_affordable() {
    return true;
  }
  static constexpr graph run(graph_view g) { return Pass(g); }
};
/// A pass that a program can do without, and does where the compiler's limit may not allow it.
template <graph (*Pass)(graph_view), bool (*IsWorth)(graph_view)>
struct optional : of<Pass, IsWorth> {
  template <std::int64_t Nodes>
  static constexpr bool is_affordable() {
    return within_limit<Nodes, steps_of_optional>();
  }
};

template <class... Stage>
struct list {};

using canonical = of<pass::canonical>;
using simplify = of<pass::simplify>;
using keep_only_carries = of<pass::keep_only_carries, where_loops_are>;
using hoist = of<pass::hoist, pass::has_loops_of_points>;
using batch_maps = of<pass::batch_maps, pass::has_batches>;
using reassociate = optional<pass::reassociate, pass::has_chains>;
using contract_sums = optional<pass::contract_sums, pass::has_broadcast_products>;
using expand = of<pass::expand, pass::has_composites>;
using fuse_maps = of<pass::fuse_maps, pass::has_several_loops_of_points>;
using products_of_sums = of<pass::products_of_sums, pass::has_products_of_sums>;
using defer_products = of<pass::defer_products, pass::has_products_to_defer>;
using join_products = optional<pass::join_products, pass::has_narrow_products>;
using factor_sums = optional<pass::factor_sums, pass::has_sums_of_products>;
using split_at_joins = optional<pass::split_at_joins, pass::has_regions>;
using settle = of<pass::settle, pass::may_have_to_settle>;
using prune = of<pass::prune>;

/// Of a traced graph, before derivatives are taken,
using before = list<canonical, simplify, hoist, batch_maps, contract_sums, reassociate>;
using before_with_lean_loops =
    list<canonical, simplify, keep_only_carries, hoist, batch_maps, contract_sums, reassociate>;
/// of a program's value and gradients,
using after = list<expand, fuse_maps, hoist, contract_sums, factor_sums, reassociate, products_of_sums, join_products,
                   defer_products, split_at_joins, settle, prune>;
/// and of a function's, before it is divided into halves, whose loops never become one; then of each half.
using undivided = list<expand, hoist, contract_sums, factor_sums, reassociate, settle, prune>;
using half = list<fuse_maps, hoist, products_of_sums, join_products, defer_products, split_at_joins, prune>;

/// The graph that `Stage` makes of `From::value`, a constant.
template <class From, class Stage>
struct result {
  static constexpr auto value = freeze<From::value>([] { return Stage::run(From::value); });
};

template <class From, class... Stage>
constexpr auto last_of(list<Stage...>) {
  return std::type_identity<From>{};
}
template <class From, class First, class... Rest>
constexpr auto last_of(list<First, Rest...>) {
  constexpr bool runs = [] {
    if constexpr (First::is_worth(From::value)) return First::template is_affordable<From::value.nodes.size()>();
    else return false;
  }();
  if constexpr (runs) return last_of<result<From, First>>(list<Rest...>{});
  else return last_of<From>(list<Rest...>{});
}
/// The graph that the stages in `List` make of `From::value`, one after the other: a constant `value`.
template <class From, class List>
using through = typename decltype(last_of<From>(List{}))::type;

}  // namespace detail::stage
ETCH_NAMESPACE_END
