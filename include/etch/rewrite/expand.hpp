// expand: replaces composites by their definitions, once no derivative of them is wanted any more.
#pragma once

#include <etch/op/ops.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

inline constexpr int few_columns = 16, long_column = 128;

/// The product of `a`, a matrix of few long columns or the transpose of one, with the vector `b`, as operations on its
/// columns: then it goes into one loop with whatever else reads them. Nothing for any other product.
constexpr term product_by_columns(term a, term b) {
  shape const of_a = a.extent();
  if (of_a.rank != 2 || b.extent().rank > 2 || b.extent()[1] != 1) return {};
  auto const column = [](term of, int j) { return reshaped(slice(of, region(1, j), 1), make_shape(of.extent()[0])); };
  if (of_a[1] <= few_columns && of_a[0] >= long_column && !is<op::transpose>(a)) {
    auto const scaled = [&](int j) { return column(a, j) * reshaped(slice(b, region(0, j), 1), make_shape(1)); };
    term sum = scaled(0);
    for (int j = 1; j < of_a[1]; ++j) sum = sum + scaled(j);
    return sum;
  }
  if (of_a[0] <= few_columns && of_a[1] >= long_column && is<op::transpose>(a)) {
    term const v = reshaped(b, make_shape(of_a[1]));
    sequence<term> parts;
    for (int j = 0; j < of_a[0]; ++j) {
      term const entry = emit<op::sum>(op::reduction::whole, column(a.operand(0), j) * v);
      parts.push_back(embed(reshaped(entry, make_shape(1)), make_shape(of_a[0]), region(0, j)));
    }
    return sum_of(parts);
  }
  return {};
}

}  // namespace detail

/// Whether `expand` changes anything.
constexpr bool has_composites(graph_view g) {
  for (int id = 0; id < g.size(); ++id) {
    op_facts const& op = op_table.entry[g[id].op];
    if (op.is_composite || op.is_loop || g[id].op == opcode_of<op::stop_gradient>) return true;
    if (g[id].op == opcode_of<op::matmul> && g[g.operands(id)[1]].extent[1] == 1) return true;  // by columns, perhaps
  }
  return false;
}

/// Replaces composites by their definitions and drops stops of gradients: every node left has a kernel.
constexpr graph expand(graph_view g) {
  return rebuild(g, true, [](graph& to, node const& n, const_span<int> operands) -> term {
    op_facts const& op = facts_of(n);
    if (op.is_loop) return changed_loop(to, n, operands, [](loop_body& l) { l.body = expand(l.body); });
    if (op.is_composite) return rules_of(n).expand(to, n, operands);
    if (n.op == opcode_of<op::matmul>)
      if (term const loops = detail::product_by_columns({&to, operands[0]}, {&to, operands[1]}); loops.exists())
        return fit(loops, n.extent);
    if (n.op == opcode_of<op::stop_gradient>) return {&to, operands[0]};
    return rules_of(n).insert(to, n, operands);
  });
}

}  // namespace pass
ETCH_NAMESPACE_END
