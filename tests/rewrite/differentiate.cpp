#include <etch/rewrite/differentiate.hpp>

#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/prune.hpp>
#include <etch/rewrite/verify.hpp>
#include <etch/machine/interpret.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

using values = std::vector<run::numbers>;

values evaluate(graph_view g, values const& inputs) { return run::interpret(pass::prune(pass::expand(g)), inputs); }

int count(graph_view g, opcode code) {
  int n = 0;
  for (node const& each : g.nodes) n += each.op == code;
  return n;
}

term whole_sum(term x) { return emit<op::sum>(op::reduction::whole, x); }

/// A graph whose inputs are the first nodes, and its loss.
template <class F>
graph with_inputs(std::vector<shape> const& extents, F loss) {
  graph g;
  std::vector<term> x;
  for (std::size_t i = 0; i < extents.size(); ++i) x.push_back(input(g, element::f64, extents[i], static_cast<int>(i)));
  g.outputs = {loss(x).id};
  return g;
}

consteval double slope_at_compile_time() {
  graph g;
  term const x = input(g, element::f64, make_shape(), 0);
  g.outputs = {(x * x * x).id};
  std::array const leaf{0};
  return run::interpret(pass::differentiate(g, leaf), values{{5.0}})[1][0];
}

}  // namespace

static_assert(slope_at_compile_time() == 75);

