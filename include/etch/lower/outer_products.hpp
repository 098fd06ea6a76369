// outer_products: products of a column by a row become element-wise products, which write their result in the order in
// which it lies, and go into one loop with what is made of it.
#pragma once

#include <etch/lower/assemble.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// Whether node `id` is a product over one entry whose column can be read by registers: its entries adjoin.
constexpr bool is_outer_product(graph_view g, int id) {
  if (g[id].op != opcode_of<op::matmul>) return false;
  int column = g.operands(id)[0];
  shape const s = g[column].extent;
  if (s[1] != 1 || s.is_counted(1)) return false;
  // The strides of the column in what is stored.
  sequence<int> views;
  for (; facts_of(g[column]).is_view; column = g.operands(column)[0]) views.push_back(column);
  layout where{0, contiguous_strides(g[column].extent)};
  for (std::size_t i = views.size(); i-- > 0;) {
    int const view = views.entry[i];
    auto const found =
        facts_of(g[view]).project(g[view].attributes, where, g[g.operands(view)[0]].extent, g[view].extent);
    if (!found) return false;
    where = *found;
  }
  return s[0] == 1 || where.step[0] == 1;
}

constexpr graph with_outer_products_as_loops(graph_view g) {
  graph to = copy_of(g);
  for (int id = 0; id < g.size(); ++id)
    if (is_outer_product(g, id)) {
      to.nodes.entry[id].op = opcode_of<op::mul>;
      to.nodes.entry[id].attributes = 0;
    }
  return to;
}

}  // namespace detail

/// `assemble` of the graph in which outer products are element-wise products.
constexpr graph assemble_with_outer_products(graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (detail::is_outer_product(g, id)) return assemble(detail::with_outer_products_as_loops(g));
  return assemble(g);
}

}  // namespace pass
ETCH_NAMESPACE_END
