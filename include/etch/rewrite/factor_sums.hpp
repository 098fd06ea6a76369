// factor_sums: where only sums of a matrix product are wanted, its operands are summed first, and no product of
// matrices remains: 1ᵀ(A B) = (1ᵀA) B and (A B)1 = A (B 1). It saves an order of work, so it may reorder a long sum.
#pragma once

#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// The parts of a matrix that its readers want.
enum class demand : std::uint8_t { nothing, total, over_rows, over_columns, whole };

constexpr demand both(demand a, demand b) {
  if (a == b || b == demand::nothing) return a;
  if (a == demand::nothing) return b;
  if (a == demand::whole || b == demand::whole) return demand::whole;
  if (a == demand::total) return b;  // the total follows from the sums along one axis
  return b == demand::total ? a : demand::whole;
}
constexpr demand transposed(demand d) {
  return d == demand::over_rows ? demand::over_columns : d == demand::over_columns ? demand::over_rows : d;
}
/// The demand of a reduction; `whole` where it is no sum of a matrix.
constexpr demand demand_of(node const& n) {
  if (n.op != opcode_of<op::sum>) return demand::whole;
  if ((n.attributes & op::reduction::whole) != 0 || n.attributes == 3u) return demand::total;
  return n.attributes == 1u ? demand::over_rows : n.attributes == 2u ? demand::over_columns : demand::whole;
}
constexpr term sum_along(term x, int axis) {
  return x.extent()[axis] == 1 ? x : emit<op::sum>(attribute{1} << axis, x);
}
constexpr term summed(term x, demand d) {
  if (d != demand::over_columns) x = sum_along(x, 0);
  return d == demand::over_rows ? x : sum_along(x, 1);
}

class early_sums {
 public:
  constexpr explicit early_sums(graph_view g)
      : g_(g), demand_(filled(g.nodes.size(), demand::nothing)), passes_(sequence<char>::zeros(g.nodes.size())) {}

  constexpr graph run() {
    find_products();
    find_demands();
    graph to = empty_like(g_, true);
    at_ = filled(g_.nodes.size(), term{});
    sequence<int> operands;
    int const count = g_.size();
    for (int id = 0; id < count; ++id) {
      node const& n = g_.nodes.start[id];
      const_span<int> const from = g_.operands(id);
      demand const wanted = demand_.entry[id];
      if (wanted == demand::nothing) continue;
      if (wanted != demand::whole) {
        at_.entry[id] = early(n, from, wanted);
      } else if (facts_of(n).is_reduction && demand_.entry[from[0]] != demand::whole) {
        at_.entry[id] = fit(sum_of(from[0], demand_of(n)), n.extent);
      } else {
        operands.clear();
        for (std::size_t i = 0; i < from.count; ++i) operands.push_back(at_.entry[from.start[i]].id);
        at_.entry[id] = rules_of(n).insert(to, n, operands);
      }
    }
    for (int output : g_.outputs) to.outputs.push_back(at_.entry[output].id);
    return to;
  }

 private:
  graph_view g_;
  sequence<demand> demand_;
  sequence<char> passes_;  // whether a sum of the node is worth taking of its operands
  sequence<term> at_;      // the node, or the sum of it that is wanted

  constexpr bool is_product(int id) const { return g_[id].op == opcode_of<op::matmul>; }

  /// Whether operand `i` of `n` is multiplied by nothing but a number.
  constexpr bool is_linear_in(node const& n, const_span<int> from, std::size_t i) const {
    if (n.op == opcode_of<op::add> || n.op == opcode_of<op::sub> || n.op == opcode_of<op::neg> ||
        n.op == opcode_of<op::transpose>)
      return true;
    if (n.op == opcode_of<op::mul>) return g_[from[1 - i]].extent.size() == 1;
    return n.op == opcode_of<op::div> && i == 0 && g_[from[1]].extent.size() == 1;
  }

