// jacobian: matrices of derivatives, and their traces, as outputs of a function's graph. Nodes move.
#pragma once

#include <etch/rewrite/in_steps.hpp>
#include <etch/rewrite/neighbours.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// The parts of the vector or value `x`, an adjoint of `count` entries, that are not zero: `add(part, its region)`.
constexpr void for_each_part(graph& b, int x, int count, auto add) {
  term const adjoint{&b, x};
  bool const is_vector = adjoint.extent().rank == 1;
  if (is_vector && is<op::embed>(adjoint)) {
    add(adjoint.operand(0), region(adjoint->attributes));
  } else if (is_vector && is<op::join>(adjoint)) {
    sequence<int> ids;
    for (int id : b.operands(x)) ids.push_back(id);
    for (int id : ids) add(term{&b, id}.operand(0), region(b[id].attributes));
  } else {
    add(reshaped(adjoint, make_shape(count)), region(0, 0));
  }
}

}  // namespace detail

/// The derivatives of the entries of the nodes `ys` of `b` by those of the nodes `xs`, as a vector of the type of the
/// first of ys, the entries of ys fastest. One reverse sweep for each entry of ys, through the function alone; what
/// they have in common is one node. The nodes `ys`, `xs` and `kept` move, and their numbers with them.
constexpr int jacobian_of(graph& b, sequence<int>& ys, sequence<int>& xs, sequence<int>& kept) {
  b.simplifying = true;
  int const rows = detail::entries_of(b, ys);
  element const type = b[ys.entry[0]].type;
  shape const whole = make_shape(rows * detail::entries_of(b, xs));
  sequence<int> parts, entries;
  for (int y : ys) {
    int const count = static_cast<int>(b[y].extent.size());
    for (int i = 0; i < count; ++i) entries.push_back(entry_at(reshaped({&b, y}, make_shape(count)), i, shape{}).id);
  }
  graph before = b;
  for (int row = 0; row < rows; ++row) {
    int const entry = entries.entry[row];
    seed const start[] = {{entry, {constant(b, b[entry].type, 1), {}}}};
    swept const back = backpropagate(before, b, start, xs);
    if (!back.moved.empty()) {
      for (sequence<int>* each : {&ys, &xs, &kept, &parts, &entries})
        for (int& id : *each) id = back.moved.entry[id];
      before = b;
    }
    int first = row;  // where the entries for the node in hand begin
    for (std::size_t i = 0; i < xs.size(); ++i) {
      int const count = static_cast<int>(b[xs.entry[i]].extent.size());
      if (int const found = back.adjoints.entry[i]; found >= 0)
        detail::for_each_part(b, found, count, [&](term part, region r) {
          part = in_type(part, type);
          parts.push_back(embed(part, whole, region(0, first + rows * r.begin, rows * r.step)).id);
        });
      first += rows * count;
    }
  }
  if (parts.empty()) return fit(constant(b, type, 0), whole).id;
  sequence<term> terms;
  for (int each : parts) terms.push_back({&b, each});
  return sum_of(terms).id;
}

