#include <etch/rewrite/at_origin.hpp>
#include <etch/op/reduce.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// Inputs x, v of three entries and a number; what is left of `make(x, v, s)` where v is nothing, in nodes.
constexpr int left_of(auto make) {
  graph g;
  term const x = input(g, element::f64, make_shape(3), 0), v = input(g, element::f64, make_shape(3), 1),
             s = input(g, element::f64, shape{}, 2);
  g.outputs.push_back(make(x, v, s).id);
  sequence<int> origin;
  origin.push_back(1);
  pass::at_origin(g, origin);
  int const output = g.outputs.entry[0];
  if (is_constant(is<op::broadcast>(term{&g, output}) ? term{&g, output}.operand(0) : term{&g, output}, 0)) return 0;
  if (g[output].op == opcode_of<op::input>) return 1;
  return 2;
}
constexpr auto entry = [](term x, int i) { return entry_at(x, i, shape{}); };

}  // namespace

static_assert(left_of([](term x, term v, term) { return x * v; }) == 0);
static_assert(left_of([](term x, term v, term) { return x + v; }) == 1);
static_assert(left_of([](term x, term v, term s) { return x + s * v; }) == 1);
static_assert(left_of([](term x, term v, term s) { return x + s * (x * (v + v)); }) == 1);
static_assert(left_of([](term x, term v, term) { return entry(x, 1) * entry(v, 2); }) == 0);
static_assert(left_of([](term x, term v, term) { return x - emit<op::sum>(op::reduction::whole, v * v) * x; }) == 1);
static_assert(left_of([](term x, term v, term) { return x * (1 - emit<op::square>(0, v)); }) == 1);
static_assert(left_of([](term x, term, term s) { return x * s; }) == 2);
// A zero of the user's is a number like any other.
static_assert(left_of([](term x, term v, term) { return x * constant(*x.owner, element::f64, 0) + v; }) == 2);

TEST_CASE("what is left at the origin of a tangent space: see the constants above") {}
