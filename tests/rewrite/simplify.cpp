#include <etch/rewrite/simplify.hpp>

#include <etch/rewrite/prune.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// How many nodes an expression of x[3, 4], v[3] and s needs after simplifying.
int nodes_left(auto expression) {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0), v = input(g, element::f64, make_shape(3), 1),
             s = input(g, element::f64, make_shape(), 2);
  g.outputs = {expression(x, v, s).id};
  return pass::prune(pass::simplify(g)).size();
}

}  // namespace

TEST_CASE("every identity leaves what it promises") {
  CHECK(nodes_left([](term x, term, term) { return x + 0; }) == 1);
  CHECK(nodes_left([](term x, term, term) { return 1 * (x - 0) / 1; }) == 1);
  CHECK(nodes_left([](term x, term, term) { return -(-x); }) == 1);
  CHECK(nodes_left([](term x, term, term) { return 0 - (x * -1); }) == 1);
  CHECK(nodes_left([](term x, term, term) { return transpose(transpose(x)); }) == 1);
  CHECK(nodes_left([](term x, term, term) {
          return emit_to<op::reshape>(make_shape(3, 4), emit_to<op::reshape>(make_shape(2, 6), x));
        }) == 1);
  CHECK(nodes_left([](term, term v, term) { return emit<op::sum>(2, fit(v, make_shape(3, 1))); }) == 2);
  CHECK(nodes_left([](term x, term, term) { return emit<op::sum>(2, emit<op::sum>(2, x)); }) == 2);
  CHECK(nodes_left(
            [](term x, term, term s) { return emit<op::select>(0, constant(*x.owner, element::f64, 1), s, x); }) <= 2);
  CHECK(nodes_left([](term x, term, term) { return constant(*x.owner, element::f64, 2) * 3 + 4; }) == 1);
  // 4 v: the broadcast and the sum vanish.
  CHECK(nodes_left([](term, term v, term) { return emit<op::sum>(2, fit(v, make_shape(3, 4))); }) <= 4);
  // One exp of three entries, then its broadcast.
  CHECK(nodes_left([](term, term v, term s) { return exp(fit(v, make_shape(3, 4))) * fit(s, make_shape(3, 4)); }) == 5);
}

TEST_CASE("what is not an identity of floating point stays") {
  CHECK(nodes_left([](term x, term, term) { return x * 0; }) == 3);
  CHECK(nodes_left([](term x, term, term) { return x - x; }) == 2);
  CHECK(nodes_left([](term x, term, term s) { return (x + s) - s; }) == 4);
  CHECK(nodes_left([](term x, term, term) { return x / x; }) == 2);
}

TEST_CASE("simplifying twice is simplifying once, and keeps every value") {
  int smaller = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    auto const kind = seed % 2 ? random_graphs::style::exact : random_graphs::style::smooth;
    auto const s = random_graphs::generator(seed, kind, false).make(12);
    graph const once = pass::prune(pass::simplify(s.g)), twice = pass::prune(pass::simplify(once));
    CHECK(twice.size() == once.size());
    smaller += once.size() < pass::prune(s.g).size();
    auto const before = random_graphs::values_of(s.g, s.inputs), after = random_graphs::values_of(once, s.inputs);
    CHECK(random_graphs::distance(before, after, random_graphs::largest(before)) < 1e-4);
  }
  CHECK(smaller > 20);
}