namespace detail {

/// The Jacobian of the nodes `ys` by the nodes `xs` as a matrix, along diagonals; none where the entries of ys are not
/// functions of neighbours.
constexpr term jacobian_of_neighbours(graph& b, sequence<int> const& ys, sequence<int> const& xs) {
  derivatives_of_neighbours matrix(b, ys, xs, false);
  return matrix.found() ? matrix.matrix() : term{};
}

/// Column by column: the adjoint of `xs` is linear in that of `ys`, and the sweep through one of its entries by the
/// other gives a column. Nodes that are linear in the adjoint of ys do not read it in the end.
constexpr term jacobian_by_columns(graph& b, sequence<int> ys, sequence<int> xs) {
  int const rows = entries_of(b, ys), columns = entries_of(b, xs);
  sequence<int> us, none;
  us.push_back(input(b, b[ys.entry[0]].type, make_shape(rows), static_cast<int>(inputs_of(b))).id);
  sequence<int> adjoints = swept_back(b, ys, parts_of({&b, us.entry[0]}, ys), xs, us);
  int const all = jacobian_of(b, adjoints, us, none);
  return transpose(reshaped({&b, all}, make_shape(columns, rows)));
}

/// The same in the steps of a loop, each of which makes a row or a column.
constexpr term jacobian_in_steps(graph& b, sequence<int> const& ys, sequence<int> const& xs, bool by_rows) {
  int const rows = entries_of(b, ys), columns = entries_of(b, xs);
  element const type = b[ys.entry[0]].type;
  if (by_rows)
    return transpose(in_steps(b, b, type, rows, loop_output::stack, [&](graph& f, term e) {
      sequence<int> y = ys, x = xs, none;
      return side_by_side(f, swept_back(f, y, parts_of(e, y), x, none), columns, type);
    }));
  return in_steps(b, b, type, columns, loop_output::stack, [&](graph& f, term e) {
    sequence<int> y = ys, vs;
    for (term each : parts_of(e, xs)) vs.push_back(each.id);
    sequence<int> along = transposed_twice(f, y, xs, vs);
    for (std::size_t k = 0; k < y.size(); ++k)
      if (along.entry[k] < 0) along.entry[k] = zeros_like(f, y.entry[k]).id;
    return side_by_side(f, along, rows, type);
  });
}

}  // namespace detail

/// Which way a Jacobian is computed.
enum class jacobian_by { shape, columns, rows };

/// Output: the Jacobian of the entries of the nodes `ys` by those of the nodes `xs`, as a matrix.
constexpr void take_jacobian(graph& b, sequence<int> const& all_ys, sequence<int> const& all_xs, jacobian_by way,
                             surroundings around) {
  b.simplifying = true;
  sequence<int> ys = floating_among(b, all_ys), xs = floating_among(b, all_xs), none;
  attribute const inputs = detail::inputs_of(b);
  int const rows = detail::entries_of(b, ys), columns = detail::entries_of(b, xs);
  bool const by_rows = way == jacobian_by::rows || (way == jacobian_by::shape && rows <= columns);
  term matrix{};
  if (way == jacobian_by::shape && !around.of_tangents) matrix = detail::jacobian_of_neighbours(b, ys, xs);
  if (!matrix.exists()) {
    if (detail::takes_steps(b, xs, by_rows ? rows : columns, around) || (around.of_tangents && rows * columns > 40))
      matrix = detail::jacobian_in_steps(b, ys, xs, by_rows);
    else if (by_rows) matrix = reshaped({&b, jacobian_of(b, ys, xs, none)}, make_shape(rows, columns));
    else matrix = detail::jacobian_by_columns(b, ys, xs);
  }
  b.outputs.push_back(matrix.id);
  b = detail::without_inputs(drop_dead(b), inputs);
}

/// The square matrix `x`, of which what lies above the diagonal is replaced by what lies below it.
constexpr term mirrored(term x) {
  int const n = x.extent()[0];
  if (n < 2) return x;
  graph& g = *x.owner;
  term const above = emit<op::less>(0, iota(g, x->type, 0, n), iota(g, x->type, 1, n));
  return emit<op::select>(0, above, transpose(x), x);
}

namespace detail {

/// The product of the Hessian of the value `y` of `f` by its nodes `xs` and the vector `e`, as a vector.
constexpr term hessian_along(graph& f, int y, sequence<int> xs, term e) {
  sequence<int> vs;
  for (term each : parts_of(e, xs)) vs.push_back(each.id);
  return side_by_side(f, hessian_product(f, y, xs, vs), static_cast<int>(e.extent().size()), e->type);
}

}  // namespace detail

