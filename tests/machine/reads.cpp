#include <etch/machine/reads.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace etch;
using run::numbers;

namespace {

/// Ones for every input of a graph, as far as they are finite everywhere.
std::vector<numbers> ones_for(graph const& g) {
  std::vector<numbers> inputs;
  for (node const& n : g.nodes)
    if (n.op == opcode_of<op::input>) inputs.emplace_back(static_cast<std::size_t>(n.extent.size()), 1.0);
  return inputs;
}

/// Whether the entries of the last node of `g`, whose operands are the inputs in order, read exactly those entries that
/// make them NaN. A kind of op of which that is not known reads more.
bool reads_what_arrives(graph const& g, bool exactly = true) {
  int const last = g.size() - 1;
  std::vector<numbers> inputs = ones_for(g);
  bool right = true;
  for (std::size_t input = 0; input < inputs.size(); ++input)
    for (double& entry : inputs[input]) {
      entry = std::numeric_limits<double>::quiet_NaN();
      numbers const y = run::values_of_nodes(g, inputs).back();
      entry = 1;
      for (std::size_t at = 0; at < y.size(); ++at) {
        bool read = false;
        run::for_each_read(g, last, at, [&](int o, std::size_t from) {
          read |= g.operands(last)[static_cast<std::size_t>(o)] == static_cast<int>(input) &&
                  from == static_cast<std::size_t>(&entry - inputs[input].data());
        });
        right &= exactly ? read == (y[at] != y[at]) : read || y[at] == y[at];
      }
    }
  return right;
}

/// A graph of inputs of these shapes and what `f` makes of them.
graph made(auto f, auto... shapes) {
  graph g;
  int position = 0;
  std::array<term, sizeof...(shapes)> const x{input(g, element::f64, shapes, position++)...};
  std::apply([&](auto... each) { g.outputs = {f(each...).id}; }, x);
  return g;
}

}  // namespace

TEST_CASE("an entry is computed from what is read") {
  shape const matrix = make_shape(2, 3), cube = make_shape(2, 3, 4);
  CHECK(reads_what_arrives(made([](term x) { return exp(x); }, cube)));
  CHECK(reads_what_arrives(made([](term x, term y) { return emit<op::add>(0, x, y); }, cube, make_shape(1, 3))));
  CHECK(reads_what_arrives(made([](term x, term y) { return emit<op::add>(0, x, y); }, make_shape(2), cube)));
  CHECK(reads_what_arrives(made([](term x) { return transpose(x); }, matrix)));
  CHECK(reads_what_arrives(made([](term x) { return slice(x, region(1, 0, 2), 2); }, matrix)));
  CHECK(reads_what_arrives(made([](term x) { return emit_to<op::reshape>(make_shape(3, 2), x); }, matrix)));
  CHECK(reads_what_arrives(made([](term x) { return emit<op::reverse>(3, x); }, cube)));
  CHECK(reads_what_arrives(made([](term x) { return embed(x, make_shape(2, 7), region(1, 1, 2)); }, matrix)));
  for (attribute axes : {1u, 2u, 4u, 5u, 6u, 7u})
    CHECK(reads_what_arrives(made([&](term x) { return emit<op::sum>(axes, x); }, cube)));
  CHECK(reads_what_arrives(made([](term x, term y) { return matmul(x, y); }, matrix, make_shape(3, 5))));
  CHECK(reads_what_arrives(made([](term x, term y) { return matmul(x, y); }, matrix, make_shape(3))));
  CHECK(
      reads_what_arrives(made([](term x, term y) { return matmul(x, y); }, make_shape(2, 3, 4), make_shape(3, 2, 4))));
}

TEST_CASE("what the kind of an op does not tell is all") {
  CHECK(reads_what_arrives(made([](term x) { return emit<op::cumsum>(1, x); }, make_shape(4, 2)), false));
  CHECK(!reads_what_arrives(made([](term x) { return emit<op::cumsum>(1, x); }, make_shape(4, 2))));
}
