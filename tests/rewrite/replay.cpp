#include <etch/rewrite/replay.hpp>

#include <etch/op/elementwise.hpp>
#include <etch/rewrite/verify.hpp>
#include <etch/machine/interpret.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

graph example() {
  graph g;
  term const x = input(g, element::f64, make_shape(2, 2), 0);
  g.outputs = {emit<op::sum>(op::reduction::whole, exp(x) * transpose(x)).id, (x + 0).id};
  return g;
}

}  // namespace

TEST_CASE("replaying without a change gives the same graph, node for node") {
  graph const g = example();
  graph to;
  std::vector<int> const at = pass::replay(g, to, pass::same_node);
  REQUIRE(to.size() == g.size());
  for (int id = 0; id < g.size(); ++id) {
    CHECK(at[static_cast<std::size_t>(id)] == id);
    CHECK(to[id].op == g[id].op);
    CHECK(to[id].extent == g[id].extent);
    CHECK(to[id].attributes == g[id].attributes);
  }
  CHECK(to.outputs.empty());
  CHECK(pass::rebuild(g, false, pass::same_node).outputs == g.outputs);
}

TEST_CASE("replaying into a graph that has nodes shares what is equal") {
  graph const g = example();
  graph to;
  term const x = input(to, element::f64, make_shape(2, 2), 0);
  term const e = exp(x);
  pass::replay(g, to, pass::same_node);
  CHECK(to.size() == g.size());
  CHECK(is<op::exp>(e));
}

TEST_CASE("a rewrite replaces nodes, and their readers follow") {
  graph const g = example();
  graph const tame = pass::rebuild(g, false, [](graph& to, node const& n, const_span<int> operands) {
    return n.op == opcode_of<op::exp> ? square(term{&to, operands[0]}) : pass::same_node(to, n, operands);
  });
  CHECK(pass::find_fault(tame) == nullptr);
  // sum of x² xᵀ for x = [1 3; 2 4]: 1*1 + 4*3 + 9*2 + 16*4.
  std::vector<run::numbers> const inputs{{1, 2, 3, 4}};
  CHECK(run::interpret(tame, inputs)[0][0] == 95);
}
