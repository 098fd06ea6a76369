#include <etch/pass/prune.hpp>

#include <etch/op/elementwise.hpp>
#include <etch/pass/verify.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace etch;

namespace {

bool identical(graph_view a, graph_view b) {
  if (a.size() != b.size() || !std::ranges::equal(a.outputs, b.outputs)) return false;
  for (int id = 0; id < a.size(); ++id)
    if (a[id].op != b[id].op || a[id].attributes != b[id].attributes || !(a[id].extent == b[id].extent) ||
        !std::ranges::equal(a.operands(id), b.operands(id)))
      return false;
  return true;
}

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
