#include <etch/rewrite/settle.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace etch;
using at_run_time::numbers;

namespace {

/// What `build` makes of p[6] and q[6], settled: the values are the same.
graph settled(auto build) {
  graph g;
  term const p = input(g, element::f64, make_shape(6), 0), q = input(g, element::f64, make_shape(6), 1);
  g.outputs.push_back(build(p, q).id);
  graph const after = pass::settle(g);
  CHECK(at_run_time::find_fault(after) == nullptr);
  std::vector<numbers> inputs{{1, -2, 3, 0.5, 4, 2}, {1, 2, -3, 0.5, 0, 7}};
  CHECK(random_graphs::distance(random_graphs::values_of(g, inputs), random_graphs::values_of(after, inputs), 1) == 0);
  return after;
}
/// The ops whose results are settled, in order, those in loops behind the loop's name.
std::string settled_ops(graph_view g) {
  std::string names;
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].op == opcode_of<op::settled>) names += std::string(facts_of(g[g.operands(id)[0]]).name) + " ";
    if (facts_of(g[id]).is_loop) names += "loop(" + settled_ops(loop_at(g, id).body) + ") ";
  }
  return names;
}
std::string in(auto build) { return settled_ops(settled(build)); }
std::string compared(auto difference) {
  return in([&](term p, term q) { return less_than(0, difference(p, q)); });
}

/// Three steps of which each makes carries of carries and of q, and stacks them.
term in_loop(term p, term q, auto step) {
  graph& g = *p.owner;
  loop_body l;
  l.count = 3;
  term const a = input(l.body, element::f64, make_shape(6), 0), b = input(l.body, element::f64, make_shape(6), 1),
             c = input(l.body, element::f64, make_shape(6), 2);
  l.in = {loop_input::carry, loop_input::carry, loop_input::captured};
  auto const [first, second] = step(a, b, c);
  l.body.outputs = {first.id, second.id};
  l.out = {loop_output::carry, loop_output::carry};
  int const from[] = {p.id, p.id, q.id};
  int const loop = insert_loop(g, l, from);
  return result_of(g, l, loop, 0) + result_of(g, l, loop, 1);
}

}  // namespace

TEST_CASE("a product is rounded before a sum reads it of which a comparison is made") {
  CHECK(compared([](term p, term q) { return p * p - q * q; }) == "mul mul ");
  CHECK(compared([](term p, term q) { return -(square(p) - q); }) == "square ");
  CHECK(compared([](term p, term q) { return -(p * p) - q; }) == "neg ");
  CHECK(compared([](term p, term q) { return emit<op::cube>(0, p) - q; }) == "cube ");
  CHECK(compared([](term p, term q) { return 2 * (p * p - q); }) == "mul ");
  CHECK(compared([](term p, term q) { return emit<op::relu>(0, p * p - q); }) == "mul ");
  CHECK(compared([](term p, term q) { return exp(p * q); }) == "mul ");  // many instructions, which may add first
  CHECK(compared([](term p, term q) { return p - q; }) == "");
  CHECK(compared([](term p, term q) { return reshaped(reshaped(p * p, make_shape(3, 2)), make_shape(6)) - q; }) ==
        "reshape ");
  CHECK(in([](term p, term q) { return op::only_where(p * p - q, p * q + p, 0); }) == "mul ");
  CHECK(in([](term p, term q) { return emit<op::floor>(0, p * p - q); }) == "mul ");
  CHECK(in([](term p, term q) { return p * p - q * q; }) == "");
}

TEST_CASE("what the steps of a loop hand on is rounded where a jump is made of it later, or in the next step") {
  auto const apart = [](term a, term b, term) { return std::pair(a * b - b, b); };
  CHECK(in([&](term p, term q) { return in_loop(p, q, apart); }) == "loop() ");
  CHECK(in([&](term p, term q) { return less_than(0, in_loop(p, q, apart)); }) == "loop(mul ) ");
  // The second carry becomes the first, of which the condition is made, and so from step to step.
  auto const compares = [](term a, term b, term c) { return std::pair(op::only_where(a, c, 0), b * c - c); };
  CHECK(in([&](term p, term q) { return in_loop(p, q, compares); }) == "loop() ");
  auto const hands_on = [](term a, term b, term c) { return std::pair(b, op::only_where(a, b * c - c, 0)); };
  CHECK(in([&](term p, term q) { return in_loop(p, q, hands_on); }) == "loop(mul ) ");
  // What goes into the loop is made into a jump there.
  CHECK(in([&](term p, term q) { return in_loop(p * p - q, q, compares); }) == "mul loop() ");
  CHECK(in([&](term p, term q) {
          return in_loop(p, p * p - q, [](term a, term b, term c) { return std::pair(op::only_where(c, a, 0), b); });
        }) == "mul loop() ");
}

TEST_CASE("what a gated loop may leave as it was is rounded too") {
  auto const in_gated = [](term p, term q) {
    graph& g = *p.owner;
    loop_body l;
    l.count = 1;
    l.gate = 1;
    static_cast<void>(input(l.body, element::f64, make_shape(6), 0));
    static_cast<void>(input(l.body, element::f64, make_shape(), 1));
    term const c = input(l.body, element::f64, make_shape(6), 2);
    l.in = {loop_input::carry, loop_input::captured, loop_input::captured};
    l.body.outputs = {(c * c).id};
    l.out = {loop_output::carry};
    int const from[] = {(p * p - q).id, emit<op::sum>(op::reduction::whole, q).id, q.id};
    return result_of(g, l, insert_loop(g, l, from), 0);
  };
  CHECK(in([&](term p, term q) { return in_gated(p, q); }) == "loop() ");
  CHECK(in([&](term p, term q) { return less_than(0, in_gated(p, q)); }) == "mul loop() ");
}

#if !defined(__clang__)  // which contracts nothing here
TEST_CASE("there is nothing to do without jumps, or without sums") {
  graph g;
  term const p = input(g, element::f64, make_shape(6), 0), product = p * p;
  CHECK(!pass::may_have_to_settle(g));
  static_cast<void>(less_than(0, product));
  CHECK(!pass::may_have_to_settle(g));
  static_cast<void>(product - p);
  CHECK(pass::may_have_to_settle(g));
}
#endif