  constexpr void find_products() {
    for (int id = 0; id < static_cast<int>(g_.nodes.count); ++id) {
      node const& n = g_.nodes.start[id];
      if (n.extent.rank > 2 || n.extent.size() == 1) continue;
      if (n.op == opcode_of<op::matmul>)
        passes_.entry[id] = n.extent.extent.entry[0] > 1 && n.extent.extent.entry[1] > 1;
      for (int i = 0; i < n.arity; ++i)
        if (passes_.entry[g_.edges.start[n.first_operand + i]] &&
            is_linear_in(n, g_.operands(id), static_cast<std::size_t>(i)))
          passes_.entry[id] = 1;
    }
  }

  constexpr void find_demands() {
    auto const want = [&](int id, demand d) {
      demand_.entry[id] = both(demand_.entry[id], passes_.entry[id] ? d : demand::whole);
    };
    for (int output : g_.outputs) demand_.entry[output] = demand::whole;
    for (int id = g_.size() - 1; id >= 0; --id) {
      node const& n = g_.nodes.start[id];
      demand const d = demand_.entry[id];
      if (d == demand::nothing) continue;
      const_span<int> const from = g_.operands(id);
      if (facts_of(n).is_reduction) {
        want(from[0], demand_of(n));
      } else if (d != demand::whole && is_product(id)) {
        want(from[0], d == demand::over_columns ? demand::whole : demand::over_rows);
        want(from[1], d == demand::over_rows ? demand::whole : demand::over_columns);
      } else {
        for (std::size_t i = 0; i < from.count; ++i) {
          if (!passes_.entry[from.start[i]]) {
            demand_.entry[from.start[i]] = demand::whole;
            continue;
          }
          bool const is_part =
              d != demand::whole && is_linear_in(n, from, i) && g_[from[i]].extent.size() == n.extent.size();
          want(from[i], !is_part ? demand::whole : n.op == opcode_of<op::transpose> ? transposed(d) : d);
        }
      }
    }
  }

  /// The sum `d` of node `id`, of which at least that is there.
  constexpr term sum_of(int id, demand d) const {
    demand const there = demand_.entry[id];
    return there == d ? at_.entry[id] : summed(at_.entry[id], d);
  }

  /// The sum `d` of node `n` from sums of its operands.
  constexpr term early(node const& n, const_span<int> from, demand d) const {
    if (n.op == opcode_of<op::matmul>) {
      term const a = d == demand::over_columns ? at_.entry[from[0]] : sum_of(from[0], demand::over_rows);
      term const b = d == demand::over_rows ? at_.entry[from[1]] : sum_of(from[1], demand::over_columns);
      return emit<op::matmul>(0, a, b);
    }
    if (n.op == opcode_of<op::transpose>) return emit<op::transpose>(0, sum_of(from[0], transposed(d)));
    auto const part = [&](std::size_t i) {
      term const x = at_.entry[from[i]];
      if (demand_.entry[from[i]] != demand::whole) return sum_of(from[i], d);
      return is_linear_in(n, from, i) ? summed(fit(x, n.extent), d) : x;
    };
    if (n.op == opcode_of<op::neg>) return -part(0);
    if (n.op == opcode_of<op::add>) return part(0) + part(1);
    if (n.op == opcode_of<op::sub>) return part(0) - part(1);
    return n.op == opcode_of<op::mul> ? part(0) * part(1) : part(0) / part(1);
  }
};

}  // namespace detail

/// Whether there is a product of matrices, and a sum that may be one of it.
constexpr bool has_sums_of_products(graph_view g) {
  bool product = false, sum = false;
  for (node const& n : g.nodes) {
    if (n.op == opcode_of<op::sum>) sum = true;
    if (n.op == opcode_of<op::matmul> && n.extent[0] > 1 && n.extent[1] > 1) product = true;
  }
  return product && sum;
}

/// Sums the operands of products of which only sums are wanted, through whatever is linear between.
constexpr graph factor_sums(graph_view g) { return detail::early_sums(g).run(); }

}  // namespace pass
ETCH_NAMESPACE_END
