#include <etch/rewrite/expand.hpp>

#include <etch/rewrite/verify.hpp>
#include <etch/machine/interpret.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

TEST_CASE("afterwards there is no composite and no stop of a gradient, and every shape stays") {
  graph g;
  term const x = input(g, element::f64, make_shape(2, 3), 0);
  for (attribute axes : {attribute{1}, attribute{2}, attribute{3}, op::reduction::whole}) {
    g.outputs.push_back(emit<op::softmax>(axes, x).id);
    g.outputs.push_back(emit<op::log_softmax>(axes, stop_gradient(x)).id);
    g.outputs.push_back(emit<op::logsumexp>(axes, x).id);
  }
  graph const e = pass::expand(g);
  CHECK(pass::find_fault(e) == nullptr);
  for (int id = 0; id < e.size(); ++id) {
    CHECK_FALSE(facts_of(e[id]).is_composite);
    CHECK(e[id].op != opcode_of<op::stop_gradient>);
  }
  REQUIRE(e.outputs.size() == g.outputs.size());
  for (std::size_t i = 0; i < g.outputs.size(); ++i) CHECK(e[e.outputs[i]].extent == g[g.outputs[i]].extent);
}

TEST_CASE("the definitions have the values of the functions") {
  graph g;
  term const x = input(g, element::f64, make_shape(3), 0);
  g.outputs = {emit<op::softmax>(1, x).id, emit<op::logsumexp>(op::reduction::whole, x).id,
               emit<op::log_softmax>(1, x).id};
  std::vector<run::numbers> const inputs{{std::log(1.0), std::log(2.0), std::log(5.0)}};
  auto const out = run::interpret(pass::expand(g), inputs);
  CHECK(out[0][0] == doctest::Approx(0.125));
  CHECK(out[0][2] == doctest::Approx(0.625));
  CHECK(out[1][0] == doctest::Approx(std::log(8.0)));
  CHECK(out[2][1] == doctest::Approx(std::log(0.25)));
}

TEST_CASE("a composite of one entry along its axes is simple") {
  graph g;
  term const x = input(g, element::f64, make_shape(), 0);
  g.outputs = {emit<op::softmax>(op::reduction::whole, x).id, emit<op::logsumexp>(op::reduction::whole, x).id};
  auto const out = run::interpret(pass::expand(g), std::vector<run::numbers>{{-900}});
  CHECK(out[0][0] == 1);
  CHECK(out[1][0] == -900);
}

TEST_CASE(
    "a product of few long columns, or of their transpose, with a vector is an operation on columns; any other stays a "
    "product") {
  constexpr int rows = pass::detail::long_column, columns = 3;
  auto const products_in = [](graph const& g) {
    int count = 0;
    for (int id = 0; id < g.size(); ++id) count += facts_of(g[id]).is_product;
    return count;
  };
  std::vector<run::numbers> inputs(3);
  for (int i = 0; i < rows * columns; ++i) inputs[0].push_back((i * 7) % 11 - 5);
  for (int i = 0; i < columns; ++i) inputs[1].push_back(i + 2);
  for (int i = 0; i < rows; ++i) inputs[2].push_back((i * 5) % 7 - 3);
  graph g;
  term const a = input(g, element::f64, make_shape(rows, columns), 0),
             v = input(g, element::f64, make_shape(columns), 1), w = input(g, element::f64, make_shape(rows), 2);
  g.outputs = {emit<op::matmul>(0, a, v).id, emit<op::matmul>(0, emit<op::transpose>(0, a), w).id};
  graph const e = pass::expand(g);
  CHECK(pass::find_fault(e) == nullptr);
  CHECK(products_in(e) == 0);
  CHECK(run::interpret(e, inputs) == run::interpret(g, inputs));  // whole numbers: every sum is exact
  for (std::size_t i = 0; i < 2; ++i) CHECK(e[e.outputs[i]].extent == g[g.outputs[i]].extent);

  graph other;
  term const b = input(other, element::f64, make_shape(rows, columns), 0),
             c = input(other, element::f64, make_shape(columns, 2), 1),
             x = input(other, element::f64, make_shape(rows - 1, columns), 2),
             y = input(other, element::f64, make_shape(columns), 3);
  other.outputs = {emit<op::matmul>(0, b, c).id, emit<op::matmul>(0, x, y).id};
  CHECK(products_in(pass::expand(other)) == 2);
}
