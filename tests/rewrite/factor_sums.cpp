#include <etch/rewrite/factor_sums.hpp>

#include <etch/rewrite/differentiate.hpp>
#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/flops.hpp>
#include <etch/rewrite/prune.hpp>
#include <etch/rewrite/simplify.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

using namespace etch;
using at_run_time::numbers;

namespace {

struct matrices {
  graph g;
  term a = input(g, element::f64, make_shape(5, 6), 0), b = input(g, element::f64, make_shape(6, 7), 1),
       c = input(g, element::f64, make_shape(7, 4), 2), v = input(g, element::f64, make_shape(6), 3),
       s = input(g, element::f64, make_shape(), 4);
  std::vector<numbers> inputs{numbers(30), numbers(42), numbers(28), numbers(6), numbers(1)};

  matrices() {
    int n = 0;
    for (numbers& each : inputs)
      for (double& e : each) e = (n += 5) % 11 - 4.5;
  }
};

/// Operations for what `build` asks of the matrices, before and after; the values must be the same.
std::pair<std::int64_t, std::int64_t> flops_of(auto build) {
  matrices m;
  m.g.outputs = build(m);
  graph const before = pass::prune(m.g), after = pass::prune(pass::factor_sums(before));
  CHECK(random_graphs::distance(random_graphs::values_of(before, m.inputs), random_graphs::values_of(after, m.inputs),
                                1000) < 1e-12);
  return {pass::count_flops(before), pass::count_flops(after)};
}

template <class... Outputs>
sequence<int> outputs(Outputs... each) {
  sequence<int> all;
  (all.push_back(each.id), ...);
  return all;
}

constexpr attribute rows = 1, columns = 2, everything = op::reduction::whole;

}  // namespace

TEST_CASE("a sum of a product is a product of sums") {
  // 1ᵀ A (30), times B (2 * 42); the same on the other side; and a product of two vectors.
  CHECK(flops_of([](auto& m) { return outputs(emit<op::sum>(rows, matmul(m.a, m.b))); }).second == 30 + 2 * 42);
  CHECK(flops_of([](auto& m) { return outputs(emit<op::sum>(columns, matmul(m.a, m.b))); }).second == 42 + 2 * 30);
  CHECK(flops_of([](auto& m) { return outputs(emit<op::sum>(everything, matmul(m.a, m.b))); }).second ==
        30 + 42 + 2 * 6);
  CHECK(flops_of([](auto& m) { return outputs(emit<op::sum>(rows | columns, matmul(m.a, m.b))); }).second ==
        30 + 42 + 2 * 6);
}

TEST_CASE("through chains, transposes and whatever is linear") {
  CHECK(flops_of([](auto& m) { return outputs(emit<op::sum>(columns, matmul(m.a, matmul(m.b, m.c)))); }).second ==
        28 + 2 * 42 + 2 * 30);
  CHECK(flops_of([](auto& m) { return outputs(emit<op::sum>(everything, transpose(matmul(m.a, m.b)))); }).second ==
        30 + 42 + 2 * 6);
  CHECK(flops_of([](auto& m) { return outputs(emit<op::sum>(rows, transpose(matmul(m.a, m.b)))); }).second ==
        42 + 2 * 30);
  auto const [before, after] = flops_of([](auto& m) {
    return outputs(emit<op::sum>(everything, -(m.s * matmul(m.a, m.b)) / m.s + emit<op::sum>(2, m.a) - m.s));
  });
  CHECK(after < before / 2);
}

TEST_CASE("a product that is wanted for itself stays") {
  auto const unchanged = [](auto build) {
    auto const [before, after] = flops_of(build);
    CHECK(after == before);
  };
  unchanged([](auto& m) {
    term const p = matmul(m.a, m.b);
    return outputs(emit<op::sum>(everything, p), p);
  });
  unchanged([](auto& m) {
    term const p = matmul(m.a, m.b);
    return outputs(emit<op::sum>(everything, p * p));
  });
  unchanged([](auto& m) { return outputs(emit<op::max>(everything, matmul(m.a, m.b))); });
  unchanged([](auto& m) { return outputs(emit<op::sum>(everything, matmul(m.a, m.v))); });
  unchanged([](auto& m) { return outputs(emit<op::sum>(everything, exp(matmul(m.a, m.b)))); });
}

TEST_CASE("sums along both axes of one product need the product") {
  auto const [before, after] = flops_of([](auto& m) {
    term const p = matmul(m.a, m.b);
    return outputs(emit<op::sum>(rows, p), emit<op::sum>(columns, p));
  });
  CHECK(after == before);
}

// z <- x z, then sum(z): value and gradient are products with vectors only.
TEST_CASE("the rank-one adjoint of a sum is noticed") {
  graph g;
  term const x = input(g, element::f64, make_shape(20, 20), 0);
  term z = x;
  for (int i = 0; i < 10; ++i) z = matmul(x, z);
  g.outputs = {emit<op::sum>(everything, z).id};
  int const leaves[] = {x.id};
  graph const d = pass::expand(pass::differentiate(pass::simplify(g), leaves)),
              after = pass::prune(pass::factor_sums(d));
  // Ten products with a vector each way, two row or column sums, and ten outer products.
  CHECK(pass::count_flops(after) <= 2 * 10 * 2 * 400 + 2 * 400 + 10 * 2 * 400 + 100);
}
