// at_run_time: the interpreter and the passes, compiled once for all tests that call them at run time. A unit with
// calls of its own would hold the values, rules and identities of all ops.
#pragma once

#include <etch/graph/graph.hpp>
#include <etch/rewrite/shard.hpp>

#include <vector>

namespace at_run_time {

using etch::const_span;
using etch::graph;
using etch::graph_view;
using numbers = std::vector<double>;

/// The outputs of a graph without composites, from the entries of its leaves.
std::vector<numbers> interpret(graph_view g, std::vector<numbers> const& inputs);

graph simplify(graph_view g);
graph differentiate(graph_view g, const_span<int> wrt, bool precise = false);
/// The same by a sweep that pauses behind every `at_once` nodes, and goes on with a copy of what it has built.
graph differentiate_in_parts(graph_view g, const_span<int> wrt, int at_once);
graph expand(graph_view g);
graph contract_sums(graph_view g);
graph factor_sums(graph_view g);
graph join_products(graph_view g);
/// Wherever regions can be cut, whatever that saves.
graph split_at_joins(graph_view g);
graph reassociate(graph_view g);
graph prune(graph_view g);
/// In strips as narrow as can be, whatever that saves.
graph in_narrow_strips(graph_view g);
graph assemble(graph_view g);
graph materialise(graph_view g);
/// What a worker computes that has `part` of `whole` entries along axis `axes[i]` of input i, if that is not -1.
etch::pass::shard_of_graph shard(graph_view g, const_span<int> axes, etch::pass::sharding const& of, bool adds_value);
/// The same graph with no identity applied, without composites and stops of gradients.
graph plain(graph_view g);

// Derivatives as further outputs (rewrite/derivatives.hpp).
using nodes = etch::sequence<int>;
void take_adjoints(graph& b, nodes const& ys, nodes const& us, nodes const& xs);
void take_derivatives_along(graph& b, nodes const& ys, nodes const& xs, nodes const& vs);
enum class jacobian_by { rows, columns, steps_of_rows, steps_of_columns, diagonals };
/// False where it cannot be made so: along diagonals, if entries are no functions of neighbours.
bool take_jacobian(graph& b, nodes const& ys, nodes const& xs, jacobian_by way);
void take_hessian(graph& b, int y, nodes const& xs);
void take_hessian_product(graph& b, int y, nodes const& xs, nodes const& vs);

/// The derivatives of order `order` of `ys` along curves that move `xs` by `vs[0]`, `vs[1]`, ..., added up over these,
/// as outputs: in one pass forward. False where an op has no rule for that.
bool take_taylor(graph& b, nodes const& ys, nodes const& xs, std::vector<nodes> const& vs, int order);
/// The first one by reverse mode alone.
void take_transposed_twice(graph& b, nodes ys, nodes xs, nodes vs);
std::int64_t count_flops(graph_view g);

/// The fault of a graph; null if there is none.
char const* find_fault(graph_view g);

/// The stage that changes `g` although it says that it would not; null if there is none.
char const* changes_unasked(graph_view g);

}  // namespace at_run_time
