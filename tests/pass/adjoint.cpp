#include <etch/pass/adjoint.hpp>

#include <etch/run/interpret.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;
using run::numbers;

namespace {

numbers value(term x, std::vector<numbers> const& inputs) {
  x.owner->outputs = {x.id};
  return run::interpret(*x.owner, inputs)[0];
}

}  // namespace

TEST_CASE("an adjoint is summed over the axes along which the value was repeated") {
  graph g;
  term const x = input(g, element::f64, make_shape(2, 3), 0);
  CHECK(value(pass::detail::sum_to(x, make_shape(2)), {{1, 2, 3, 4, 5, 6}}) == numbers{9, 12});
  CHECK(value(pass::detail::sum_to(x, make_shape(1, 3)), {{1, 2, 3, 4, 5, 6}}) == numbers{3, 7, 11});
  CHECK(value(pass::detail::sum_to(x, make_shape()), {{1, 2, 3, 4, 5, 6}}) == numbers{21});
  CHECK(pass::detail::sum_to(x, make_shape(2, 3)) == x);
}

TEST_CASE("contributions are added up in the order they come") {
  graph g;
  term const x = input(g, element::f64, make_shape(), 0), y = input(g, element::f64, make_shape(), 1);
  pass::detail::contributions c(4);
  CHECK_FALSE(c.any(3));
  c.add(3, x);
  CHECK(c.any(3));
  CHECK(c.total(3) == x);
  c.add(3, y);
  c.add(3, x * y);
  c.add(2, y);
  CHECK(value(c.total(3), {{2}, {5}}) == numbers{17});
  CHECK(c.total(2) == y);
}

TEST_CASE("a mask is what a select with one branch 0 puts on the other, and is applied again") {
  graph g;
  term const c = input(g, element::f64, make_shape(2), 0), x = input(g, element::f64, make_shape(2), 1),
             zero = constant(g, element::f64, 0);
  auto const chosen = pass::detail::mask_of(emit<op::select>(0, c, x, zero)), left = pass::detail::mask_of(emit<op::select>(0, c, zero, x));
  REQUIRE(chosen);
  REQUIRE(left);
  CHECK(chosen->value == x);
  CHECK(value(chosen->apply(2 * x), {{1, 0}, {3, 4}}) == numbers{6, 0});
  CHECK(value(left->apply(2 * x), {{1, 0}, {3, 4}}) == numbers{0, 8});
  CHECK_FALSE(pass::detail::mask_of(emit<op::select>(0, c, x, x * x)));
  CHECK_FALSE(pass::detail::mask_of(x));
}
