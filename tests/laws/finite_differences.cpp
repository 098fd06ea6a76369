// Every op in the list against central differences, at first and second order, for every activity mask and broadcast.
#include "laws/laws.hpp"

#include <etch/pass/differentiate.hpp>
#include <etch/pass/expand.hpp>
#include <etch/pass/prune.hpp>
#include <etch/pass/verify.hpp>
#include <etch/run/interpret.hpp>

#include <doctest/doctest.h>

namespace {

using namespace laws;
using values = std::vector<run::numbers>;

/// A scalar function of several operands as a graph: sum(weights * op(x...)), the weights another leaf, so that no symmetry hides a mistake.
struct subject {
  graph g;
  std::vector<shape> extents;
  std::vector<int> leaves;

  template <class Op>
  static subject make(element type, attribute attributes, std::vector<shape> const& extents) {
    subject s;
    s.extents = extents;
    std::vector<term> x;
    for (std::size_t i = 0; i < extents.size(); ++i) x.push_back(input(s.g, type, extents[i], static_cast<int>(i)));
    for (term t : x) s.leaves.push_back(t.id);
    node const prototype{opcode_of<Op>, type, {}, attributes, 0, 0};
    int const y = facts_of(prototype).insert(s.g, prototype, s.leaves).id;
    shape const out = s.g[y].extent;
    term const w = input(s.g, type, out, static_cast<int>(extents.size()));
    s.extents.push_back(out);
    // Squared once more, so that second derivatives of linear ops do not vanish.
    term const weighted = w * term{&s.g, y} * term{&s.g, y};
    s.g.outputs = {emit<op::sum>(op::reduction::whole, weighted).id};
    return s;
  }
};

double evaluate(graph_view g, values const& x) { return run::interpret(pass::prune(pass::expand(g)), x)[0][0]; }

/// Largest distance between the gradients that `differentiate` gives and central differences of `g` itself.
double gradient_error(graph const& g, std::vector<int> const& wrt, values x, double h) {
  graph const d = pass::differentiate(g, wrt);
  pass::verify(d);
  graph const p = pass::prune(pass::expand(d));
  pass::verify(p);
  values const outputs = run::interpret(p, x);
  double worst = 0;
  for (std::size_t k = 0; k < wrt.size(); ++k) {
    auto& leaf = x[static_cast<std::size_t>(g[wrt[k]].attributes)];
    for (std::size_t i = 0; i < leaf.size(); ++i) {
      double const at = leaf[i];
      auto const moved = [&](double by) {
        leaf[i] = at + by;
        return evaluate(g, x);
      };
      // Fourth-order central difference.
      double const difference = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
      leaf[i] = at;
      worst = std::max(worst, distance(outputs[k + 1][i], difference));
    }
  }
  return worst;
}

/// The scalar v · grad, whose gradient is a product with the Hessian.
graph directional(graph const& g, std::vector<int> const& wrt) {
  graph d = pass::differentiate(g, wrt);
  term sum = constant(d, element::f64, 0);
  int leaf = 0;
  for (int id = 0; id < d.size(); ++id)
    if (d[id].op == opcode_of<op::input>) ++leaf;
  for (std::size_t k = 0; k < wrt.size(); ++k) {
    term const gradient{&d, d.outputs[k + 1]};
    term const v = input(d, element::f64, gradient.extent(), leaf++);
    sum = sum + emit<op::sum>(op::reduction::whole, v * gradient);
  }
  d.outputs = {sum.id};
  return d;
}

template <class Op>
void check(std::vector<shape> const& extents, attribute attributes = 0) {
  subject const s = subject::make<Op>(element::f64, attributes, extents);
  std::uint64_t seed = 1;
  values x;
  for (shape const& extent : s.extents) x.push_back(sample(static_cast<std::size_t>(extent.size()), domain_of<Op>().low, domain_of<Op>().high, seed++));
  std::size_t const arity = extents.size();
  for (unsigned mask = 1; mask < (1u << arity); ++mask) {
    CAPTURE(std::string(Op::name));
    CAPTURE(mask);
    for (shape const& extent : extents) CAPTURE(to_string(extent));
    std::vector<int> wrt;
    for (std::size_t i = 0; i < arity; ++i)
      if ((mask >> i) & 1u) wrt.push_back(s.leaves[i]);
    CHECK(gradient_error(s.g, wrt, x, 1e-3) < 1e-8);

    graph const second = directional(s.g, wrt);
    values y = x;
    for (int leaf : wrt) y.push_back(sample(static_cast<std::size_t>(second[leaf].extent.size()), 0.5, 1.5, seed++));
    std::vector<int> again;  // the same leaves, found in the new graph by their positions
    for (int leaf : wrt)
      for (int id = 0; id < second.size(); ++id)
        if (second[id].op == opcode_of<op::input> && second[id].attributes == s.g[leaf].attributes) again.push_back(id);
    CHECK(gradient_error(second, again, y, 1e-3) < 1e-7);
  }
}

/// In single precision a gradient is the double one, rounded here and there.
template <class Op>
void check_float(std::vector<shape> const& extents, attribute attributes = 0) {
  subject const narrow = subject::make<Op>(element::f32, attributes, extents), wide = subject::make<Op>(element::f64, attributes, extents);
  values x;
  std::uint64_t seed = 1;
  for (shape const& extent : wide.extents) {
    x.push_back(sample(static_cast<std::size_t>(extent.size()), domain_of<Op>().low, domain_of<Op>().high, seed++));
    for (double& e : x.back()) e = static_cast<double>(static_cast<float>(e));
  }
  auto const gradients = [&](subject const& s) { return run::interpret(pass::prune(pass::expand(pass::differentiate(s.g, s.leaves))), x); };
  values const a = gradients(narrow), b = gradients(wide);
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) CHECK(distance(a[k][i], b[k][i]) < 2e-5);
}

