#include <etch/rewrite/activity.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

term leaf(graph& g, int position) { return input(g, element::f64, make_shape(), position); }

}  // namespace

TEST_CASE("values behind a stop do not depend on what stands before it") {
  graph g;
  term const x = leaf(g, 0), y = leaf(g, 1), s = emit<op::stop_gradient>(0, x), a = s * y, b = x * y;
  auto const active = pass::influenced(g, std::vector{x.id});
  CHECK(active[static_cast<std::size_t>(x.id)] == 1);
  CHECK(active[static_cast<std::size_t>(s.id)] == 0);
  CHECK(active[static_cast<std::size_t>(a.id)] == 0);
  CHECK(active[static_cast<std::size_t>(b.id)] == 1);
}

TEST_CASE("activity goes from carry to carry, as many steps as it takes") {
  // a <- b, b <- c, c <- c * x, d <- d + 1
  graph g;
  loop_body l;
  l.count = 5;
  l.in = {loop_input::carry, loop_input::carry, loop_input::carry, loop_input::carry, loop_input::captured};
  l.out = {loop_output::carry, loop_output::carry, loop_output::carry, loop_output::carry};
  term const b = leaf(l.body, 1), c = leaf(l.body, 2), d = leaf(l.body, 3), x = leaf(l.body, 4);
  l.body.outputs = {b.id, c.id, (c * x).id, (d + 1).id};
  sequence<int> operands;
  for (int i = 0; i < 5; ++i) operands.push_back(leaf(g, i).id);
  int const loop = insert_loop(g, l, operands);
  std::vector<int> results;
  for (int r = 0; r < 4; ++r) results.push_back(result_of(g, l, loop, r).id);
  g.outputs = {results[0]};
  auto const active = [&](int wrt) {
    auto const all = pass::influenced(g, std::vector{operands[static_cast<std::size_t>(wrt)]});
    std::vector<int> of;
    for (int r : results) of.push_back(all[static_cast<std::size_t>(r)]);
    return of;
  };
  CHECK(active(4) == std::vector{1, 1, 1, 0});
  CHECK(active(2) == std::vector{1, 1, 1, 0});
  CHECK(active(1) == std::vector{1, 0, 0, 0});
  CHECK(active(0) == std::vector{0, 0, 0, 0});  // a carry that no step reads
  CHECK(active(3) == std::vector{0, 0, 0, 1});
  CHECK(pass::influences(g, std::vector{operands[4]}));
  CHECK_FALSE(pass::influences(g, std::vector{operands[3]}));
}

TEST_CASE("an operand for the step without one counts as its input") {
  loop_body l;
  l.count = 5;
  l.in = {loop_input::before, loop_input::captured};
  l.out = {loop_output::stack};
  l.body.outputs = {leaf(l.body, 0).id};
  CHECK(pass::activity_of(l, [](std::size_t i) { return i == 1; }).out[0] == 1);
  CHECK(pass::activity_of(l, [](std::size_t) { return false; }).out[0] == 0);
}