TEST_CASE("outputs are the value, then one gradient of the leaf's shape for each leaf in the order asked") {
  graph const g = with_inputs({make_shape(2, 3), make_shape(3), make_shape()},
                              [](auto const& x) { return whole_sum(matmul(x[0], x[1])) * x[2]; });
  std::array const leaves{2, 0, 1};
  graph const d = pass::differentiate(g, leaves);
  CHECK(pass::find_fault(d) == nullptr);
  REQUIRE(d.outputs.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(d[d.outputs[i + 1]].extent == g[leaves[i]].extent);
  values const out = evaluate(d, {{1, 2, 3, 4, 5, 6}, {7, 8, 9}, {10}});
  // A x = [76, 100].
  CHECK(out[0] == run::numbers{1760});
  CHECK(out[1] == run::numbers{176});
  CHECK(out[2] == run::numbers{70, 70, 80, 80, 90, 90});
  CHECK(out[3] == run::numbers{30, 70, 110});
}

TEST_CASE("only nodes between the leaves and the loss get an adjoint") {
  graph const g = with_inputs({make_shape(8, 8), make_shape(8, 8)},
                              [](auto const& x) { return whole_sum(tanh(matmul(x[0], x[1]))); });
  std::vector<int> const first{0}, both{0, 1};
  CHECK(count(pass::prune(pass::differentiate(g, first)), opcode_of<op::matmul>) == 2);
  CHECK(count(pass::prune(pass::differentiate(g, both)), opcode_of<op::matmul>) == 3);
}

TEST_CASE("a leaf that does not matter has gradient zero, of its own shape and type") {
  graph g;
  term const x = input(g, element::f64, make_shape(3), 0);
  input(g, element::f32, make_shape(2, 2), 1);
  term const z = input(g, element::f64, make_shape(3), 2);
  g.outputs = {whole_sum(x * stop_gradient(z)).id};
  std::vector<int> const leaves{0, 1, 2}, unused{1}, stopped{2}, used{0};
  CHECK(pass::influences(g, used));
  CHECK_FALSE(pass::influences(g, unused));
  CHECK_FALSE(pass::influences(g, stopped));
  CHECK_FALSE(pass::influences(g, const_span<int>{}));
  graph const d = pass::differentiate(g, leaves);
  CHECK(d[d.outputs[2]].type == element::f32);
  CHECK(d[d.outputs[2]].extent == make_shape(2, 2));
  values const out = evaluate(d, {{1, 2, 3}, {0, 0, 0, 0}, {4, 5, 6}});
  CHECK(out[1] == run::numbers{4, 5, 6});
  CHECK(out[2] == run::numbers{0, 0, 0, 0});
  CHECK(out[3] == run::numbers{0, 0, 0});
}

TEST_CASE("the loss may be a leaf, or a constant") {
  std::array const leaf{0};
  graph const itself = with_inputs({make_shape()}, [](auto const& x) { return x[0]; });
  CHECK(evaluate(pass::differentiate(itself, leaf), {{4}})[1] == run::numbers{1});
  graph const fixed =
      with_inputs({make_shape(2)}, [](auto const& x) { return constant(*x[0].owner, element::f64, 7); });
  values const out = evaluate(pass::differentiate(fixed, leaf), {{4, 5}});
  CHECK(out[0] == run::numbers{7});
  CHECK(out[1] == run::numbers{0, 0});
}

TEST_CASE("what was broadcast is summed") {
  graph const g = with_inputs({make_shape(3, 2), make_shape(3), make_shape(1, 2), make_shape()},
                              [](auto const& x) { return whole_sum((x[0] + x[1]) * (x[2] + x[3])); });
  std::array const leaves{0, 1, 2, 3};
  values const out = evaluate(pass::differentiate(g, leaves), {{1, 2, 3, 4, 5, 6}, {0, 1, 2}, {10, 20}, {1}});
  CHECK(out[1] == run::numbers{11, 11, 11, 21, 21, 21});
  CHECK(out[2] == run::numbers{32, 32, 32});
  CHECK(out[3] == run::numbers{1 + 3 + 5, 4 + 6 + 8});
  CHECK(out[4] == run::numbers{27});
}

TEST_CASE("differentiating twice gives the Hessian") {
  // f = x³ y + exp(x z), so f_xx = 6xy + z² e, f_xy = 3x², f_xz = (1 + xz) e, f_yy = f_yz =
  // 0, f_zz = x² e with e = exp(xz).
  graph const f = with_inputs({make_shape(), make_shape(), make_shape()},
                              [](auto const& v) { return v[0] * v[0] * v[0] * v[1] + exp(v[0] * v[2]); });
  double const x = 1.5, y = -2, z = 0.5, e = std::exp(x * z);
  double const hessian[3][3] = {
      {6 * x * y + z * z * e, 3 * x * x, (1 + x * z) * e}, {3 * x * x, 0, 0}, {(1 + x * z) * e, 0, x * x * e}};
  std::array const leaves{0, 1, 2};
  graph const first = pass::differentiate(f, leaves);
  for (std::size_t row = 0; row < 3; ++row) {
    graph slope = first;
    slope.outputs = {first.outputs[row + 1]};
    graph const second = pass::differentiate(slope, leaves);
    CHECK(pass::find_fault(second) == nullptr);
    values const out = evaluate(second, {{x}, {y}, {z}});
    for (std::size_t column = 0; column < 3; ++column) {
      CAPTURE(row);
      CAPTURE(column);
      CHECK(out[column + 1][0] == doctest::Approx(hessian[row][column]).epsilon(1e-13));
    }
  }
}

TEST_CASE("the fourth derivative of a sine is the sine") {
  graph g = with_inputs({make_shape()}, [](auto const& x) { return sin(x[0]); });
  for (int order = 1; order <= 4; ++order) {
    std::array const leaf{0};
    graph d = pass::differentiate(g, leaf);
    d.outputs = {d.outputs[1]};
    g = pass::prune(d);
  }
  CHECK(evaluate(g, {{0.7}})[0][0] == doctest::Approx(std::sin(0.7)).epsilon(1e-14));
}

TEST_CASE("contributions to parts of a value are put together, not added") {
  // Three thirds of x, the first twice: one join, and one addition, of three entries.
  graph const g = with_inputs({make_shape(9)}, [](auto const& x) {
    auto const part = [&](int i) { return slice(x[0], region(0, 3 * i), 3); };
    return whole_sum(sin(part(0)) * part(1) + exp(part(2)) * part(0));
  });
  std::array const leaf{0};
  graph const d = pass::prune(pass::differentiate(g, leaf));
  CHECK(pass::find_fault(d) == nullptr);
  CHECK(count(d, opcode_of<op::join>) == 1);
  CHECK(d[d.outputs[1]].op == opcode_of<op::join>);
  for (node const& n : d.view().nodes)
    if (n.op == opcode_of<op::add>) CHECK(n.extent.size() == 3);
  values const out = evaluate(d, {{0, 0, 0, 2, 3, 4, 0, 0, 0}});
  CHECK(out[1] == run::numbers{3, 4, 5, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("differentiating a join twice gives the second derivatives of its parts") {
  graph g = with_inputs({make_shape(2)}, [](auto const& x) {
    std::vector<term> const parts{embed(x[0] * x[0] * x[0], make_shape(5), region(0, 0, 2)),
                                  embed(x[0] * x[0], make_shape(5), region(0, 3))};
    return whole_sum(sum_of({parts.data(), 1}) + parts[1]);  // 3 and 4 meet: an addition, not a join
  });
  std::array const leaf{0};
  graph d = pass::differentiate(g, leaf);
  CHECK(evaluate(d, {{2, 3}})[0] == run::numbers{8 + 27 + 4 + 9});
  CHECK(evaluate(d, {{2, 3}})[1] == run::numbers{12 + 4, 27 + 6});
  d.outputs = {whole_sum(term{&d, d.outputs[1]}).id};
  int input = 0;
  while (d[input].op != opcode_of<op::input>) ++input;
  std::array const again{input};
  CHECK(evaluate(pass::differentiate(d, again), {{2, 3}})[1] == run::numbers{12 + 2, 18 + 2});
}

TEST_CASE("indices get no adjoint, whatever they depend on") {
  graph const g = with_inputs({make_shape(3), make_shape(2)}, [](auto const& x) {
    return whole_sum(emit<op::gather>(op::index_axis(0, 1), x[0], x[1]) * x[1]);
  });
  std::array const leaves{0, 1};
  values const out = evaluate(pass::differentiate(g, leaves), {{5, 6, 7}, {2, 0}});
  CHECK(out[0] == run::numbers{14});
  CHECK(out[1] == run::numbers{0, 0, 2});
  CHECK(out[2] == run::numbers{7, 5});
}
