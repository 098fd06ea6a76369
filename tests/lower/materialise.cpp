#include <etch/lower/materialise.hpp>

#include <etch/op/elementwise.hpp>
#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/prune.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace etch;

namespace {

int copies(graph_view g) {
  int n = 0;
  for (node const& each : g.nodes) n += each.op == opcode_of<op::copy>;
  return n;
}

/// Copies in the materialised graph of outputs of x[3, 4] and y[3, 4].
int copies_for(auto outputs) {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0), y = input(g, element::f64, make_shape(3, 4), 1);
  for (term t : outputs(x, y)) g.outputs.push_back(t.id);
  return copies(pass::materialise(pass::assemble(g)));
}

using terms = std::vector<term>;

/// The promise of the comment on `materialise` that is broken, as a sentence.
std::string broken_promise(graph_view g) {
  std::vector<pass::place> const places =
      pass::places_of(g);  // dereferences every place: a view without one would be found by the sanitizer
  std::vector<pass::place> const storage = pass::storage_of(g);
  auto const root = [&](int id) { return places[static_cast<std::size_t>(id)].root; };
  auto const buffer = [&](int id) { return storage[static_cast<std::size_t>(root(id))].owner; };
  std::set<int> outputs(g.outputs.begin(), g.outputs.end());
  if (outputs.size() != g.outputs.size()) return "two outputs are one node";
  for (int output : g.outputs) {
    if (!pass::is_stored(g[output]) || buffer(output) != output) return "an output has no storage of its own";
    if (!facts_of(g[output]).accumulates) return "nothing could be added to an output";
  }
  for (int id = 0; id < g.size(); ++id) {
    if (!pass::is_computed(g[id])) continue;
    for (int operand : g.operands(id)) {
      if (outputs.contains(buffer(operand))) return "an output is read";
      bool const whole = facts_of(g[id]).is_product || facts_of(g[id]).is_block;
      if (whole && !pass::is_stored(g[root(operand)]) && !pass::is_input(g[root(operand)]))
        return "an operand of a product or block lies nowhere in memory";
    }
  }
  return "";
}

}  // namespace

TEST_CASE("a computed value read by nobody is an output without a copy") {
  CHECK(copies_for([](term x, term y) { return terms{x + y}; }) == 0);
  CHECK(copies_for([](term x, term y) { return terms{x + y, x - y}; }) == 0);
  CHECK(copies_for([](term x, term) { return terms{emit<op::sum>(1, x)}; }) == 0);
  CHECK(copies_for([](term x, term y) { return terms{emit_to<op::reshape>(make_shape(12), x + y)}; }) == 0);
}

TEST_CASE("outputs that are no node of their own are copied") {
  CHECK(copies_for([](term x, term) { return terms{x}; }) == 1);
  CHECK(copies_for([](term x, term) { return terms{x, x}; }) == 2);
  CHECK(copies_for([](term x, term) { return terms{transpose(x)}; }) == 1);
  CHECK(copies_for([](term x, term y) { return terms{x + y, x + y}; }) == 2);
  CHECK(copies_for([](term x, term y) { return terms{x + y, exp(x + y)}; }) == 1);
  CHECK(copies_for([](term x, term y) { return terms{transpose(x + y)}; }) == 1);
  CHECK(copies_for([](term x, term y) { return terms{x + y, emit_to<op::reshape>(make_shape(12), x + y)}; }) == 2);
  CHECK(copies_for([](term x, term) { return terms{constant(*x.owner, element::f64, 3)}; }) == 1);
}

TEST_CASE("a largest entry cannot be accumulated, so it is copied to its output") {
  CHECK(copies_for([](term x, term) { return terms{emit<op::max>(1, x)}; }) == 1);
}

