// The passes as the tests call them.
#include "rewrite/at_run_time.hpp"

#include <etch/lower/assemble.hpp>
#include <etch/rewrite/contract_sums.hpp>
#include <etch/rewrite/jacobian.hpp>
#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/flops.hpp>
#include <etch/lower/materialise.hpp>
#include <etch/rewrite/prune.hpp>
#include <etch/rewrite/reassociate.hpp>
#include <etch/rewrite/replay.hpp>
#include <etch/rewrite/simplify.hpp>
#include <etch/rewrite/split_at_joins.hpp>
#include <etch/rewrite/loop_tiling.hpp>
#include <etch/rewrite/defer_products.hpp>
#include <etch/rewrite/factor_sums.hpp>
#include <etch/rewrite/fuse_maps.hpp>
#include <etch/rewrite/join_products.hpp>
#include <etch/rewrite/verify.hpp>
#include <etch/machine/interpret.hpp>

#include "core/identical.hpp"

namespace at_run_time {

using namespace etch;

std::vector<numbers> interpret(graph_view g, std::vector<numbers> const& inputs) { return run::interpret(g, inputs); }

graph simplify(graph_view g) { return pass::simplify(g); }
graph differentiate(graph_view g, const_span<int> wrt, bool precise) { return pass::differentiate(g, wrt, precise); }
graph differentiate_in_parts(graph_view g, const_span<int> wrt, int at_once) {
  pass::paused_sweep s = pass::begin_sweep(g);
  for (int until = g.size() - at_once; until > 0; until -= at_once) {
    s = pass::sweep_on(g, std::move(s), wrt, until);
    s.to = pass::copy_of(s.to);
    s.to.simplifying = true;
  }
  return pass::end_sweep(g, std::move(s), wrt);
}
graph expand(graph_view g) { return pass::expand(g); }
graph contract_sums(graph_view g) { return pass::contract_sums(g); }
graph factor_sums(graph_view g) { return pass::factor_sums(g); }
graph join_products(graph_view g) { return pass::join_products(g); }
graph split_at_joins(graph_view g) {
  int unlimited = 1 << 20;
  return pass::split_at_joins(g, pass::splitting::everywhere, unlimited);
}
graph reassociate(graph_view g) { return pass::reassociate(g); }
graph in_narrow_strips(graph_view g) { return pass::strips(g, 1, {0, 0, 1}); }
graph prune(graph_view g) { return pass::prune(g); }
graph assemble(graph_view g) { return pass::assemble(g); }
graph materialise(graph_view g) { return pass::materialise(g); }
pass::shard_of_graph shard(graph_view g, const_span<int> axes, pass::sharding const& of, bool adds_value) {
  return pass::shard(g, axes, of, adds_value);
}
graph plain(graph_view g) {
  return pass::rebuild(g, false, [&](graph& to, node const& n, const_span<int> operands) -> term {
    if (facts_of(n).is_composite) return rules_of(n).expand(to, n, operands);
    if (n.op == opcode_of<op::stop_gradient>) return {&to, operands[0]};
    if (!facts_of(n).is_loop) return pass::same_node(to, n, operands);
    loop_body of = loop_of(words_at(g.pool, n.attributes));
    of.body = plain(of.body);
    return {&to, to.insert(n.op, n.type, n.extent, to.keep(words_of(of)), operands)};
  });
}

void take_adjoints(graph& b, nodes const& ys, nodes const& us, nodes const& xs) { pass::take_adjoints(b, ys, us, xs); }
void take_derivatives_along(graph& b, nodes const& ys, nodes const& xs, nodes const& vs) {
  pass::take_derivatives_along(b, ys, xs, vs);
}
bool take_jacobian(graph& b, nodes const& ys, nodes const& xs, jacobian_by way) {
  b.simplifying = true;
  int const rows = pass::detail::entries_of(b, ys), columns = pass::detail::entries_of(b, xs);
  attribute const inputs = pass::detail::inputs_of(b);
  nodes y = ys, x = xs, none;
  term const matrix =
      way == jacobian_by::rows        ? reshaped({&b, pass::jacobian_of(b, y, x, none)}, make_shape(rows, columns))
      : way == jacobian_by::columns   ? pass::detail::jacobian_by_columns(b, y, x)
      : way == jacobian_by::diagonals ? pass::detail::jacobian_of_neighbours(b, y, x)
                                      : pass::detail::jacobian_in_steps(b, y, x, way == jacobian_by::steps_of_rows);
  if (!matrix.exists()) return false;
  b.outputs.push_back(matrix.id);
  b = pass::detail::without_inputs(pass::drop_dead(b), inputs);
  return true;
}
void take_hessian(graph& b, int y, nodes const& xs) { pass::take_hessian(b, y, xs, {}); }
void take_hessian_product(graph& b, int y, nodes const& xs, nodes const& vs) {
  pass::take_hessian_product(b, y, xs, vs);
}

bool take_taylor(graph& b, nodes const& ys, nodes const& xs, std::vector<nodes> const& vs, int order) {
  b.simplifying = true;
  int const curves = static_cast<int>(vs.size());
  pass::taylor_mode forward(b, order, curves);
  for (int curve = 0; curve < curves; ++curve)
    for (std::size_t i = 0; i < xs.size(); ++i)
      forward.move(curve, xs.entry[i], vs[static_cast<std::size_t>(curve)].entry[i]);
  if (!forward.run(ys)) return false;
  for (int y : ys) {
    int const found = forward.derivative(y);
    b.outputs.push_back(found >= 0 ? found : pass::zeros_like(b, y).id);
  }
  return true;
}
void take_transposed_twice(graph& b, nodes ys, nodes xs, nodes vs) {
  b.simplifying = true;
  attribute const inputs = pass::detail::inputs_of(b);
  nodes const along = pass::detail::transposed_twice(b, ys, xs, vs);
  for (std::size_t k = 0; k < ys.size(); ++k)
    b.outputs.push_back(along.entry[k] >= 0 ? along.entry[k] : pass::zeros_like(b, ys.entry[k]).id);
  b = pass::detail::without_inputs(b, inputs);
}
std::int64_t count_flops(graph_view g) { return pass::count_flops(g); }

char const* find_fault(graph_view g) { return pass::find_fault(g); }

char const* changes_unasked(graph_view g) {
  if (!pass::has_several_loops_of_points(g) && !graphs::identical(pass::fuse_maps(g), g)) return "fuse_maps";
  if (!pass::has_loops_of_points(g) && !graphs::identical(pass::hoist(g), g)) return "hoist";
  if (!pass::has_products_to_defer(g) && !graphs::identical(pass::defer_products(g), g)) return "defer_products";
  if (!pass::has_regions(g) && !graphs::identical(pass::split_at_joins(g), g)) return "split_at_joins";
  return nullptr;
}

}  // namespace at_run_time
