#include <etch/op/loop.hpp>

#include <etch/machine/interpret.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;
using run::numbers;

namespace {

/// c <- 2 c + x: c handed on, stacked and summed.
std::vector<numbers> results(loop_input how, bool backward) {
  graph g;
  loop_body l;
  l.count = 3;
  l.backward = backward;
  l.in = {loop_input::carry, how, loop_input::captured};
  l.out = {loop_output::carry, loop_output::stack, loop_output::sum};
  term const next = 2 * input(l.body, element::f64, make_shape(), 0) + input(l.body, element::f64, make_shape(), 1);
  l.body.outputs = {next.id, next.id, next.id};
  int const operands[] = {input(g, element::f64, make_shape(), 0).id, input(g, element::f64, make_shape(3), 1).id,
                          input(g, element::f64, make_shape(), 2).id};
  int const loop = insert_loop(g, l, operands);
  for (int r = 0; r < 3; ++r) g.outputs.push_back(result_of(g, l, loop, r).id);
  CHECK(g[g.outputs[1]].extent == make_shape(3));
  return run::interpret(g, std::vector<numbers>{{1}, {10, 20, 30}, {5}});
}

}  // namespace

TEST_CASE("a carry is handed on, entries are stacked at their position, and steps added up") {
  CHECK(results(loop_input::slice, false) == std::vector<numbers>{{118}, {12, 44, 118}, {174}});
  CHECK(results(loop_input::slice, true) == std::vector<numbers>{{178}, {178, 84, 32}, {294}});
}

TEST_CASE("the entry of the position before or after, and where there is none another operand") {
  CHECK(results(loop_input::before, false) == std::vector<numbers>{{68}, {7, 24, 68}, {99}});
  CHECK(results(loop_input::after, true) == std::vector<numbers>{{108}, {108, 44, 7}, {159}});
}

TEST_CASE("one entry of the last axis") {
  graph g;
  term const x = input(g, element::f64, make_shape(2, 3), 0);
  g.outputs = {entry_at(x, 1, make_shape(2)).id};
  CHECK(g[g.outputs[0]].extent == make_shape(2));
  CHECK(run::interpret(g, std::vector<numbers>{{1, 2, 3, 4, 5, 6}}) == std::vector<numbers>{{3, 4}});
}
