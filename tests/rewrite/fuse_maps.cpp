#include <etch/rewrite/fuse_maps.hpp>
#include <etch/rewrite/verify.hpp>

#include "transform/values.hpp"

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace etch;

namespace {

using matrix_type = tensor<double, 2, 3>;
using series = tensor<double, 3, 5>;

template <class F>
graph expanded(F f, std::vector<int> const& wrt) {
  graph g = pass::simplify(pass::canonical(pass::trace<F, matrix_type, series>(f)));
  if (!wrt.empty()) g = pass::differentiate(g, wrt);
  return pass::prune(pass::expand(g));
}
int loops_in(graph_view g) {
  int loops = 0;
  for (node const& n : g.nodes) loops += n.op == opcode_of<op::loop>;
  return loops;
}
/// Both give the same outputs, to the last bits but a few.
void check_same(graph_view a, graph_view b) {
  CHECK(pass::find_fault(b) == nullptr);
  auto const w = values::filled_with<matrix_type>(1);
  auto const xs = values::filled_with<series>(2);
  std::vector<run::numbers> const inputs{run::numbers(w.begin(), w.end()), run::numbers(xs.begin(), xs.end())};
  auto const ya = run::interpret(a, inputs), yb = run::interpret(b, inputs);
  REQUIRE(ya.size() == yb.size());
  for (std::size_t k = 0; k < ya.size(); ++k)
    for (std::size_t i = 0; i < ya[k].size(); ++i) CHECK(ya[k][i] == doctest::Approx(yb[k][i]).epsilon(1e-13));
}

constexpr auto one_pass = [](auto w, auto xs) {
  return sum_map([&](auto x) { return sum(tanh(exp(w) * x)); }, xs) * 2.0;
};
constexpr auto two_passes = [](auto w, auto xs) {
  return square(sum_map([&](auto x) { return sum(tanh(w * x)); }, xs));
};
constexpr auto chained = [](auto w, auto xs) {
  auto const h = map([&](auto x) { return tanh(w * x); }, xs);
  return sum_map([&](auto y, auto x) { return sum(y) * sum(x); }, h, xs);
};
constexpr auto apart = [](auto w, auto xs) {
  auto const total = sum_map([&](auto x) { return sum(w * x); }, xs);
  return sum_map([&](auto x) { return sin(total * sum(x)); }, xs);
};

}  // namespace

TEST_CASE("forward and backward are one loop where the loss is linear in its sum") {
  graph const g = expanded(one_pass, {0, 1}), merged = pass::prune(pass::hoist(pass::fuse_maps(g)));
  CHECK(loops_in(g) == 2);
  CHECK(loops_in(merged) == 1);
  check_same(g, merged);
}

TEST_CASE("a loop that reads another's sum stays apart") {
  graph const g = expanded(two_passes, {0, 1}), merged = pass::prune(pass::fuse_maps(g));
  CHECK(loops_in(g) == 2);
  CHECK(loops_in(merged) == 2);
  check_same(g, merged);
  graph const h = expanded(apart, {}), stays = pass::prune(pass::fuse_maps(h));
  CHECK(loops_in(stays) == 2);
  check_same(h, stays);
}

TEST_CASE("a loop that reads another's results point by point becomes one with it") {
  for (std::vector<int> const& wrt : {std::vector<int>{}, std::vector<int>{0, 1}}) {
    graph const g = expanded(chained, wrt), merged = pass::prune(pass::hoist(pass::fuse_maps(g)));
    CHECK(loops_in(merged) == 1);
    check_same(g, merged);
  }
}

TEST_CASE("what is the same at all points is computed outside") {
  // The slope of w x is wᵀ 1 everywhere.
  constexpr auto slopes = [](auto w, auto xs) {
    return sum(jacobian_map([&](auto x) { return sum(w * x); }, xs).jacobian);
  };
  graph const g = expanded(slopes, {}), hoisted = pass::prune(pass::hoist(g));
  auto const computed_in_loop = [](graph_view of) {
    int computed = 0;
    for (int id = 0; id < of.size(); ++id) {
      if (of[id].op != opcode_of<op::loop>) continue;
      loop_body const l = loop_at(of, id);
      for (node const& n : l.body.view().nodes) {
        op_facts const& op = facts_of(n);
        computed += op.is_elementwise || op.is_product || op.is_reduction;
      }
    }
    return computed;
  };
  CHECK(computed_in_loop(g) > 0);
  CHECK(loops_in(hoisted) == 1);
  CHECK(computed_in_loop(hoisted) == 0);
  check_same(g, hoisted);
}