shape const scalar_shape = make_shape(), vector_shape = make_shape(3), row = make_shape(1, 4), column = make_shape(3, 1), matrix = make_shape(3, 4), box = make_shape(2, 1, 3, 2);

}  // namespace

TEST_CASE("element-wise ops agree with finite differences, whatever broadcasts") {
  for_each_op(op::list{}, [](auto type) {
    using Op = typename decltype(type)::type;
    if constexpr (sampled<Op> && is_a<Op, elementwise_kind> && !std::same_as<Op, op::cast>) {
      if constexpr (!requires { Op::differentiable; }) {
        if constexpr (Op::arity == 1)
          for (shape const& s : {scalar_shape, vector_shape, matrix, box}) check<Op>({s}), check_float<Op>({s});
        if constexpr (Op::arity == 2)
          for (auto const& [a, b] : {std::pair{scalar_shape, scalar_shape}, {matrix, matrix}, {column, row}, {vector_shape, matrix}, {matrix, scalar_shape}, {box, make_shape(1, 2, 1, 2)}})
            check<Op>({a, b}), check<Op>({b, a}), check_float<Op>({a, b});
      }
    }
  });
}

TEST_CASE("composites agree with finite differences along every axis") {
  auto const along = [](auto type) {
    using Op = typename decltype(type)::type;
    for (attribute axes : {attribute{1}, attribute{2}, attribute{3}, op::reduction::whole}) check<Op>({matrix}, axes), check_float<Op>({matrix}, axes);
    check<Op>({vector_shape}, 1);
    check<Op>({box}, 1 | 4);
  };
  along(std::type_identity<op::logsumexp>{});
  along(std::type_identity<op::softmax>{});
  along(std::type_identity<op::log_softmax>{});
}

TEST_CASE("reductions agree with finite differences along every axis") {
  for (attribute axes : {attribute{1}, attribute{2}, attribute{3}, op::reduction::whole}) {
    check<op::sum>({matrix}, axes), check_float<op::sum>({matrix}, axes);
    check<op::max>({matrix}, axes), check_float<op::max>({matrix}, axes);
  }
  check<op::sum>({box}, 1 | 8);
  check<op::max>({box}, 4);
}

TEST_CASE("products agree with finite differences for every kind of operand") {
  for (auto const& [a, b] : {std::pair{make_shape(3, 4), make_shape(4, 2)}, {make_shape(1, 4), make_shape(4, 1)}, {make_shape(3, 1), make_shape(1, 2)}, {make_shape(3, 4), make_shape(4)},
                             {make_shape(3), make_shape(1, 4)}, {make_shape(1, 1), make_shape(1, 1)}, {make_shape(1, 3), make_shape(3, 4)}})
    check<op::matmul>({a, b}), check_float<op::matmul>({a, b});
  for (shape const& s : {matrix, row, column, vector_shape}) check<op::transpose>({s});
}
