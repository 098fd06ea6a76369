#include <etch/pass/verify.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace etch;

namespace {

/// A graph as data, free to be wrong.
struct raw {
  std::vector<node> nodes;
  std::vector<int> edges, outputs;
  operator graph_view() const { return {nodes, edges, outputs}; }
};

/// x + x of shape [3], reduced to a scalar.
raw sound() {
  raw r;
  r.nodes = {node{opcode_of<op::input>, element::f64, make_shape(3), 0, 0, 0},
             node{opcode_of<op::add>, element::f64, make_shape(3), 0, 0, 2},
             node{opcode_of<op::sum>, element::f64, make_shape(), op::reduction::whole, 2, 1}};
  r.edges = {0, 0, 1};
  r.outputs = {2};
  return r;
}

/// The fault of the sound graph after a change.
std::string fault_after(auto change) {
  raw r = sound();
  change(r);
  char const* fault = pass::find_fault(r);
  return fault == nullptr ? "" : fault;
}

constexpr char const* inconsistent = "a node's shape or element type does not follow from its operands";

consteval bool verified() {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0);
  g.outputs = {emit<op::softmax>(1, matmul(transpose(x), x)).id};
  pass::verify(g);
  return true;
}

}  // namespace

static_assert(verified());

TEST_CASE("a sound graph has no fault") { CHECK(pass::find_fault(sound()) == nullptr); }

TEST_CASE("every broken invariant has its sentence") {
  CHECK(fault_after([](raw& r) { r.nodes[1].op = op::list::size; }) == "an opcode is not in the op list");
  CHECK(fault_after([](raw& r) { r.nodes[1].arity = 1; }) == "a node has a number of operands that is not its op's");
  CHECK(fault_after([](raw& r) { r.nodes[0].arity = 1; }) == "a node has a number of operands that is not its op's");
  CHECK(fault_after([](raw& r) { r.nodes[2].first_operand = 3; }) == "a node's operands lie outside the edges");
  CHECK(fault_after([](raw& r) { r.nodes[2].first_operand = -1; }) == "a node's operands lie outside the edges");
  CHECK(fault_after([](raw& r) { r.nodes[0].extent[0] = 0; }) == "an extent is less than 1");
  CHECK(fault_after([](raw& r) { r.nodes[0].extent[3] = -2; }) == "an extent is less than 1");
  CHECK(fault_after([](raw& r) { r.edges[1] = 1; }) == "an operand does not come before its node");
  CHECK(fault_after([](raw& r) { r.edges[2] = 2; }) == "an operand does not come before its node");
  CHECK(fault_after([](raw& r) { r.edges[0] = -1; }) == "an operand does not come before its node");
  CHECK(fault_after([](raw& r) { r.outputs[0] = 3; }) == "an output is not a node");
  CHECK(fault_after([](raw& r) { r.outputs[0] = -1; }) == "an output is not a node");
}

TEST_CASE("shape and element type must follow from the operands") {
  CHECK(fault_after([](raw& r) { r.nodes[1].extent = make_shape(4); }) == inconsistent);
  CHECK(fault_after([](raw& r) { r.nodes[1].extent = make_shape(3, 1); }) == inconsistent);
  CHECK(fault_after([](raw& r) { r.nodes[1].type = element::f32; }) == inconsistent);
  CHECK(fault_after([](raw& r) { r.nodes[2].attributes = 1; }) == inconsistent);
  auto const last_is = [](opcode code, shape const& extent, attribute attributes, element type = element::f64) {
    return fault_after([&](raw& r) { r.nodes[2] = {code, type, extent, attributes, 2, 1}; });
  };
  CHECK(last_is(opcode_of<op::reshape>, make_shape(1, 3), 0).empty());
  CHECK(last_is(opcode_of<op::reshape>, make_shape(2), 0) == inconsistent);
  CHECK(last_is(opcode_of<op::broadcast>, make_shape(3, 5), 0).empty());
  CHECK(last_is(opcode_of<op::broadcast>, make_shape(4), 0) == inconsistent);
  CHECK(last_is(opcode_of<op::cast>, make_shape(3), static_cast<attribute>(element::f32), element::f32).empty());
  CHECK(last_is(opcode_of<op::cast>, make_shape(3), static_cast<attribute>(element::f32)) == inconsistent);
}

TEST_CASE("verify throws the sentence") {
  raw r = sound();
  r.outputs = {9};
  CHECK_THROWS_WITH_AS(pass::verify(r), "etch: malformed graph: an output is not a node", exception);
}
