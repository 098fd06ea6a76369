#include <etch/rewrite/prune.hpp>

#include <etch/op/elementwise.hpp>
#include <etch/rewrite/verify.hpp>

#include "core/identical.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace etch;
using graphs::identical;

namespace {

/// sin(a) * exp(b) + sin(a), its three parts written in the order given.
graph written(std::array<int, 3> order, bool with_dead_code) {
  graph g;
  term const a = input(g, element::f64, make_shape(3), 0), b = input(g, element::f64, make_shape(3), 1);
  std::array<term, 3> part{};
  for (int which : order) {
    if (which == 0) part[0] = sin(a);
    if (which == 1) part[1] = exp(b);
    if (which == 2) part[2] = tanh(a - b);
    if (with_dead_code) square(cos(a) * b);
  }
  g.outputs = {(part[0] * part[1] + part[2]).id, part[0].id};
  return g;
}

}  // namespace

TEST_CASE("the order of statements leaves no trace, nor does dead code") {
  graph const reference = pass::prune(written({0, 1, 2}, false));
  std::array<int, 3> order{0, 1, 2};
  do {
    CHECK(identical(pass::prune(written(order, false)), reference));
    CHECK(identical(pass::prune(written(order, true)), reference));
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(reference.size() == 8);
}

TEST_CASE("inputs that nothing needs vanish, but keep the positions of the others") {
  graph g;
  for (int i = 0; i < 3; ++i) input(g, element::f64, make_shape(2), i);
  g.outputs = {2, 2};
  graph const p = pass::prune(g);
  REQUIRE(p.size() == 1);
  CHECK(p[0].attributes == 2);
  CHECK(p.outputs == sequence<int>{0, 0});
}

TEST_CASE("a traced graph keeps all its inputs in front, whatever of the rest is needed") {
  std::array<int, 3> order{0, 1, 2};
  graph const reference = pass::canonical(written(order, false));
  do CHECK(identical(pass::canonical(written(order, true)), reference));
  while (std::next_permutation(order.begin(), order.end()));
  graph g;
  for (int i = 0; i < 3; ++i) input(g, element::f64, make_shape(2), i);
  g.outputs = {exp(term{&g, 2}).id};
  graph const p = pass::canonical(g);
  REQUIRE(p.size() == 4);
  for (int i = 0; i < 3; ++i) CHECK(p[i].attributes == static_cast<attribute>(i));
  CHECK(p.operands(3)[0] == 2);
  CHECK(p.outputs == sequence<int>{3});
  CHECK(pass::find_fault(p) == nullptr);
}

TEST_CASE("operands stay before their nodes, however deep the graph") {
  graph g;
  term x = input(g, element::f64, make_shape(2), 0);
  term const first = x;
  for (int i = 0; i < 20000; ++i) x = sin(x) + first;
  g.outputs = {x.id};
  graph const p = pass::prune(g);
  CHECK(p.size() == 40001);
  CHECK(pass::find_fault(p) == nullptr);
}

TEST_CASE("all parts of a join survive, and what was only embedded elsewhere does not") {
  graph g;
  term const a = input(g, element::f64, make_shape(2), 0), b = input(g, element::f64, make_shape(2), 1);
  shape const whole = make_shape(4);
  sequence<term> parts;
  parts.push_back(embed(sin(a), whole, region(0, 0)));
  parts.push_back(embed(exp(b), whole, region(0, 2)));
  embed(cos(a), whole, region(0, 1));
  g.outputs = {sum_of(parts).id};
  graph const p = pass::prune(g);
  CHECK(p.size() == 7);
  CHECK(pass::find_fault(p) == nullptr);
  CHECK(p[p.outputs[0]].arity == 2);
}

namespace {

/// A scan of two carries, the second of which nothing but its own step reads, and three outputs: h,
/// exp(x), h; `used` of its results.
graph two_carries(std::vector<int> const& used) {
  graph g;
  loop_body l;
  l.count = 4;
  l.in = {loop_input::carry, loop_input::carry, loop_input::slice, loop_input::captured};
  l.out = {loop_output::carry, loop_output::carry, loop_output::stack, loop_output::stack, loop_output::stack};
  term const h = input(l.body, element::f64, make_shape(3), 0), k = input(l.body, element::f64, make_shape(), 1),
             x = input(l.body, element::f64, make_shape(3), 2), w = input(l.body, element::f64, make_shape(3), 3);
  term const next = sin(h + x), e = exp(x * w);
  l.body.outputs = {next.id, (k + 1).id, next.id, e.id, next.id};
  int const operands[] = {input(g, element::f64, make_shape(3), 0).id, input(g, element::f64, make_shape(), 1).id,
                          input(g, element::f64, make_shape(3, 4), 2).id, input(g, element::f64, make_shape(3), 3).id};
  int const loop = insert_loop(g, l, operands);
  for (int r : used) g.outputs.push_back(result_of(g, l, loop, r).id);
  return g;
}

/// The only loop of a graph.
loop_body only_loop(graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (facts_of(g[id]).is_loop) return loop_at(g, id);
  FAIL("there is no loop");
  return {};
}

int leaves(graph_view g) {
  int count = 0;
  for (node const& n : g.nodes) count += n.op == opcode_of<op::input>;
  return count;
}

}  // namespace

TEST_CASE("a loop loses the results that nobody uses, and what only they read") {
  graph const last = pass::prune(two_carries({0}));
  CHECK(only_loop(last).out.size() == 1);
  CHECK(only_loop(last).in.size() == 2);
  CHECK(leaves(last) == 2);
  graph const counter = pass::prune(two_carries({1}));
  CHECK(only_loop(counter).in.size() == 1);
  CHECK(leaves(counter) == 1);
  graph const map = pass::prune(two_carries({3}));
  CHECK(carries_in(only_loop(map).in).empty());
  CHECK(leaves(map) == 2);
  CHECK(leaves(pass::prune(two_carries({0, 1, 2, 3, 4}))) == 4);
}

TEST_CASE("results that are one value are one result") {
  graph const both = pass::prune(two_carries({2, 4}));
  CHECK(both.outputs[0] == both.outputs[1]);
  CHECK(only_loop(both).out.size() == 2);               // the carry, and one stack
  graph const last = pass::prune(two_carries({0, 2}));  // the last carry is the stack's last entry
  for (int id = 0; id < last.size(); ++id) CHECK(last[id].op != opcode_of<op::last_carry>);
}

TEST_CASE("a pruned loop is well formed, and is not pruned further") {
  for (std::vector<int> const& used : {std::vector{0}, {1}, {2}, {3}, {0, 2}, {2, 4}, {0, 1, 2, 3, 4}}) {
    graph const p = pass::prune(two_carries(used));
    CHECK(pass::find_fault(p) == nullptr);
    CHECK(identical(pass::prune(p), p));
  }
}