/// Outputs: the value `y`, its gradient by the nodes `xs` as a vector, and its Hessian as a matrix: along diagonals if
/// y is a function of neighbours among the entries of xs.
constexpr void take_hessian(graph& b, int y, sequence<int> const& all_xs, surroundings around) {
  b.simplifying = true;
  sequence<int> xs = floating_among(b, all_xs);
  int const n = detail::entries_of(b, xs);
  element const type = b[xs.entry[0]].type;
  bool const may_be_of_neighbours = pass::may_be_of_neighbours(b, y, xs),
             in_steps = detail::takes_steps(b, xs, n, around) || (around.of_tangents && n > 5);
  graph function;
  if (in_steps) function = b;
  sequence<int> const xs_of_function = xs;
  sequence<int> kept;
  kept.push_back(y);
  sequence<int> gradients = detail::gradient_in(b, y, xs, kept);
  term hessian{};
  if (may_be_of_neighbours) {
    detail::derivatives_of_neighbours matrix(b, gradients, xs, true);
    if (matrix.found()) hessian = matrix.matrix();
  }
  if (hessian.exists()) {  // found along diagonals
  } else if (in_steps) {
    hessian = mirrored(detail::in_steps(b, function, type, n, loop_output::stack, [&](graph& f, term e) {
      return detail::hessian_along(f, y, xs_of_function, e);
    }));
  } else {
    hessian = mirrored(reshaped({&b, jacobian_of(b, gradients, xs, kept)}, make_shape(n, n)));
  }
  int const gradient = detail::side_by_side(b, gradients, n, type).id;
  for (int id : {kept.entry[0], gradient, hessian.id}) b.outputs.push_back(id);
  b = drop_dead(b);
}

namespace detail {

/// The second derivative of the value `y`, the sum over the curves along which `move(forward)` moves variables, in one
/// pass forward; none where an op on the way has no rule for that.
constexpr term second_derivative(graph& b, int y, int curves, auto const& move) {
  if (b.precise) return {};
  taylor_mode forward(b, 2, curves);
  move(forward);
  int const ys[] = {y};
  if (!forward.run(ys)) return {};
  int const id = forward.derivative(y);
  return id >= 0 ? term{&b, id} : constant(b, b[y].type, 0);
}

/// The trace of the Hessian of the value `y` by the nodes `xs`, of which each entry is moved along a curve of its own.
constexpr term laplacian_at_once(graph& b, int y, sequence<int> const& xs, int n) {
  return second_derivative(b, y, n, [&](taylor_mode& forward) {
    int curve = 0;
    for (int x : xs) {
      shape const s = b[x].extent;
      int const count = static_cast<int>(s.size());
      for (int entry = 0; entry < count; ++entry) {
        term const one = fit(constant(b, b[x].type, 1), make_shape(1));
        forward.move(curve++, x, reshaped(embed(one, make_shape(count), region(0, entry)), s).id);
      }
    }
  });
}
/// The same entry by entry, in the steps of a loop.
constexpr term laplacian_in_steps(graph& b, int y, sequence<int> const& xs, int n) {
  return in_steps(b, b, b[y].type, n, loop_output::sum, [&](graph& f, term e) {
    sequence<term> const parts = parts_of(e, xs);
    term const second = second_derivative(f, y, 1, [&](taylor_mode& forward) {
      for (std::size_t i = 0; i < xs.size(); ++i) forward.move(0, xs.entry[i], parts.entry[i].id);
    });
    return second.exists() ? fit(second, shape{}) : emit<op::sum>(op::reduction::whole, e * hessian_along(f, y, xs, e));
  });
}

}  // namespace detail

/// Output: the trace of the Hessian of the value `y` by the nodes `xs`: the sum of its second derivatives along the
/// unit vectors, in one pass forward where they are few and every op on the way has a rule for that.
constexpr void take_laplacian(graph& b, int y, sequence<int> const& all_xs) {
  b.simplifying = true;
  sequence<int> const xs = floating_among(b, all_xs);
  int const n = detail::entries_of(b, xs);
  term trace{};
  if (n <= detail::most_directions) trace = detail::laplacian_at_once(b, y, xs, n);
  if (!trace.exists()) trace = detail::laplacian_in_steps(b, y, xs, n);
  b.outputs.push_back(fit(trace, shape{}).id);
  b = drop_dead(b);
}

}  // namespace pass
ETCH_NAMESPACE_END
