#include <etch/view/steps.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// A loop with an input of every kind and an output of every kind: c' = c x + w, stacked; x +
/// the x before, summed; x after.
struct fixture {
  graph g;
  loop_body l;
  int loop = -1;

  fixture() {
    term const x = input(g, element::f64, make_shape(2, 3), 0), v = input(g, element::f64, make_shape(2), 1);
    auto const inside = [&](int position) { return input(l.body, element::f64, make_shape(2), position); };
    term const before = inside(0), slice = inside(1), scaled = before * slice, carry = scaled + inside(2);
    term const earlier = inside(3), later = inside(5);
    l.count = 3;
    l.in = {loop_input::carry,    loop_input::slice, loop_input::captured, loop_input::before,
            loop_input::captured, loop_input::after, loop_input::captured};
    l.out = {loop_output::carry, loop_output::stack, loop_output::sum};
    l.body.outputs = {carry.id, carry.id, (slice + earlier * later).id};
    int const operands[] = {v.id, x.id, v.id, x.id, v.id, x.id, v.id};
    loop = insert_loop(g, l, operands);
    g.outputs = {result_of(g, l, loop, 0).id, result_of(g, l, loop, 1).id, result_of(g, l, loop, 2).id};
  }
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "every way into a step and out of it has its words") {
  CHECK(fed_from(g, loop, l, 0) == "carry, first %1");
  CHECK(fed_from(g, loop, l, 1) == "slice of %0");
  CHECK(fed_from(g, loop, l, 2) == "%1 at every step");
  CHECK(fed_from(g, loop, l, 3) == "slice before, of %0, first %1");
  CHECK(fed_from(g, loop, l, 5) == "slice after, of %0, last %1");
  CHECK(becomes(g, loop, l, 0) == "carry, last %3");
  CHECK(becomes(g, loop, l, 1) == "stacked in %4");
  CHECK(becomes(g, loop, l, 2) == "summed in %5");
}

TEST_CASE("a carry of which nobody asks the last is only a carry") {
  graph g;
  loop_body l;
  l.in = {loop_input::carry};
  l.out = {loop_output::carry};
  l.count = 1;
  l.body.outputs = {exp(input(l.body, element::f32, make_shape(2), 0)).id};
  int const operands[] = {input(g, element::f32, make_shape(2), 0).id};
  int const loop = insert_loop(g, l, operands);
  CHECK(becomes(g, loop, l, 0) == "carry");
  CHECK(kind_of(g, loop) == "1 step");
  CHECK(statement_of(g, loop) == "%1 = loop(%0) : 1 step");
}

TEST_CASE_FIXTURE(fixture,
                  "a body reads as statements, what feeds its inputs in a column, then what becomes of the outputs") {
  CHECK(steps_of(g, loop, "  ") ==
        "  %0 = input 0 : f64[2]  carry, first %1\n"
        "  %1 = input 1 : f64[2]  slice of %0\n"
        "  %2 = mul(%0, %1) : f64[2]\n"
        "  %3 = input 2 : f64[2]  %1 at every step\n"
        "  %4 = add(%2, %3) : f64[2]\n"
        "  %5 = input 3 : f64[2]  slice before, of %0, first %1\n"
        "  %6 = input 5 : f64[2]  slice after, of %0, last %1\n"
        "  %7 = mul(%5, %6) : f64[2]\n"
        "  %8 = add(%1, %7) : f64[2]\n"
        "  yield %4  carry, last %3\n"
        "  yield %4  stacked in %4\n"
        "  yield %8  summed in %5\n");
  CHECK(steps_of(g, 0, "  ") == "");
}

TEST_CASE_FIXTURE(fixture, "a loop in a loop stands further to the right") {
  loop_body outer;
  outer.body = g;
  outer.count = 4;
  outer.backward = true;
  outer.in = {loop_input::captured, loop_input::carry};
  outer.out = {loop_output::carry, loop_output::stack, loop_output::sum};
  graph around;
  int const operands[] = {input(around, element::f64, make_shape(2, 3), 0).id,
                          input(around, element::f64, make_shape(2), 1).id};
  int const node = insert_loop(around, outer, operands);
  CHECK(statement_of(around, node) == "%2 = loop(%0, %1) : 4 steps, last to first");
  std::string const text = steps_of(around, node, "");
  CHECK(text.find("%2 = loop(%1, %0, %1, %0, %1, %0, %1) : 3 steps\n    %0 = input 0 : f64[2]  carry, first %1\n") !=
        std::string::npos);
  CHECK(text.find("\n    yield %8  summed in %5\n%3 = last_carry<0>(%2) : f64[2]\n") != std::string::npos);
}
