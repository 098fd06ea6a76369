// derivatives: what the transformations of functions make of a function's graph: adjoints, products with the Hessian,
// derivatives along directions and of higher order, all as outputs. Nodes move; what is named by its number is an
// output afterwards.
#pragma once

#include <etch/rewrite/differentiate.hpp>
#include <etch/rewrite/taylor.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Zeros in the shape and type of node `id`.
constexpr term zeros_like(graph& g, int id) { return fit(constant(g, g[id].type, 0), g[id].extent); }

/// Those of the nodes `ids` that have derivatives: integers have none.
constexpr sequence<int> floating_among(graph const& g, sequence<int> const& ids) {
  sequence<int> found;
  for (int id : ids)
    if (is_floating(g[id].type)) found.push_back(id);
  return found;
}

namespace detail {

/// The adjoints of the nodes `xs` of `b`, zeros where none arrives, from the adjoints `us` of the first nodes `ys`. The
/// nodes in `ys`, `xs` and `kept` move, and their numbers with them.
constexpr sequence<int> swept_back(graph& b, sequence<int>& ys, sequence<term> const& us, sequence<int>& xs,
                                   sequence<int>& kept) {
  sequence<seed> seeds;
  for (std::size_t k = 0; k < us.size(); ++k) seeds.push_back({ys.entry[k], {us.entry[k], {}}});
  graph const before = b;
  swept back = backpropagate(before, b, seeds, xs);
  for (sequence<int>* each : {&ys, &xs, &kept})
    for (int& id : *each) id = back.moved.empty() ? id : back.moved.entry[id];
  for (std::size_t i = 0; i < xs.size(); ++i)
    if (back.adjoints.entry[i] < 0) back.adjoints.entry[i] = zeros_like(b, xs.entry[i]).id;
  return back.adjoints;
}

/// The number of entries of the nodes `of`.
constexpr int entries_of(graph const& b, sequence<int> const& of) {
  int count = 0;
  for (int id : of) count += static_cast<int>(b[id].extent.size());
  return count;
}

}  // namespace detail

/// Outputs: the nodes `ys`, and the adjoints of the nodes `xs` where those of the first `ys` are `us`, or 1 for the
/// first of `ys` alone if there are none.
constexpr void take_adjoints(graph& b, sequence<int> ys, sequence<int> const& us, sequence<int> xs) {
  b.simplifying = true;
  sequence<term> seeds;
  for (int id : us) seeds.push_back({&b, id});
  if (us.empty()) seeds.push_back(fit(constant(b, b[ys.entry[0]].type, 1), b[ys.entry[0]].extent));
  sequence<int> none;
  sequence<int> const adjoints = detail::swept_back(b, ys, seeds, xs, none);
  for (int id : ys) b.outputs.push_back(id);
  for (int id : adjoints) b.outputs.push_back(id);
  b = drop_dead(b);
}

namespace detail {

/// The gradient of the value `y`, with respect to the nodes `xs`; zeros where nothing arrives.
constexpr sequence<int> gradient_in(graph& b, int y, sequence<int>& xs, sequence<int>& kept) {
  sequence<int> ys;
  ys.push_back(y);
  sequence<term> one;
  one.push_back(fit(constant(b, b[y].type, 1), b[y].extent));
  return swept_back(b, ys, one, xs, kept);
}

}  // namespace detail

namespace detail {

/// The product of the gradients `of` and the directions `vs`, as one number; integers, and -1 among `of`, have none.
constexpr term sum_of_products(graph& b, sequence<int> const& of, sequence<int> const& vs) {
  term sum{};
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of.entry[i] < 0 || !is_floating(b[of.entry[i]].type)) continue;
    term const each = emit<op::sum>(op::reduction::whole, term{&b, of.entry[i]} * term{&b, vs.entry[i]});
    sum = sum.exists() ? sum + in_type(each, sum->type) : each;
  }
  return sum;
}

/// The product of the Hessian of the value `y` by the nodes `xs` with `vs`, a direction for each of them. The Hessian
/// is symmetric, so that it is the gradient of the gradient's product with the direction.
constexpr sequence<int> hessian_product(graph& b, int y, sequence<int> xs, sequence<int> vs) {
  sequence<int> const gradients = gradient_in(b, y, xs, vs);
  return gradient_in(b, sum_of_products(b, gradients, vs).id, xs, vs);
}

}  // namespace detail

