// jacobian: matrices of derivatives as outputs of a function's graph. Nodes move.
#pragma once

#include <etch/rewrite/neighbours.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// The entries of the nodes `of` one after the other, as one vector of `size` entries.
constexpr term side_by_side(graph& b, sequence<int> const& of, int size) {
  if (of.size() == 1) return reshaped({&b, of.entry[0]}, make_shape(size));
  sequence<term> parts;
  int first = 0;
  for (int id : of) {
    int const count = static_cast<int>(b[id].extent.size());
    parts.push_back(embed(reshaped({&b, id}, make_shape(count)), make_shape(size), region(0, first)));
    first += count;
  }
  return sum_of(parts);
}

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

/// The derivatives of the entries of the nodes `ys` of `b` by those of the nodes `xs`, as a vector, the entries of ys
/// fastest. One reverse sweep for each entry of ys, through the function alone; what they have in common is one node.
/// The nodes `ys`, `xs` and `kept` move, and their numbers with them.
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
    seed const start[] = {{entries.entry[row], {constant(b, type, 1), {}}}};
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

/// Output: the Jacobian of the entries of the nodes `ys` by the nodes `xs`, as `jacobian_of` gives it.
constexpr void take_jacobian(graph& b, sequence<int> const& all_ys, sequence<int> const& all_xs) {
  b.simplifying = true;
  sequence<int> ys = floating_among(b, all_ys), xs = floating_among(b, all_xs);
  sequence<int> none;
  b.outputs.push_back(jacobian_of(b, ys, xs, none));
  b = drop_dead(b);
}

/// Output: the Jacobian as a matrix, if `ys` are functions of neighbours among the entries of `xs`; otherwise `b` stays
/// as it is, and the answer is no.
constexpr bool take_jacobian_of_neighbours(graph& b, sequence<int> const& all_ys, sequence<int> const& all_xs) {
  sequence<int> const ys = floating_among(b, all_ys), xs = floating_among(b, all_xs);
  detail::derivatives_of_neighbours matrix(b, ys, xs, false);
  if (!matrix.found()) return false;
  b.simplifying = true;
  b.outputs.push_back(matrix.matrix().id);
  b = drop_dead(b);
  return true;
}

/// Takes it column by column: the adjoint of `xs` is linear in that of `ys`, which is the vector `u`, an input, and
/// the sweep through one of its entries gives a column of the Jacobian. Nodes that are linear in u do not read it in
/// the end. The Jacobian's vector has the entries of x fastest.
constexpr void take_jacobian_by_columns(graph& b, sequence<int> const& all_ys, int u, sequence<int> const& all_xs) {
  b.simplifying = true;
  sequence<int> ys = floating_among(b, all_ys), xs = floating_among(b, all_xs);
  sequence<term> seeds;
  int first = 0;
  for (int id : ys) {
    int const count = static_cast<int>(b[id].extent.size());
    seeds.push_back(reshaped(slice({&b, u}, region(0, first), count), b[id].extent));
    first += count;
  }
  sequence<int> us;
  us.push_back(u);
  sequence<int> adjoints = detail::swept_back(b, ys, seeds, xs, us);
  sequence<int> none;
  b.outputs.push_back(jacobian_of(b, adjoints, us, none));
  b = drop_dead(b);
}

/// The square matrix `x`, of which what lies above the diagonal is replaced by what lies below it.
constexpr term mirrored(term x) {
  int const n = x.extent()[0];
  if (n < 2) return x;
  graph& g = *x.owner;
  term const above = emit<op::less>(0, iota(g, x->type, 0, n), iota(g, x->type, 1, n));
  return emit<op::select>(0, above, transpose(x), x);
}

/// Outputs: the value `y`, its gradient by the nodes `xs` as a vector, and its Hessian as a matrix: along diagonals if
/// y is a function of neighbours among the entries of xs. If it is not, and no `other_way` wanted, the answer is no,
/// and `b` is of no use any more.
constexpr bool take_hessian(graph& b, int y, sequence<int> const& all_xs, bool other_way) {
  b.simplifying = true;
  sequence<int> xs = floating_among(b, all_xs);
  bool const may_be_of_neighbours = pass::may_be_of_neighbours(b, y, xs);
  if (!may_be_of_neighbours && !other_way) return false;
  sequence<int> kept;
  kept.push_back(y);
  sequence<int> gradients = detail::gradient_in(b, y, xs, kept);
  int const n = detail::entries_of(b, gradients);
  int hessian = -1;
  if (may_be_of_neighbours) {
    detail::derivatives_of_neighbours matrix(b, gradients, xs, true);
    if (matrix.found()) hessian = matrix.matrix().id;
    else if (!other_way) return false;
  }
  if (hessian < 0) {
    int const rows = jacobian_of(b, gradients, xs, kept);
    hessian = mirrored(reshaped({&b, rows}, make_shape(n, n))).id;
  }
  int const gradient = detail::side_by_side(b, gradients, n).id;
  for (int id : {kept.entry[0], gradient, hessian}) b.outputs.push_back(id);
  b = drop_dead(b);
  return true;
}

}  // namespace pass
ETCH_NAMESPACE_END
