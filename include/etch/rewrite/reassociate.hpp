// reassociate: a chain of matrix products in its cheapest order, where that saves at least half of the
// work; what is used elsewhere stays. (Matrix-chain ordering by dynamic programming: Cormen et al.,
// Introduction to Algorithms, §15.2.)
#pragma once

#include <etch/rewrite/replay.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// A product of several matrices, and the cheapest order of its multiplications.
class product_chain {
 public:
  static constexpr int longest = 24;

  constexpr product_chain(graph_view g, const_span<char> is_link, int root) {
    sequence<int> stack;
    stack.push_back(root);
    while (!stack.empty()) {
      int const id = stack.back();
      stack.pop_back();
      bool const has_room = static_cast<int>(matrices_.size() + stack.size()) + 2 <= longest;
      if (id == root || (is_link[static_cast<std::size_t>(id)] && has_room)) {
        const_span<int> const from = g.operands(id);
        work_ += g[id].extent.size() * g[from[0]].extent[1];
        stack.push_back(from[1]);
        stack.push_back(from[0]);
      } else {
        matrices_.push_back(id);
      }
    }
    count_ = static_cast<int>(matrices_.size());
    if (count_ < 3) return;
    for (int id : matrices_) {
      shape const& s = g[id].extent;
      extent_.push_back(s[0]);
      rows_count_.push_back(s.is_counted(0));
      columns_count_.push_back(s.is_counted(1));
    }
    extent_.push_back(g[matrices_.back()].extent[1]);
    order();
  }

  constexpr bool gains() const { return count_ >= 3 && 2 * least_.entry[count_ - 1] <= work_; }

  /// The product in the cheapest order; `at` says where the matrices are.
  constexpr term build(graph& to, const_span<int> at) const { return build(to, at, 0, count_ - 1); }

 private:
  static constexpr std::int64_t unaffordable = std::numeric_limits<std::int64_t>::max() / 4;
  sequence<int> matrices_, extent_;
  sequence<char> rows_count_, columns_count_;
  int count_ = 0;
  std::int64_t work_ = 0;         // multiplications in the order given
  sequence<std::int64_t> least_;  // multiplications for matrices i to j, at i * count_ + j
  sequence<int> split_;           // the last matrix of the left factor

  constexpr void order() {
    least_ = sequence<std::int64_t>::zeros(static_cast<std::size_t>(count_ * count_));
    split_ = sequence<int>::zeros(least_.size());
    std::int64_t* const least = least_.begin();
    int const* const extent = extent_.begin();
    for (int length = 2; length <= count_; ++length)
      for (int i = 0, j = length - 1; j < count_; ++i, ++j) {
        std::int64_t& best = least[i * count_ + j];
        best = unaffordable;
        if (rows_count_.entry[i] && columns_count_.entry[j]) continue;  // a value has one axis that is counted
        std::int64_t const outside = std::int64_t{extent[i]} * extent[j + 1];
        for (int k = i; k < j; ++k)
          if (std::int64_t const work = least[i * count_ + k] + least[(k + 1) * count_ + j] + outside * extent[k + 1];
              work < best) {
            best = work;
            split_.entry[i * count_ + j] = k;
          }
      }
  }

  constexpr term build(graph& to, const_span<int> at, int i, int j) const {
    if (i == j) return {&to, at[static_cast<std::size_t>(matrices_.entry[i])]};
    int const k = split_.entry[i * count_ + j];
    return emit<op::matmul>(0, build(to, at, i, k), build(to, at, k + 1, j));
  }
};

/// The products that are but links of a longer one: used once, by a product.
constexpr sequence<char> links_of_chains(graph_view g) {
  sequence<int> uses = filled(g.nodes.size(), 0);
  sequence<char> is_link = sequence<char>::zeros(g.nodes.size());
  auto const is_matrix_product = [&](int id) { return g[id].op == opcode_of<op::matmul> && g[id].extent.rank <= 2; };
  for (int id = 0; id < g.size(); ++id)
    for (int each : g.operands(id)) {
      ++uses.entry[each];
      is_link.entry[each] = is_matrix_product(id) && is_matrix_product(each);
    }
  for (int output : g.outputs) ++uses.entry[output];
  for (int id = 0; id < g.size(); ++id) is_link.entry[id] = is_link.entry[id] && uses.entry[id] == 1;
  return is_link;
}

}  // namespace detail

/// Whether there is a chain of products.
constexpr bool has_chains(graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (g[id].op == opcode_of<op::matmul>)
      for (int each : g.operands(id))
        if (g[each].op == opcode_of<op::matmul>) return true;
  return false;
}

/// Multiplies chains of matrices in their cheapest order. Chains of more than 24 matrices are taken in pieces.
constexpr graph reassociate(graph_view g) {
  sequence<char> const is_link = detail::links_of_chains(g);
  graph to = empty_like(g, true);
  sequence<int> at = filled(g.nodes.size(), -1), operands;
  int const count = g.size();
  for (int id = 0; id < count; ++id) {
    node const& n = g.nodes.start[id];
    if (int const* const from = g.edges.start + n.first_operand; n.op == opcode_of<op::matmul> && n.extent.rank <= 2 &&
                                                                 !is_link.entry[id] &&
                                                                 (is_link.entry[from[0]] || is_link.entry[from[1]])) {
      if (detail::product_chain const chain(g, is_link, id); chain.gains()) {
        at.entry[id] = fit(chain.build(to, at), n.extent).id;
        continue;
      }
    }
    at.entry[id] = rules_of(n).insert(to, n, mapped(g, id, at, operands)).id;
  }
  for (int output : g.outputs) to.outputs.push_back(at.entry[output]);
  return to;
}

}  // namespace pass
ETCH_NAMESPACE_END
