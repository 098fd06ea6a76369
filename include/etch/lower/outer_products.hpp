// outer_products: products of a column by a row become element-wise products, which write their result in the order in
// which it lies, and go into one loop with what is made of it. In lanes those stay products that nothing is made of: a
// loop of points adds such ones up for several registers at once (machine/unroll_and_jam.hpp).
#pragma once

#include <etch/lower/assemble.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// Whether `n` is a product over one entry whose column, node `column`, can be read by registers: its entries adjoin.
constexpr bool is_outer_product(graph_view g, node const& n, int column) {
  if (n.op != opcode_of<op::matmul>) return false;
  shape const s = g[column].extent;
  if (s[1] != 1 || s.is_counted(1)) return false;
  std::optional<layout> const where = layout_in_root(g, column);
  return where && (s[0] == 1 || where->step[0] == 1);
}

/// Marks the outer products of `g` that are better loops; empty where there are none.
constexpr sequence<char> outer_products(graph_view g) {
  sequence<char> is_outer, is_read;
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].op != opcode_of<op::matmul> || !is_outer_product(g, g[id], g.operands(id)[0])) continue;
    if (is_outer.empty()) {
      is_outer = is_read = sequence<char>::zeros(g.nodes.size());
      for (int operand : g.edges) is_read.entry[operand] = 1;
    }
    is_outer.entry[id] = is_read.entry[id] || !is_lanes(g[id].type);
  }
  return is_outer;
}

}  // namespace detail

/// `is_outer` as element-wise products. (One may turn out to be a node that there is already: others move.)
constexpr graph outer_products_as_loops(graph_view g, const_span<char> is_outer) {
  int id = -1;
  return rebuild(g, false, [&](graph& to, node const& n, const_span<int> operands) -> term {
    bool const as_loop = is_outer.start[++id];
    return {&to,
            to.insert(as_loop ? opcode_of<op::mul> : n.op, n.type, n.extent, as_loop ? 0 : n.attributes, operands)};
  });
}

/// `assemble` of the graph in which outer products are element-wise products.
constexpr graph assemble_with_outer_products(graph_view g) {
  sequence<char> const is_outer = detail::outer_products(g);
  if (is_outer.empty()) return assemble(g);
  return assemble(outer_products_as_loops(g, is_outer));
}

}  // namespace pass
ETCH_NAMESPACE_END
