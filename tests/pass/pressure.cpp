#include <etch/pass/pressure.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace etch;

TEST_CASE("memory in use by each kernel is that of the lifetimes that cover it") {
  pass::lifetime const lives[] = {{64, 0, 2}, {128, 1, 1}, {256, 3, 3}};
  auto const live = pass::live_by_kernel(lives, 5);
  CHECK(std::ranges::equal(live, std::vector<std::int64_t>{64, 192, 64, 256, 0}));
}

TEST_CASE("what exceeds a budget is summed over all kernels") {
  std::int64_t const live[] = {64, 192, 64, 256, 0};
  CHECK(pass::excess(live, 100) == 92 + 156);
  CHECK(pass::excess(live, 256) == 0);
  CHECK(pass::excess(live, 0) == 64 + 192 + 64 + 256);
}

TEST_CASE("nodes are found again in the materialised graph, parts of joins are not values there") {
  graph g;
  term const x = input(g, element::f64, make_shape(4), 0), y = exp(x);
  term const part = embed(y, make_shape(8), region(0, 0));
  g.outputs = {(part + 1).id};
  auto const at = pass::numbers_in_materialised(g);
  graph const m = pass::materialise(pass::assemble(g));
  CHECK(m[at[static_cast<std::size_t>(x.id)]].op == opcode_of<op::input>);
  CHECK(m[at[static_cast<std::size_t>(y.id)]].op == opcode_of<op::exp>);
  CHECK(at.size() == static_cast<std::size_t>(g.size()));
}
