#include <etch/rewrite/in_lanes.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

constexpr shape three = make_shape(3);

/// sum(x + c) and c, of a slice x and a captured c.
constexpr loop_body some_points(bool points) {
  loop_body l;
  l.count = 5;
  l.points = points;
  l.in = {loop_input::slice, loop_input::captured};
  l.out = {loop_output::sum, loop_output::stack};
  term const x = input(l.body, element::f64, three, 0), c = input(l.body, element::f64, three, 1);
  l.body.outputs = {emit<op::sum>(op::reduction::whole, x + c).id, c.id};
  return l;
}

/// The same loop, whose body computes `op` of the slice.
constexpr loop_body with_op(auto op) {
  loop_body l = some_points(true);
  l.body.outputs[0] = op(term{&l.body, 0}).id;
  return l;
}

}  // namespace

static_assert(bytes_of(lanes_of(element::f64)) == register_bytes && bytes_of(lanes_of(element::f32)) == register_bytes);
static_assert(entry_of(lanes_of(element::f32)) == element::f32 && entry_of(lanes_of(element::f64)) == element::f64);
static_assert(!is_lanes(element::f64) && is_lanes(element::f32_lanes) && entry_of(element::i32) == element::i32);

TEST_CASE("what differs from point to point, and every output, is a register") {
  loop_body const l = some_points(true);
  graph const g = pass::in_lanes(l);
  for (int id = 0; id < g.size(); ++id) {
    bool const is_captured = g[id].op == opcode_of<op::input> && g[id].attributes == 1;
    CHECK(is_lanes(g[id].type) == !is_captured);
  }
  CHECK(g.outputs.size() == 2);
  CHECK(g[g.outputs[1]].op == opcode_of<op::copy>);
  CHECK(g[g.outputs[1]].extent == three);
}

TEST_CASE("only loops of points whose ops work on registers of one type fit") {
  if (register_bytes == 0) return;
  CHECK(pass::fits_lanes(some_points(true)));
  CHECK(!pass::fits_lanes(some_points(false)));
  CHECK(pass::fits_lanes(with_op([](term x) { return emit<op::exp>(0, x); })));
  CHECK(!pass::fits_lanes(with_op([](term x) { return emit<op::cumsum>(0, x); })));
  CHECK(!pass::fits_lanes(with_op([](term x) { return emit<op::cast>(static_cast<attribute>(element::f32), x); })));
  loop_body one = some_points(true);
  one.count = 1;
  CHECK(!pass::fits_lanes(one));
}
