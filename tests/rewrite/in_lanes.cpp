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

constexpr bool fits_lanes(loop_body const& l) { return pass::in_lanes(l).fits(); }

}  // namespace

static_assert(bytes_of(lanes_of(element::f64)) == register_bytes && bytes_of(lanes_of(element::f32)) == register_bytes);
static_assert(entry_of(lanes_of(element::f32)) == element::f32 && entry_of(lanes_of(element::f64)) == element::f64);
static_assert(!is_lanes(element::f64) && is_lanes(element::f32_lanes) && entry_of(element::i32) == element::i32);

TEST_CASE("what differs from point to point, and every output, is a register") {
  loop_body const l = some_points(true);
  graph const g = pass::in_lanes(l).body;
  for (int id = 0; id < g.size(); ++id) {
    bool const is_captured = g[id].op == opcode_of<op::input> && g[id].attributes == 1;
    CHECK(is_lanes(g[id].type) == !is_captured);
  }
  CHECK(g.outputs.size() == 2);
  CHECK(g[g.outputs[1]].op == opcode_of<op::copy>);
  CHECK(g[g.outputs[1]].extent == three);
}

TEST_CASE("loops of points fit, unless an op works on one point at a time; that one is named") {
  if (register_bytes == 0) return;
  CHECK(fits_lanes(some_points(true)));
  CHECK(pass::in_lanes(some_points(false)).why == pass::lane_obstacle::no_points);
  CHECK(fits_lanes(with_op([](term x) { return emit<op::exp>(0, x); })));
  loop_body orders = with_op([](term x) { return emit<op::argsort>(0, x); });  // one lane after the other
  orders.count = 8;
  CHECK(fits_lanes(orders));
  orders.count = register_bytes / 8 - 1;
  CHECK((orders.count < 2 || pass::in_lanes(orders).why == pass::lane_obstacle::few_points));
  CHECK(fits_lanes(with_op([](term x) { return emit<op::cast>(static_cast<attribute>(element::f32), x); })));
  loop_body one = some_points(true);
  one.count = 1;
  CHECK(pass::in_lanes(one).why == pass::lane_obstacle::no_points);
  pass::lane_form const calls = pass::in_lanes(with_op([](term x) {
    int const operand[] = {x.id};
    return term{x.owner, x.owner->insert(opcode_of<op::kernel>, element::f64, three, 0, operand)};
  }));
  CHECK(calls.why == pass::lane_obstacle::op);
  CHECK(calls.op == opcode_of<op::kernel>);
}

TEST_CASE("as many points as the widest number that differs allows") {
  if (register_bytes == 0) return;
  auto const cast_to = [](element e) { return [e](term x) { return emit<op::cast>(static_cast<attribute>(e), x); }; };
  graph const mixed = pass::in_lanes(with_op(cast_to(element::f32))).body;
  CHECK(mixed[mixed.outputs[0]].type == lanes_like(element::f64_lanes, element::f32));
  CHECK(points_in(mixed[mixed.outputs[0]].type) == register_bytes / 8);
  CHECK(bytes_of(mixed[mixed.outputs[0]].type) == register_bytes / 2);
  CHECK(points_in(element::f32_lanes) == register_bytes / 4);
}

TEST_CASE("a loop within: carries that are computed from what differs are registers, others stay numbers") {
  if (register_bytes == 0) return;
  loop_body inner;  // a' = a + x, t' = t + c
  inner.count = 3;
  inner.in = {loop_input::carry, loop_input::carry, loop_input::captured, loop_input::captured};
  inner.out = {loop_output::carry, loop_output::carry};
  term const a = input(inner.body, element::f64, {}, 0), t = input(inner.body, element::f64, {}, 1),
             x = input(inner.body, element::f64, {}, 2), c = input(inner.body, element::f64, {}, 3);
  inner.body.outputs = {(a + x).id, (t + c).id};
  loop_body l = some_points(true);
  l.body = {};
  term const slice = input(l.body, element::f64, {}, 0), captured = input(l.body, element::f64, {}, 1);
  int const operands[] = {captured.id, captured.id, slice.id, captured.id};
  int const loop = insert_loop(l.body, inner, operands);
  l.body.outputs = {result_of(l.body, inner, loop, 0).id, result_of(l.body, inner, loop, 1).id};
  graph const g = pass::in_lanes(l).body;
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].op != opcode_of<op::loop>) continue;
    loop_body const within = loop_at(g, id);
    CHECK(!within.points);
    CHECK(is_lanes(within.body[within.body.outputs[0]].type));
    CHECK(!is_lanes(within.body[within.body.outputs[1]].type));
    CHECK(is_lanes(g[g.operands(id)[0]].type));
    CHECK(!is_lanes(g[g.operands(id)[1]].type));
  }
  for (int output : g.outputs) CHECK(is_lanes(g[output].type));
}
