#include <etch/lower/loop_kernel.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

/// c <- c * x, and what becomes of it; `used` are the results that the graph has, `returned` those it
/// returns behind its first output.
struct example {
  graph g;
  int loop = -1;
  std::vector<int> result = std::vector<int>(3, -1);

  example(std::vector<int> const& used, std::vector<int> const& returned) {
    loop_body l;
    l.count = 4;
    l.in = {loop_input::carry, loop_input::captured};
    l.out = {loop_output::carry, loop_output::stack, loop_output::sum};
    term const next = input(l.body, element::f64, make_shape(3), 0) * input(l.body, element::f64, make_shape(3), 1);
    l.body.outputs = {next.id, next.id, next.id};
    int const operands[] = {input(g, element::f64, make_shape(3), 0).id, input(g, element::f64, make_shape(3), 1).id};
    loop = insert_loop(g, l, operands);
    for (int r : used) result[static_cast<std::size_t>(r)] = result_of(g, l, loop, r).id;
    g.outputs = {operands[0]};
    for (int r : returned) g.outputs.push_back(result[static_cast<std::size_t>(r)]);
  }
};

}  // namespace

TEST_CASE("a carry that is stacked is handed on from the stack") {
  example const e({1, 2}, {});
  pass::loop_kernel const r = pass::loop_kernel_of(e.g, e.loop);
  REQUIRE(r.out.size() == 2);
  CHECK(r.out[0].kind == loop_output::stack);
  CHECK(r.out[0].carry == 0);
  CHECK(r.out[0].result == e.result[1]);
  CHECK(r.out[1].kind == loop_output::sum);
  CHECK(r.out[1].carry == -1);
  CHECK(r.out[1].result == e.result[2]);
}

TEST_CASE("not where the stack may be a gradient, to which other things are added") {
  example const e({1, 2}, {1});
  pass::loop_kernel const r = pass::loop_kernel_of(e.g, e.loop);
  REQUIRE(r.out.size() == 3);
  CHECK(r.out[0].kind == loop_output::carry);
  CHECK(r.out[0].carry == 0);
  CHECK(r.out[0].result == -1);
}

TEST_CASE("a carry whose last value is asked for has a place of its own") {
  example const e({0, 1}, {});
  pass::loop_kernel const r = pass::loop_kernel_of(e.g, e.loop);
  CHECK(r.out[0].kind == loop_output::carry);
  CHECK(r.out[0].result == e.result[0]);
}

TEST_CASE("carries alternate between two buffers, of which the result is one") {
  CHECK(pass::spare_buffers(loop_output::carry, false, false, 9) == 2);
  CHECK(pass::spare_buffers(loop_output::carry, true, false, 9) == 1);
  CHECK(pass::spare_buffers(loop_output::carry, false, true, 9) == 1);
  CHECK(pass::spare_buffers(loop_output::carry, true, true, 9) == 0);
  CHECK(pass::spare_buffers(loop_output::carry, false, false, 1) == 1);
  CHECK(pass::spare_buffers(loop_output::carry, true, false, 1) == 0);
  CHECK(pass::spare_buffers(loop_output::stack, true, false, 9) == 0);
  CHECK(pass::spare_buffers(loop_output::sum, true, false, 9) == 0);
}
