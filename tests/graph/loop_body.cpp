#include <etch/graph/loop_body.hpp>

#include <etch/op/table.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace etch;

namespace {

/// Two carries, of which the second input is handed what the first output yields.
constexpr loop_body some_loop(int count) {
  loop_body l;
  l.count = count;
  l.backward = true;
  l.in = {loop_input::captured, loop_input::carry, loop_input::before, loop_input::captured, loop_input::carry};
  l.out = {loop_output::stack, loop_output::carry, loop_output::sum, loop_output::carry};
  term const a = input(l.body, element::f32, make_shape(3), 1), b = input(l.body, element::f32, make_shape(3), 4);
  term const c = a * b;
  l.body.outputs = {c.id, a.id, c.id, b.id};
  return l;
}

constexpr bool returns_from_words() {
  loop_body const l = some_loop(7), back = loop_of(words_of(l));
  bool same = back.count == 7 && back.backward && !back.keeps_carries && back.body.size() == l.body.size();
  for (std::size_t i = 0; i < l.in.size(); ++i) same = same && back.in[i] == l.in[i];
  for (std::size_t r = 0; r < l.out.size(); ++r)
    same = same && back.out[r] == l.out[r] && back.body.outputs[r] == l.body.outputs[r];
  return same && back.in.size() == l.in.size() && back.out.size() == l.out.size();
}

}  // namespace

static_assert(returns_from_words());
static_assert(words_of(some_loop(7))[0] == words_of(some_loop(7)).size());
static_assert(stacked(make_shape(3, 2), 5) == make_shape(3, 2, 5) && stacked(make_shape(), 5) == make_shape(5));
static_assert(stacked(make_shape(3), 5, true) == make_shape(3, upto<5>));
static_assert(stacked(make_shape(), 2'000'000'000).counted == 0);

TEST_CASE("carries are found in the order of their positions") {
  loop_body const l = some_loop(7);
  CHECK(std::ranges::equal(carries_in(l.in), std::array{1, 4}));
  CHECK(std::ranges::equal(carries_in(l.out), std::array{1, 3}));
}

TEST_CASE("equal loops are the same words of a pool, others are not") {
  graph g;
  attribute const a = g.keep(words_of(some_loop(7))), b = g.keep(words_of(some_loop(8))),
                  c = g.keep(words_of(some_loop(7)));
  CHECK(a == c);
  CHECK(a != b);
  CHECK(loop_of(words_at(g.pool, b)).count == 8);
  CHECK(g.pool.size() == 2 * words_of(some_loop(7)).size());
}
