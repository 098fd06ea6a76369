#include <etch/op/leaf.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace etch;

namespace {

consteval double as_constant(element type, double value) {
  graph g;
  return value_of(constant(g, type, value)->attributes);
}

}  // namespace

static_assert(as_constant(element::f64, 0.1) == 0.1);
static_assert(as_constant(element::f32, 0.1) == static_cast<double>(0.1f),
              "a constant is rounded to its type when it is made");
static_assert(as_constant(element::f32, 16777217.0) == 16777216.0);
static_assert(as_constant(element::f32, -std::numeric_limits<double>::infinity()) ==
              -std::numeric_limits<double>::infinity());

TEST_CASE("equal leaves are one node, different ones are not") {
  graph g;
  CHECK(constant(g, element::f64, 2) == constant(g, element::f64, 2));
  CHECK(constant(g, element::f32, 0.1) == constant(g, element::f32, static_cast<double>(0.1f)));
  CHECK(constant(g, element::f64, 2) != constant(g, element::f32, 2));
  CHECK(constant(g, element::f64, 0.0) != constant(g, element::f64, -0.0));
  CHECK(input(g, element::f64, make_shape(3), 0) == input(g, element::f64, make_shape(3), 0));
  CHECK(input(g, element::f64, make_shape(3), 0) != input(g, element::f64, make_shape(3), 1));
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(constant(g, element::f64, nan) == constant(g, element::f64, nan));
}

TEST_CASE("is_constant asks for a constant, or for this one") {
  graph g;
  term const two = constant(g, element::f32, 2), x = input(g, element::f32, make_shape(), 2);
  CHECK(is_constant(two));
  CHECK(is_constant(two, 2));
  CHECK_FALSE(is_constant(two, 3));
  CHECK_FALSE(is_constant(x));
  CHECK_FALSE(is_constant(x, 2));
}

TEST_CASE("an input knows its position, an index its axis") {
  graph g;
  term const x = input(g, element::i32, make_shape(2, 3), 7);
  CHECK(x->attributes == 7);
  CHECK(x->type == element::i32);
  CHECK(x->arity == 0);
  CHECK(x.extent() == make_shape(2, 3));
  CHECK(iota(g, element::f64, 0, 5).extent() == make_shape(5));
  CHECK(iota(g, element::f64, 2, 5).extent() == make_shape(1, 1, 5));
  CHECK(iota(g, element::f64, 2, 5)->attributes == 2);
}

// The shape of a constant is that of a scalar; it is repeated by a broadcast, not by itself.
static_assert(op::fill::accepts(0, make_shape(), {}));
static_assert(!op::fill::accepts(0, make_shape(3), {}));
static_assert(op::input::accepts(0, make_shape(3), {}));
