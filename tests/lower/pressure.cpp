#include <etch/lower/pressure.hpp>

#include <doctest/doctest.h>

using namespace etch;

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
