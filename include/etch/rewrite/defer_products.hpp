// defer_products: products that the steps of a loop add up become one product after the loop, of what the steps
// leave side by side: sum over t of A_t B_tᵀ = [A_1 A_2 ...] [B_1 B_2 ...]ᵀ. A result larger than its factors
// is then written once, not once a step.
#pragma once

#include <etch/rewrite/counted.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr graph defer_products(graph_view g);

namespace detail {

/// One factor of a late product: an operand of the loop, or if `result` is one that result of it.
struct late_factor {
  int operand = -1, result = -1;
};
/// A result of a loop that is computed after it.
struct deferred_product {
  int loop = -1, result = -1;
  late_factor a, b;
};

/// The loop `l`, with what late products need among its results.
class postponing {
 public:
  constexpr postponing(loop_body& l, const_span<int> operands) : l_(l), operands_(operands) {}

  constexpr void run(sequence<deferred_product>& late) {
    int const results = static_cast<int>(l_.out.size());
    for (int r = 0; r < results; ++r) {
      if (!is_late(r)) continue;
      int const product = l_.body.outputs.entry[r];
      late_factor const a = factor(left(product)), b = factor(right(product));
      late.push_back({-1, r, a, b});
    }
  }
  /// Whether result `r` is to be computed after the loop.
  constexpr bool is_late(int r) const {
    return !l_.keeps_carries && !l_.points && l_.count >= 2 && l_.gate < 0 && l_.out.entry[r] == loop_output::sum &&
           pays(l_.body.outputs.entry[r]) && !counts(l_.body);
  }

 private:
  loop_body& l_;
  const_span<int> operands_;

  constexpr int left(int product) const { return l_.body.operands(product)[0]; }
  constexpr int right(int product) const { return l_.body.operands(l_.body.operands(product)[1])[0]; }

  /// Whether node `id` is a product A Bᵀ, whose factors have far fewer entries than it:
  /// else memory is spent for nothing.
  constexpr bool pays(int id) const {
    graph const& b = l_.body;
    if (b[id].op != opcode_of<op::matmul> || b[id].extent.rank > 2 ||
        b[b.operands(id)[1]].op != opcode_of<op::transpose>)
      return false;
    return 4 * (b[left(id)].extent.size() + b[right(id)].extent.size()) < b[id].extent.size();
  }

  constexpr late_factor factor(int id) {
    int from = id;
    while (l_.body[from].op == opcode_of<op::reshape>) from = l_.body.operands(from)[0];
    node const& n = l_.body[from];
    if (n.op == opcode_of<op::input> && l_.in.entry[n.attributes] == loop_input::slice)
      return {operands_[static_cast<std::size_t>(n.attributes)]};
    for (std::size_t r = 0; r < l_.out.size(); ++r)
      if (l_.out.entry[r] == loop_output::stack && l_.body.outputs.entry[r] == id) return {-1, static_cast<int>(r)};
    l_.out.push_back(loop_output::stack);
    l_.body.outputs.push_back(id);
    return {-1, static_cast<int>(l_.out.size()) - 1};
  }
};

}  // namespace detail

/// Whether `defer_products` changes anything.
constexpr bool has_products_to_defer(graph_view g) {
  for (int id = 0; id < g.size(); ++id) {
    if (!facts_of(g[id]).is_loop) continue;
    const_span<std::uint64_t> const words = words_at(g.pool, g[id].attributes);
    if (is_of_points(words) && !may_hold_loops(words)) continue;  // steps of their own
    loop_body l = loop_of(words);
    detail::postponing const loop(l, {});
    for (std::size_t r = 0; r < l.out.size(); ++r)
      if (loop.is_late(static_cast<int>(r))) return true;
    if (has_products_to_defer(l.body)) return true;
  }
  return false;
}

/// Computes the same values by the same loops, except that products of few columns which are added up over the steps
/// are computed at once afterwards. Loops that are to keep nothing but their carries stay as they are.
constexpr graph defer_products(graph_view g) {
  sequence<detail::deferred_product> late;
  return rebuild(g, false, [&](graph& to, node const& n, const_span<int> operands) -> term {
    if (facts_of(n).is_loop) {
      sequence<detail::deferred_product> found;
      term const loop = changed_loop(to, n, operands, [&](loop_body& l) {
        l.body = defer_products(l.body);
        detail::postponing(l, operands).run(found);
      });
      for (detail::deferred_product& each : found) each.loop = loop.id, late.push_back(each);
      return loop;
    }
    if (n.op == opcode_of<op::summed_steps>)
      for (detail::deferred_product const& each : late) {
        if (each.loop != operands[0] || each.result != static_cast<int>(n.attributes)) continue;
        loop_body const l = loop_at(to, each.loop);
        auto const side_by_side = [&](detail::late_factor const& f, int rows) {
          term const x = f.result < 0 ? term{&to, f.operand} : result_of(to, l, each.loop, f.result);
          return reshaped(x, make_shape(rows, x.extent().size() / rows));
        };
        term const a = side_by_side(each.a, n.extent[0]), b = side_by_side(each.b, n.extent[1]);
        return fit(matmul(a, transpose(b)), n.extent);
      }
    return {&to, to.insert(n.op, n.type, n.extent, n.attributes, operands)};
  });
}

}  // namespace pass
ETCH_NAMESPACE_END
