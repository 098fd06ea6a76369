// simplify: every identity that ops know of themselves, applied once from the leaves up.
#pragma once

#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Computes the same values by fewer or cheaper nodes. Identities live in the op structs (`simplify`); constants fold,
/// and element-wise operations slip under broadcasts. No long sum is reordered, except where a product with a repeated
/// row or column becomes cheaper by an order.
constexpr graph simplify(graph_view g) {
  return rebuild(g, true, [](graph& to, node const& n, const_span<int> operands) {
    if (!facts_of(n).is_loop) return same_node(to, n, operands);
    return changed_loop(to, n, operands, [](loop_body& l) { l.body = simplify(l.body); });
  });
}

/// Makes all loops keep nothing but their carries for a gradient.
constexpr graph keep_only_carries(graph_view g) {
  return rebuild(g, false, [](graph& to, node const& n, const_span<int> operands) {
    if (!facts_of(n).is_loop) return same_node(to, n, operands);
    return changed_loop(to, n, operands, [](loop_body& l) {
      l.body = keep_only_carries(l.body);
      l.keeps_carries = true;
    });
  });
}

}  // namespace pass
ETCH_NAMESPACE_END
