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
    sequence<char> from = sequence<char>::zeros(l.in.size());
    for (std::size_t i = 0; i < l.in.size(); ++i) from.entry[i] = l.in.entry[i] != loop_input::captured;
    varies_ = varying_nodes(l.body, from, false);
    readers_ = filled(static_cast<std::size_t>(l.body.size()), 0);
    for (int id = 0; id < l.body.size(); ++id)
      for (int operand : l.body.operands(id)) ++readers_.entry[operand];
    for (int output : l.body.outputs) ++readers_.entry[output];
  }

  /// Whether the sum of result `r` is a product of sums, and takes less time so.
  constexpr bool is_product_of_sums(int r) const {
    return !varies_.empty() && l_.out.entry[r] == loop_output::sum && has_product(l_.body.outputs.entry[r]);
  }
  /// Calls `f(node)` for those in which the value `id` is linear.
  constexpr void for_each_summand(int id, auto f) const {
    if (!has_product(id)) return f(id);
    for (int operand : l_.body.operands(id))
      if (varies_.entry[operand]) for_each_summand(operand, f);
  }
  /// The sum of value `id` over all steps, from those of its summands, which `sum_of(node)` gives. `operands` are the
  /// loop's, in `to`.
  constexpr term sum_of_value(graph& to, int id, const_span<int> operands, auto sum_of) const {
    if (varies_.entry[id] && !has_product(id)) return sum_of(id);
    node const& n = l_.body[id];
    if (n.op == opcode_of<op::input>) return {&to, operands[static_cast<std::size_t>(n.attributes)]};
    sequence<int> from;
    for (int operand : l_.body.operands(id)) from.push_back(sum_of_value(to, operand, operands, sum_of).id);
    return same_node(to, n, from);
  }

 private:
  loop_body const& l_;
  sequence<char> varies_;  // from step to step
  sequence<int> readers_;

  static constexpr bool may_sum(loop_body const& l) {
    for (loop_output each : l.out)
      if (each == loop_output::sum) return l.count >= 2 && !counts(l.body);
    return false;
  }

  /// Whether nothing but a sum reads value `id`, which is linear, and there is a product on the way to its summands.
  constexpr bool has_product(int id) const {
    if (!varies_.entry[id] || readers_.entry[id] != 1 || !is_linear(id)) return false;
    if (facts_of(l_.body[id]).is_product) return pays(id);
    for (int operand : l_.body.operands(id))
      if (varies_.entry[operand] && has_product(operand)) return true;
    return false;
  }

  constexpr bool is_linear(int id) const {
    graph const& b = l_.body;
    op_facts const& op = facts_of(b[id]);
    unsigned terms = op.is_elementwise ? op.sums_of : op.linear == linearity::joint ? ~0u : 0u;
    bool const is_sum = op.is_view || op.is_assembly || op.is_reduction || (op.is_elementwise && terms != 0);
    bool const is_product = (op.is_elementwise || op.is_product) && op.linear == linearity::separate;
    if (!(is_sum && terms != 0) && !is_product) return false;
    int const* const operands = b.operands(id).start;
    int varying = 0;
    for (int i = 0; i < b[id].arity; ++i) {
      int const operand = operands[i];
      bool const varies = varies_.entry[operand];
      varying += varies;
      if (!varies && !is_movable(operand)) return false;
      if (varies && b[operand].type != b[id].type) return false;  // sums keep their digits
      if (!is_product && varies != ((terms >> i & 1) != 0)) return false;
    }
    return !is_product || varying == 1;
  }
  /// Whether what is the same at every step can be computed after them.
  constexpr bool is_movable(int id) const {
    if (facts_of(l_.body[id]).has_words) return false;
    for (int operand : l_.body.operands(id))
      if (!is_movable(operand)) return false;
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
