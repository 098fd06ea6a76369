// products_of_sums: products that the steps of a loop add up, and of which one factor is the same at every step, become
// one product after the loop: sum over t of A b_t = A (sum over t of b_t).
#pragma once

#include <etch/rewrite/counted.hpp>
#include <etch/rewrite/flops.hpp>
#include <etch/rewrite/in_lanes.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr graph products_of_sums(graph_view g);

namespace detail {

/// What the steps of the loop `l` add up. A value is linear in others that differ from step to step, if those are all
/// it reads besides what is the same at every step; the sum of such values follows from the sums of the others.
class values_to_sum {
 public:
  constexpr explicit values_to_sum(loop_body const& l) : l_(l) {
    if (!may_sum(l)) return;
    graph const& b = l.body;
    varies_ = varying_nodes(l, false);
    sequence<int> const readers = readers_of(b);
    has_product_ = sequence<char>::zeros(varies_.size());
    for (int id = 0; id < b.size(); ++id) {
      if (!varies_.entry[id] || readers.entry[id] != 1) continue;
      bool found = facts_of(b[id]).is_product;
      for (int operand : b.operands(id)) found = found || has_product_.entry[operand];
      has_product_.entry[id] = found && is_linear(id) && (!facts_of(b[id]).is_product || pays(id));
    }
  }

  /// Whether the sum of result `r` is a product of sums, and takes less time so.
  constexpr bool is_product_of_sums(int r) const {
    return !varies_.empty() && l_.out.entry[r] == loop_output::sum && has_product_.entry[l_.body.outputs.entry[r]];
  }
  /// Calls `f(node)` for those in which the value `id` is linear.
  constexpr void for_each_summand(int id, auto f) const {
    sequence<char> const needed = needed_for(id);
    for (int each = 0; each <= id; ++each)
      if (needed.entry[each] && is_summand(each)) f(each);
  }
  /// The sum of value `id` over all steps, from those of its summands, which `sum_of(node)` gives. `operands` are the
  /// loop's, in `to`.
  constexpr term sum_of_value(graph& to, int id, const_span<int> operands, auto sum_of) const {
    sequence<char> const needed = needed_for(id);
    sequence<int> at = filled(needed.size(), -1), from;
    for (int each = 0; each <= id; ++each) {
      if (!needed.entry[each]) continue;
      node const& n = l_.body[each];
      if (is_summand(each)) at.entry[each] = sum_of(each).id;
      else if (n.op == opcode_of<op::input>) at.entry[each] = operands[static_cast<std::size_t>(n.attributes)];
      else at.entry[each] = same_node(to, n, mapped(l_.body, each, at, from)).id;
    }
    return {&to, at.entry[id]};
  }

 private:
  loop_body const& l_;
  sequence<char> varies_;       // from step to step
  sequence<char> has_product_;  // whether a node that nothing but a sum reads is linear, with a product on the way

  static constexpr bool may_sum(loop_body const& l) {
    for (loop_output each : l.out)
      if (each == loop_output::sum) return l.count >= 2 && !counts(l.body);
    return false;
  }

  constexpr bool is_summand(int id) const { return varies_.entry[id] && !has_product_.entry[id]; }
  /// Marks the summands of value `id`, and what is computed after the steps.
  constexpr sequence<char> needed_for(int id) const {
    sequence<char> needed = sequence<char>::zeros(varies_.size());
    needed.entry[id] = 1;
    for (int each = id; each >= 0; --each)
      if (needed.entry[each] && !is_summand(each))
        for (int operand : l_.body.operands(each)) needed.entry[operand] = 1;
    return needed;
  }

