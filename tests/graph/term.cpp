#include <etch/graph/term.hpp>

#include <etch/op/arithmetic.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

// A term is two words, and no term until it is given a graph.
static_assert(sizeof(term) <= 2 * sizeof(void*) && std::is_trivially_copyable_v<term>);
static_assert(!term{}.exists());

static_assert([] {
  graph g;
  term const x = input(g, element::f64, make_shape(2, 3), 0), y = input(g, element::f64, make_shape(2, 3), 1);
  term const z = x - y;
  return z.exists() && z.extent() == make_shape(2, 3) && z->arity == 2 && (*z).type == element::f64 &&
         z.operand(0) == x && z.operand(1) == y && z.operand(0) != z;
}());

// Terms know which op they come from.
static_assert([] {
  graph g;
  term const x = input(g, element::f64, make_shape(2), 0);
  term const z = -x;
  return is<op::neg>(z) && !is<op::add>(z) && is<op::input>(x);
}());

// Equal nodes of two graphs are two terms.
static_assert([] {
  graph g, h;
  return input(g, element::f32, make_shape(), 0) == input(g, element::f32, make_shape(), 0) &&
         input(g, element::f32, make_shape(), 0) != input(h, element::f32, make_shape(), 0);
}());

// On terms `*` and `/` are element-wise, and literals take the element type of what they meet.
static_assert([] {
  graph g;
  term const m = input(g, element::f32, make_shape(3, 3), 0);
  term const product = m * m, scaled = 0.1 * m;
  return is<op::mul>(product) && product.extent() == make_shape(3, 3) && is<op::mul>(scaled) &&
         scaled->type == element::f32 && value_of(scaled.operand(0)->attributes) == static_cast<double>(0.1f);
}());

// A pullback's answer: one adjoint for each operand, counted by deduction.
static_assert([] {
  graph g;
  term const x = input(g, element::f32, make_shape(), 0), y = input(g, element::f32, make_shape(), 1);
  operands const both{x, y};
  static_assert(std::is_same_v<decltype(both), operands<2> const>);
  return both.adjoint[0] == x && both.adjoint[1] == y;
}());

static_assert(is_a<op::neg, elementwise_kind> && !is_a<op::neg, view_kind> && is_a<op::reshape, view_kind> &&
              is_a<op::fill, nullary_kind>);

TEST_CASE("terms of different graphs do not meet in one operation") {
  graph g, h;
  term const x = input(g, element::f32, make_shape(2), 0), y = input(h, element::f32, make_shape(2), 0);
  CHECK_THROWS_WITH_AS(static_cast<void>(x + y), "etch: the operands of one operation belong to different graphs",
                       exception);
}

TEST_CASE("terms of different element types or shapes do not meet either") {
  graph g;
  term const x = input(g, element::f32, make_shape(2), 0), y = input(g, element::f64, make_shape(2), 1),
             z = input(g, element::f32, make_shape(3), 2);
  CHECK_THROWS_AS(static_cast<void>(x + y), exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(x + z), "etch: shapes do not broadcast: [2] and [3]", exception);
}

}  // namespace