TEST_CASE("a transposed value is copied before it is reshaped, a plain one is not") {
  CHECK(copies_for([](term x, term) { return terms{exp(emit_to<op::reshape>(make_shape(12), transpose(x)))}; }) == 1);
  CHECK(copies_for([](term x, term) { return terms{exp(emit_to<op::reshape>(make_shape(12), x))}; }) == 0);
  CHECK(copies_for([](term x, term) {
          return terms{exp(emit_to<op::reshape>(make_shape(12, 3),
                                                fit(emit_to<op::reshape>(make_shape(12), x), make_shape(12, 3))))};
        }) == 0);
}

TEST_CASE("operands of a product that are constants or indices are copied to memory") {
  CHECK(copies_for([](term x, term) {
          return terms{matmul(fit(constant(*x.owner, element::f64, 2), make_shape(1, 3)), x)};
        }) == 1);
  CHECK(copies_for([](term x, term) { return terms{matmul(transpose(iota(*x.owner, element::f64, 0, 3)), x)}; }) == 1);
  CHECK(copies_for([](term x, term y) { return terms{matmul(transpose(x), y)}; }) == 0);
}

TEST_CASE("an output that is seen through a view of another output is copied, and so is that other one") {
  CHECK(copies_for([](term x, term y) { return terms{x + y, transpose(x + y)}; }) == 2);
  CHECK(copies_for([](term x, term y) { return terms{x + y, slice(x + y, region(0, 1), 2)}; }) == 2);
  CHECK(copies_for(
            [](term x, term y) { return terms{slice(x + y, region(0, 1), 2), slice(x + y, region(0, 0), 2)}; }) == 2);
  CHECK(copies_for([](term x, term) { return terms{slice(x, region(1, 1, 2), 2)}; }) == 1);
}

TEST_CASE("a join is an output without a copy, and its parts are written there") {
  auto const halves = [](term a, term b) {
    shape const whole = make_shape(6, 4);
    std::vector<term> const parts{embed(a, whole, region(0, 0)), embed(b, whole, region(0, 3))};
    return sum_of(parts);
  };
  CHECK(copies_for([&](term x, term y) { return terms{halves(x + y, x - y)}; }) == 0);
  CHECK(copies_for([&](term x, term y) { return terms{emit_to<op::reshape>(make_shape(24), halves(x + y, x - y))}; }) ==
        0);
  CHECK(copies_for([&](term x, term y) { return terms{halves(x, x + y)}; }) == 1);  // an input is copied to its region
  CHECK(copies_for([&](term x, term y) { return terms{halves(x + y, x + y)}; }) == 2);  // one value in two places
  CHECK(copies_for([&](term x, term y) { return terms{halves(x + y, x * y), x + y}; }) ==
        2);  // the part is an output too: one copy each
  CHECK(copies_for([&](term x, term y) { return terms{halves(x + y, exp(x + y))}; }) ==
        1);  // a part is read: the join is copied
}

TEST_CASE("blocks read any strides, but only memory") {
  auto const sums = [](term x) { return emit<op::cumsum>(0, x); };
  // A block cannot add to its output, so it always ends in one copy.
  CHECK(copies_for([&](term x, term) { return terms{sums(x)}; }) == 1);
  CHECK(copies_for([&](term x, term) { return terms{sums(emit<op::reverse>(3, transpose(x)))}; }) == 1);
  CHECK(copies_for([&](term x, term) { return terms{sums(fit(constant(*x.owner, element::f64, 2), x.extent()))}; }) ==
        2);
}

TEST_CASE("the promises hold for any graph and any outputs") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    random_graphs::generator random(seed, seed % 2 ? random_graphs::style::exact : random_graphs::style::smooth,
                                    seed % 3 == 0);
    auto s = random.make(3 + random.below(20));
    for (int i = 0; i < 3; ++i) s.g.outputs.push_back(random.below(s.g.size()));
    CHECK(broken_promise(pass::materialise(pass::assemble(pass::expand(s.g)))) == "");
    CHECK(broken_promise(pass::materialise(pass::assemble(pass::prune(pass::expand(s.g))))) == "");
  }
}
