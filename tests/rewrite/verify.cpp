#include <etch/rewrite/verify.hpp>

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

namespace {

/// c <- c * x + w for four steps, in which the sum of all c, and every c, are asked for too.
struct looping {
  loop_body l;
  graph g;
  shape carry = make_shape(3), slices = make_shape(3, 4), captured = make_shape(3);
  element type = element::f64;
  int operands = 3;

  looping() {
    l.count = 4;
    l.in = {loop_input::carry, loop_input::slice, loop_input::captured};
    l.out = {loop_output::carry, loop_output::sum, loop_output::stack};
    term const next = input(l.body, element::f64, make_shape(3), 0) * input(l.body, element::f64, make_shape(3), 1) +
                      input(l.body, element::f64, make_shape(3), 2);
    l.body.outputs = {next.id, next.id, next.id};
  }
  std::string fault() {
    sequence<int> all{input(g, element::f64, carry, 0).id, input(g, element::f64, slices, 1).id,
                      input(g, type, captured, 2).id};
    while (static_cast<int>(all.size()) > operands) all.pop_back();
    int const loop = insert_loop(g, l, all);
    for (int r = 0; r < static_cast<int>(std::min(l.out.size(), l.body.outputs.size())); ++r)
      g.outputs.push_back(result_of(g, l, loop, r).id);
    return fault_of(g);
  }
  static std::string fault_of(graph_view g) {
    char const* fault = pass::find_fault(g);
    return fault == nullptr ? "" : fault;
  }
};

std::string loop_fault_after(auto change) {
  looping r;
  change(r);
  return r.fault();
}

/// The fault of the sound loop's graph after a node has changed.
std::string result_fault_after(auto change) {
  looping r;
  REQUIRE(r.fault().empty());
  graph_view const g = r.g;
  raw changed{{g.nodes.begin(), g.nodes.end()}, {g.edges.begin(), g.edges.end()}, {g.outputs.begin(), g.outputs.end()}};
  change(changed);
  return looping::fault_of({changed.nodes, changed.edges, changed.outputs, g.pool});
}

}  // namespace

TEST_CASE("a sound loop has no fault") {
  CHECK(looping{}.fault().empty());
  CHECK(loop_fault_after([](looping& r) { r.l.in.entry[1] = loop_input::before; }).empty());
  CHECK(loop_fault_after([](looping& r) { r.l.in.entry[1] = loop_input::after; }).empty());
}

TEST_CASE("every broken invariant of a loop has its sentence") {
  CHECK(loop_fault_after([](looping& r) { r.l.count = 0; }) == "a loop has no steps");
  CHECK(loop_fault_after([](looping& r) { r.l.count = 5; }) == "a loop's operand has not one entry for each step");
  CHECK(loop_fault_after([](looping& r) { r.slices = make_shape(); }) ==
        "a loop's operand has not one entry for each step");
  CHECK(loop_fault_after([](looping& r) { r.operands = 2; }) ==
        "a loop has not one operand for each input of its body");
  CHECK(loop_fault_after([](looping& r) { r.l.out.push_back(loop_output::sum); }) ==
        "a loop has not one result for each output of its body");
  CHECK(loop_fault_after([](looping& r) { r.l.in.pop_back(), r.operands = 2; }) ==
        "the body of a loop reads an input that the loop does not feed");
  CHECK(loop_fault_after([](looping& r) { static_cast<void>(input(r.l.body, element::f64, make_shape(2), 0)); }) ==
        "two nodes of a loop's body are one input");
  CHECK(loop_fault_after([](looping& r) {
          r.l.in.entry[1] = loop_input::before, r.l.in.entry[2] = loop_input::carry;
        }) == "an input fed from another step has no operand for the step without one");
  CHECK(loop_fault_after([](looping& r) { r.captured = make_shape(4); }) ==
        "a loop's operand does not fit the input that it feeds");
  CHECK(loop_fault_after([](looping& r) { r.slices = make_shape(2, 4); }) ==
        "a loop's operand does not fit the input that it feeds");
  CHECK(loop_fault_after([](looping& r) { r.type = element::f32; }) ==
        "a loop's operand does not fit the input that it feeds");
  CHECK(loop_fault_after([](looping& r) { r.l.in.entry[1] = loop_input::before, r.captured = make_shape(1); }) ==
        "a loop's operand does not fit the input that it feeds");
  CHECK(loop_fault_after([](looping& r) { r.l.out.entry[1] = loop_output::carry; }) ==
        "a loop hands on more or fewer carries than it takes");
  CHECK(loop_fault_after([](looping& r) {
          term const x{&r.l.body, 0};
          r.l.body.outputs.entry[0] = emit<op::sum>(op::reduction::whole, x).id;
        }) == "a carry changes its shape or element type");
  CHECK(loop_fault_after([](looping& r) {
          int const both[] = {0, 1};
          r.l.body.insert(opcode_of<op::add>, element::f64, make_shape(5), 0, both);
        }) == inconsistent);
}

TEST_CASE("every broken invariant of a loop's result has its sentence") {
  constexpr int loop = 3, last = 4, total = 5, stack = 6;
  CHECK(result_fault_after([](raw& r) { r.nodes[last].attributes = 3; }) == "a loop has no such result");
  CHECK(result_fault_after([](raw& r) { r.nodes[last].attributes = 1; }) ==
        "a loop's result is not what its body yields");
  CHECK(result_fault_after([](raw& r) { r.nodes[total].type = element::f32; }) ==
        "a loop's result is not what its body yields");
  CHECK(result_fault_after([](raw& r) { r.nodes[stack].extent = make_shape(3); }) ==
        "a loop's result is not what its body yields");
  CHECK(result_fault_after([](raw& r) { r.nodes[loop].attributes += 1; }) == "a loop has no words in the pool");
  CHECK(result_fault_after([](raw& r) { r.nodes[loop].attributes += attribute{1} << 32; }) ==
        "a loop has no words in the pool");
  CHECK(result_fault_after([](raw& r) { r.nodes[loop].attributes = 0; }) == "a loop has no words in the pool");
  CHECK(result_fault_after([](raw& r) { r.edges[static_cast<std::size_t>(r.nodes[last].first_operand)] = 0; }) ==
        "a loop's result has an operand that is no loop");
  CHECK(result_fault_after([](raw& r) {
          r.nodes[last] = node{opcode_of<op::neg>, element::f32, {}, 0, r.nodes[last].first_operand, 1};
        }) == "a loop is read as a value");
}