/// Outputs: that product.
constexpr void take_hessian_product(graph& b, int y, sequence<int> const& xs, sequence<int> const& vs) {
  b.simplifying = true;
  for (int id : detail::hessian_product(b, y, xs, vs)) b.outputs.push_back(id);
  b = drop_dead(b);
}

namespace detail {

/// The first position that no input of `b` has.
constexpr attribute inputs_of(graph const& b) {
  attribute count = 0;
  for (int id = 0; id < b.size(); ++id)
    if (b[id].op == opcode_of<op::input>) count = std::max(count, b[id].attributes + 1);
  return count;
}

/// The derivatives of the nodes `ys` of `b` along the directions `vs` of its nodes `xs`. Nodes move; the numbers in
/// `ys` are kept right.
///
/// The reverse sweep with adjoints u gives J(x)ᵀ u, which is linear in u, so that the sweep through that, with respect
/// to u, gives J(x) v (J. Townsend, A new trick for calculating Jacobian vector products, 2017). Each u is an input of
/// its own: it equals nothing else, and what is linear in it does not read it in the end.
constexpr sequence<int> transposed_twice(graph& b, sequence<int>& ys, sequence<int> xs, sequence<int> vs) {
  sequence<int> us;
  sequence<seed> seeds;
  attribute unused = inputs_of(b);
  for (int y : ys) {
    us.push_back(input(b, b[y].type, b[y].extent, static_cast<int>(unused++)).id);
    seeds.push_back({y, {{&b, us.back()}}});
  }
  auto const sweep = [&](sequence<seed> const& from, sequence<int> const& wrt) {
    graph const before = b;
    swept back = backpropagate(before, b, from, wrt);
    for (sequence<int>* each : {&ys, &xs, &vs, &us})
      for (int& id : *each) id = back.forward.entry[id];
    return back.adjoints;
  };
  sequence<int> const gradients = sweep(seeds, xs);
  term const product = sum_of_products(b, gradients, vs);
  sequence<int> along = filled(ys.size(), -1);
  if (product.exists()) {
    sequence<seed> one;
    one.push_back({product.id, {constant(b, product->type, 1)}});
    along = sweep(one, us);
  }
  return along;
}

/// `b` without the inputs from position `first` on, which nothing depends on in the end: a loop that computes its steps
/// again may be handed one, whatever it is, so a zero will do.
constexpr graph without_inputs(graph_view b, attribute first) {
  return rebuild(b, false, [&](graph& to, node const& n, const_span<int> of) {
    bool const is_one = n.op == opcode_of<op::input> && n.attributes >= first;
    return is_one ? fit(constant(to, n.type, 0), n.extent) : same_node(to, n, of);
  });
}

}  // namespace detail

/// Outputs: the nodes `ys` and their derivatives along `vs`, a direction for each of the nodes `xs`.
constexpr void take_derivatives_along(graph& b, sequence<int> ys, sequence<int> const& all_xs,
                                      sequence<int> const& all_vs) {
  b.simplifying = true;
  sequence<int> xs = floating_among(b, all_xs), vs = floating_among(b, all_vs);
  attribute const inputs = detail::inputs_of(b);
  sequence<int> const along = detail::transposed_twice(b, ys, xs, vs);
  for (int id : ys) b.outputs.push_back(id);
  for (std::size_t k = 0; k < ys.size(); ++k)
    b.outputs.push_back(along.entry[k] >= 0 ? along.entry[k] : zeros_like(b, ys.entry[k]).id);
  b = drop_dead(detail::without_inputs(b, inputs));
}

/// Output: the derivative of order `order` of the value `y` by the number `x`.
constexpr void take_nth_derivative(graph& b, int y, sequence<int> x, int order) {
  b.simplifying = true;
  taylor_mode forward(b, order);
  forward.move(0, x.entry[0], fit(constant(b, b[x.entry[0]].type, 1), b[x.entry[0]].extent).id);
  int const ys[] = {y};
  sequence<int> none;
  if (!b.precise && forward.run(ys)) y = forward.derivative(y);
  else
    for (int k = 0; k < order; ++k) y = detail::gradient_in(b, y, x, none).entry[0];
  b.outputs.push_back(y >= 0 ? fit({&b, y}, b[x.entry[0]].extent).id : zeros_like(b, x.entry[0]).id);
  b = drop_dead(b);
}

}  // namespace pass
ETCH_NAMESPACE_END
