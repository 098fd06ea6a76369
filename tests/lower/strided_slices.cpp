// Loops read slices that do not adjoin in their places.
#include <etch/lower/loop_kernel.hpp>
#include <etch/lower/materialise.hpp>

#include <etch/op/elementwise.hpp>

#include <doctest/doctest.h>

#include <optional>

using namespace etch;

namespace {

/// What becomes of a loop over the last axis of `stack(x)`, x[64, 12, 5], whose body adds up its slices' entries.
struct lowered_loop {
  int copies = 0;               ///< besides the output's
  std::optional<shape> memory;  ///< what the body takes for a slice
};
lowered_loop lowered(auto stack, bool points = false) {
  graph g;
  term const x = input(g, element::f64, make_shape(64, 12, 5), 0), operand = stack(x);
  shape slice = operand.extent();
  loop_body l;
  l.count = slice[slice.rank - 1];
  slice[--slice.rank] = 1;
  l.points = points;
  l.in = {loop_input::slice};
  l.out = {loop_output::sum};
  l.body.outputs = {emit<op::sum>(op::reduction::whole, tanh(input(l.body, element::f64, slice, 0))).id};
  int const operands[] = {operand.id}, loop = insert_loop(g, l, operands);
  g.outputs = {result_of(g, l, loop, 0).id};
  graph const to = pass::materialise(pass::assemble(g));
  lowered_loop found;
  for (int id = 0; id < to.size(); ++id) {
    found.copies += to[id].op == opcode_of<op::copy> && to[id].attributes == 0;
    if (facts_of(to[id]).is_loop)
      for (node const& n : pass::loop_kernel_of(to, id).loop.body.nodes)
        if (n.op == opcode_of<op::input>) found.memory = n.extent;
  }
  return found;
}
bool is_read_in_place(lowered_loop const& l, shape const& memory) { return l.copies == 0 && l.memory == memory; }

}  // namespace

TEST_CASE("what adjoins is read as it is") {
  CHECK(is_read_in_place(lowered([](term x) { return x; }), make_shape(64, 12)));
}
TEST_CASE(
    "slices along another axis, parts of slices, and slices from the last to the first are read in their places") {
  attribute const middle_last = 0b11'01'10'00;
  CHECK(is_read_in_place(lowered([](term x) { return emit<op::permute>(middle_last, x); }), make_shape(64 * 12, 5)));
  CHECK(is_read_in_place(lowered([](term x) { return slice(x, region(0, 3), 32); }), make_shape(64, 12)));
  CHECK(is_read_in_place(lowered([](term x) { return slice(x, region(1, 2), 7); }), make_shape(64, 7)));
  CHECK(is_read_in_place(lowered([](term x) { return emit<op::reverse>(4, x); }), make_shape(64, 12)));
}
TEST_CASE("a value of the program is read in its place where it is not much larger") {
  CHECK(is_read_in_place(lowered([](term x) { return slice(exp(x), region(0, 3), 32); }), make_shape(64, 12)));
  CHECK(lowered([](term x) { return slice(exp(x), region(0, 3), 16); }).copies == 1);
}
TEST_CASE("other slices are copied") {
  attribute const first_last = 0b11'00'10'01;
  CHECK(lowered([](term x) { return emit<op::permute>(first_last, x); }).copies == 1);
  CHECK(lowered([](term x) { return slice(x, region(0, 3), 7); }).copies == 1);
  CHECK(lowered([](term x) { return slice(x, region(0, 0, 2), 32); }).copies == 1);
  CHECK(lowered([](term x) { return emit<op::reverse>(1, x); }).copies == 1);
  CHECK(lowered([](term x) { return slice(x, region(0, 3), 32); }, true).copies == 1);
}
