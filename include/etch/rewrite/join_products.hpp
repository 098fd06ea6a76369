// join_products: products that are added up become one product, of their factors side by side, where those are far
// smaller than it: A_1 B_1 + A_2 B_2 + ... = [A_1 A_2 ...] [B_1; B_2; ...]. A result larger than its factors is then
// written once, not once a product. (`defer_products` does so with what the steps of a loop add up.)
#pragma once

#include <etch/rewrite/replay.hpp>

#include <cstdint>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr graph join_products(graph_view g);
constexpr bool has_narrow_products(graph_view g);

namespace detail {

/// The factors of a matrix product with far fewer entries than it: else memory is spent for nothing. A column times a
/// row is one, whoever multiplies them. -1 twice where `id` is none.
constexpr fixed<int, 2> factors_of_narrow(graph_view g, int id) {
  node const& n = g.nodes.start[id];
  if (n.extent.rank != 2 || n.extent.counted != 0 || n.attributes != 0) return {-1, -1};
  bool const is_matmul = n.op == opcode_of<op::matmul>;
  if ((!is_matmul && n.op != opcode_of<op::mul>) || !is_floating(n.type)) return {-1, -1};
  int left = g.operands(id)[0], right = g.operands(id)[1];
  if (!is_matmul && g[left].extent[1] != 1) std::swap(left, right);
  shape const &a = g[left].extent, &b = g[right].extent;
  if (a.counted != 0 || a[0] != n.extent[0] || b[1] != n.extent[1] || a[1] != b[0] ||
      4 * (a.size() + b.size()) >= n.extent.size())
    return {-1, -1};
  return {left, right};
}

/// What a narrow product counts towards its being joined; 0 of any other node. One loop adds up twenty outer products
/// as fast as a product does (measured), so fewer, or of a small sum, are left to it. A product of more columns is a
/// pass of its own over the sum; one of more than eight does enough in it, and its factors take more memory.
inline constexpr int worth_joining = 20, most_columns = 8;
constexpr int worth_of(graph_view g, int id) {
  fixed<int, 2> const factors = factors_of_narrow(g, id);
  if (factors[0] < 0) return 0;
  shape const &a = g[factors[0]].extent, &b = g[factors[1]].extent;
  if (a[1] > 1) return a[1] <= most_columns ? worth_joining / 2 : 0;
  return worth_joining * (a.size() + b.size()) <= g[id].extent.size();
}

class joined_products {
  /// What a node is to the sum that is its only reader.
  enum class part : std::uint8_t { addend, sum, product };

 public:
  constexpr explicit joined_products(graph_view g)
      : g_(g), part_(filled(g.nodes.size(), part::addend)), worth_(filled(g.nodes.size(), 0)) {
    sequence<int> const uses = readers_of(g);
    for (int id = 0; id < g.size(); ++id) {
      node const& n = g.nodes.start[id];
      if (n.op != opcode_of<op::add>) continue;
      for (int each : g.operands(id))
        if (uses.entry[each] == 1 && g[each].extent == n.extent) {
          bool const is_sum = g[each].op == opcode_of<op::add>;
          int const worth = is_sum ? worth_.entry[each] : worth_of(g, each);
          part_.entry[each] = is_sum ? part::sum : worth > 0 ? part::product : part::addend;
          worth_.entry[id] += worth;
        }
    }
  }

  constexpr graph run() {
    graph to = empty_like(g_, true);
    at_ = filled(g_.nodes.size(), -1);
    sequence<int> operands;
    for (int id = 0; id < g_.size(); ++id) {
      node const& n = g_.nodes.start[id];
      const_span<int> const from = mapped(g_, id, at_, operands);
      if (facts_of(n).is_loop)
        at_.entry[id] = changed_loop(to, n, from, [](loop_body& l) {
                          if (!l.points && has_narrow_products(l.body)) l.body = join_products(l.body);
                        }).id;
      else if (part_.entry[id] != part::sum && worth_.entry[id] >= worth_joining) at_.entry[id] = joined(to, id).id;
      else at_.entry[id] = rules_of(n).insert(to, n, from).id;
    }
    for (int output : g_.outputs) to.outputs.push_back(at_.entry[output]);
    return to;
  }

 private:
  graph_view g_;
  sequence<part> part_;
  sequence<int> worth_;  // of a sum: of the narrow products that it adds up
  sequence<int> at_;

  /// The sum `root`, with its narrow products joined, as many at a time as have together as many entries as the sum.
  constexpr term joined(graph& to, int root) const {
    sequence<int> waiting;
    waiting.push_back(root);
    term sum{};
    auto const add = [&](term each) { sum = sum.exists() ? sum + each : each; };
    sequence<term> left, right;
    std::int64_t entries = 0;
    auto const flush = [&] {
      if (!left.empty()) add(matmul(side_by_side(left), transpose(side_by_side(right))));
      left.clear(), right.clear();
      entries = 0;
    };
    while (!waiting.empty()) {
      int const id = waiting.back();
      waiting.pop_back();
      const_span<int> const of = g_.operands(id);
      if (id == root || part_.entry[id] == part::sum) {
        waiting.push_back(of[1]);
        waiting.push_back(of[0]);
      } else if (part_.entry[id] == part::addend) {
        add({&to, at_.entry[id]});
      } else {
        fixed<int, 2> const factors = factors_of_narrow(g_, id);
        left.push_back(as_matrix({&to, at_.entry[factors[0]]}));
        right.push_back(transpose(as_matrix({&to, at_.entry[factors[1]]})));
        entries += left.back().extent().size() + right.back().extent().size();
        if (entries >= g_[root].extent.size()) flush();
      }
    }
    flush();
    return fit(sum, g_[root].extent);
  }

  static constexpr term as_matrix(term x) { return reshaped(x, make_shape(x.extent()[0], x.extent()[1])); }

  /// The columns of all `parts`.
  static constexpr term side_by_side(const_span<term> parts) {
    if (parts.size() == 1) return parts[0];
    shape whole = parts[0].extent();
    for (std::size_t i = 1; i < parts.size(); ++i) whole.extent[1] += parts[i].extent()[1];
    sequence<term> columns;
    int begin = 0;
    for (term each : parts) {
      columns.push_back(embed(each, whole, region(1, begin)));
      begin += each.extent()[1];
    }
    return sum_of(columns);
  }
};

}  // namespace detail

/// Whether narrow products are added up, perhaps in a loop.
constexpr bool has_narrow_products(graph_view g) {
  int worth = 0;
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g.nodes.start[id];
    if (n.op == opcode_of<op::add> && n.extent.rank == 2) {
      for (int each : g.operands(id)) worth += detail::worth_of(g, each);
      if (worth >= detail::worth_joining) return true;
    } else if (facts_of(n).is_loop) {
      const_span<std::uint64_t> const words = words_at(g.pool, n.attributes);
      if (!is_of_points(words) && has_narrow_products(loop_of(words).body)) return true;
    }
  }
  return false;
}

/// Computes the same values; sums of narrow products become products of factors that lie side by side. (Points that a
/// loop takes together are computed in lanes, where nothing is gained.)
constexpr graph join_products(graph_view g) { return detail::joined_products(g).run(); }

}  // namespace pass
ETCH_NAMESPACE_END
