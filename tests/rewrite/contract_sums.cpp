#include <etch/rewrite/contract_sums.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace etch;
using at_run_time::numbers;

namespace {

constexpr int m = 5, k = 7, count = 3;
constexpr attribute everything = op::reduction::whole;

struct factors {
  graph g;
  term d = input(g, element::f64, make_shape(m, 1, count), 0), h = input(g, element::f64, make_shape(1, k, count), 1),
       c = input(g, element::f64, make_shape(1, 1, count), 2), v = input(g, element::f64, make_shape(m, k), 3),
       a = input(g, element::f64, make_shape(m, 2, count), 4), b = input(g, element::f64, make_shape(2, k, count), 5);
  std::vector<numbers> inputs{numbers(m * count), numbers(k* count),      numbers(count),
                              numbers(m* k),      numbers(2 * m * count), numbers(2 * k * count)};

  factors() {
    g.simplifying = true;
    int n = 0;
    for (numbers& each : inputs)
      for (double& e : each) e = (n += 5) % 11 - 4.5;
  }
};

term sum(attribute axes, term x) { return emit<op::sum>(axes, x); }
term zero(term like) { return constant(*like.owner, like->type, 0); }

std::int64_t largest(graph_view g) {
  std::int64_t most = 0;
  for (node const& n : g.nodes) most = std::max(most, n.extent.size());
  return most;
}

/// The largest value after `contract_sums` of the output that `build` makes; values and gradients must be the same.
std::int64_t largest_after(auto build, auto changed) {
  factors f;
  changed(f.inputs);
  f.g.outputs.push_back(build(f).id);
  graph const before = f.g, after = at_run_time::contract_sums(before);
  bool const is_number = before[before.outputs[0]].extent.size() == 1;
  for (bool differentiated : {false, true}) {
    if (differentiated && !is_number) continue;
    auto const of = [&](graph const& g) {
      sequence<int> wrt;
      for (int id = 0; id < g.size(); ++id)
        if (g[id].op == opcode_of<op::input>) wrt.push_back(id);
      return random_graphs::values_of(at_run_time::prune(differentiated ? at_run_time::differentiate(g, wrt) : g),
                                      f.inputs);
    };
    CHECK(random_graphs::distance(of(before), of(after), 1000) < 1e-12);
  }
  return largest(at_run_time::prune(after));
}
std::int64_t largest_after(auto build) {
  return largest_after(build, [](auto&) {});
}

constexpr std::int64_t all = m * k * count, small = 2 * k * count;  // no value between the inputs is larger

}  // namespace

TEST_CASE("the squared norm of an outer product is a product of squared norms") {
  CHECK(largest_after([](auto& f) { return sum(everything, square(f.d * f.h)); }) <= small);
  CHECK(largest_after([](auto& f) { return sum(everything, f.d * f.h * (f.d * f.h)); }) <= small);
  CHECK(largest_after([](auto& f) { return sum(everything, square(-(f.c * (f.d * f.h)))); }) <= small);
  CHECK(largest_after([](auto& f) { return sum(everything, f.c * sum(3, square(f.d * f.h))); }) <= small);
  CHECK(largest_after([](auto& f) { return sum(1, f.d * f.h); }) <= small);
  CHECK(largest_after([](auto& f) { return sum(everything, -(f.d * f.h)); }) <= small);
}

TEST_CASE("a sum of outer products is a product of matrices") {
  CHECK(largest_after([](auto& f) { return sum(4, f.d * f.h); }) <= m * k);
  CHECK(largest_after([](auto& f) { return sum(4, f.h * (f.d * f.c)); }) <= m * k);
  CHECK(largest_after([](auto& f) { return sum(4, f.d * f.h - f.h * square(f.d)); }) <= m * k);
  CHECK(largest_after([](auto& f) { return sum(everything, square(sum(4, -(f.d * f.h)))); }) <= m * k);
  CHECK(largest_after([](auto& f) { return sum(4, matmul(f.a, f.b)); }) <= small);
}

TEST_CASE("where a condition holds") {
  auto const chosen = [](auto& f, term x) { return emit<op::select>(0, f.c, x, zero(f.c)); };
  auto const some_infinite = [](auto& inputs) {
    inputs[2] = {1, 0, -1};
    for (std::size_t i = 0; i < m; ++i) inputs[0][m + i] = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < k; ++i) inputs[1][k + i] = 0;
  };
  CHECK(largest_after([&](auto& f) { return sum(everything, square(chosen(f, f.d * f.h))); }, some_infinite) <= small);
  CHECK(largest_after([&](auto& f) { return sum(4, chosen(f, f.d * f.h)); }, some_infinite) <= m * k);
  CHECK(largest_after([&](auto& f) { return sum(3, chosen(f, f.d * f.h)); }, some_infinite) <= small);
}

TEST_CASE("what needs every entry stays") {
  CHECK(largest_after([](auto& f) { return sum(everything, f.d * f.h * f.v); }) == all);
  CHECK(largest_after([](auto& f) { return sum(everything, sin(f.d * f.h)); }) == all);
  CHECK(largest_after([](auto& f) { return sum(everything, square(f.d + f.h)); }) == all);
  CHECK(largest_after([](auto& f) {
          return sum(everything, emit<op::select>(0, emit<op::less>(0, f.d, f.h), f.d * f.h, zero(f.d)));
        }) == all);
  factors f;
  f.g.outputs.push_back(sum(everything, f.c * f.d).id);
  CHECK(!pass::has_broadcast_products(f.g));
}

TEST_CASE("of a sum of several values those that have such a form are summed so, however often a value is used") {
  CHECK(largest_after([](auto& f) { return sum(4, f.d * f.h + sin(f.d) * f.h - f.h * square(f.d)); }) <= m * k);
  CHECK(largest_after([](auto& f) { return sum(4, f.d * f.h + sin(f.d * f.h) - f.h * square(f.d)); }) == all);
  CHECK(largest_after([](auto& f) {
          term y = f.d * f.h;
          for (int i = 0; i < 60; ++i) y = y * 0.25 + (y * 0.25 + (f.v - y * 0.5));  // 3^60 ways to the first
          return sum(everything, y);
        }) == all);
  CHECK(largest_after([](auto& f) {
          term y = f.d * f.h;
          for (int i = 0; i < 60; ++i) y = y + (f.v - y);
          return sum(everything, y);
        }) == all);
}