  constexpr bool is_linear(int id) const {
    graph const& b = l_.body;
    op_facts const& op = facts_of(b[id]);
    bool const is_product = op.linear == linearity::separate,
               is_sum = op.is_elementwise
                            ? op.sums_of != 0
                            : op.linear == linearity::joint && (op.is_view || op.is_assembly || op.is_reduction);
    if (!is_product && !is_sum) return false;
    int const* const operands = b.operands(id).start;
    int varying = 0;
    for (int i = 0; i < b[id].arity; ++i) {
      int const operand = operands[i];
      bool const varies = varies_.entry[operand], is_term = !op.is_elementwise || (op.sums_of >> i & 1) != 0;
      varying += varies;
      if (!varies && !is_movable(operand)) return false;
      if (varies && b[operand].type != b[id].type) return false;  // sums keep their digits
      if (!is_product && varies != is_term) return false;
    }
    return !is_product || varying == 1;
  }
  /// Whether what is the same at every step, value `id`, can be computed after them.
  constexpr bool is_movable(int id) const {
    sequence<char> const needed = needed_for(id);
    for (int each = 0; each <= id; ++each)
      if (needed.entry[each] && facts_of(l_.body[each]).has_words) return false;
    return true;
  }
  /// Whether adding up the factor of product `id` that varies takes less than computing and adding up the product.
  constexpr bool pays(int id) const {
    graph const& b = l_.body;
    int const left = b.operands(id)[0], right = b.operands(id)[1];
    std::int64_t const all = b[id].extent.size(), summands = b[varies_.entry[left] ? left : right].extent.size();
    constexpr std::int64_t load_add_store = 3;
    return summands <= 4 * all && load_add_store * summands < flops_of(b, id) / 2 + load_add_store * all;
  }
};

/// The result of `l` that is the sum of node `id` of its body; their number if there is none.
constexpr int result_that_sums(loop_body const& l, int id) {
  int r = 0;
  while (r < static_cast<int>(l.out.size()) && (l.out.entry[r] != loop_output::sum || l.body.outputs.entry[r] != id))
    ++r;
  return r;
}

}  // namespace detail

/// Whether `products_of_sums` changes anything.
constexpr bool has_products_of_sums(graph_view g) {
  for (int id = 0; id < g.size(); ++id) {
    if (!facts_of(g[id]).is_loop) continue;
    loop_body const l = loop_at(g, id);
    detail::values_to_sum const values(l);
    for (std::size_t r = 0; r < l.out.size(); ++r)
      if (values.is_product_of_sums(static_cast<int>(r))) return true;
    if (has_products_of_sums(l.body)) return true;
  }
  return false;
}

/// Computes the same values, except that a product which the steps of a loop add up is computed once, of the sum of the
/// factor that differs between them, where the other does not.
constexpr graph products_of_sums(graph_view g) {
  struct changed {
    int loop;  // its node in the new graph
    loop_body before;
    sequence<int> operands;
  };
  sequence<changed> all;
  return rebuild(g, false, [&](graph& to, node const& n, const_span<int> operands) -> term {
    if (facts_of(n).is_loop) {
      loop_body l = loop_of(words_at(to.pool, n.attributes));
      l.body = products_of_sums(l.body);
      loop_body const before = l;
      detail::values_to_sum const values(before);
      bool changes = false;
      for (std::size_t r = 0; r < before.out.size(); ++r) {
        if (!values.is_product_of_sums(static_cast<int>(r))) continue;
        changes = true;
        values.for_each_summand(before.body.outputs.entry[r], [&](int id) {
          if (detail::result_that_sums(l, id) < static_cast<int>(l.out.size())) return;
          l.out.push_back(loop_output::sum);
          l.body.outputs.push_back(id);
        });
      }
      term const loop{&to, insert_loop(to, l, operands)};
      if (changes) all.push_back({loop.id, before, sequence<int>(operands.begin(), operands.end())});
      return loop;
    }
    if (n.op == opcode_of<op::summed_steps>)
      for (changed const& c : all) {
        if (c.loop != operands[0]) continue;
        detail::values_to_sum const values(c.before);
        int const r = static_cast<int>(n.attributes);
        if (!values.is_product_of_sums(r)) continue;
        loop_body const l = loop_at(to, c.loop);
        auto const sum_of = [&](int id) { return result_of(to, l, c.loop, detail::result_that_sums(l, id)); };
        return fit(values.sum_of_value(to, c.before.body.outputs.entry[r], c.operands, sum_of), n.extent);
      }
    return {&to, to.insert(n.op, n.type, n.extent, n.attributes, operands)};
  });
}

}  // namespace pass
ETCH_NAMESPACE_END
