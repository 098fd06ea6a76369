#include <etch/rewrite/adjoint.hpp>

#include <etch/machine/interpret.hpp>

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
  c.add(3, {x});
  CHECK(c.any(3));
  CHECK(c.total(3).adjoint == x);
  c.add(3, {y});
  c.add(3, {x * y});
  c.add(2, {y});
  CHECK(value(c.total(3).adjoint, {{2}, {5}}) == numbers{17});
  CHECK(c.total(2).adjoint == y);
}

TEST_CASE(
    "what is added up arrived where any of it did; what stands behind one mask is added before the mask is applied") {
  graph g;
  g.simplifying = true;
  shape const s = make_shape(3);
  term const x = input(g, element::f64, s, 0),
             m = pass::detail::indicator(input(g, element::f64, s, 1), true, element::f64),
             n = pass::detail::indicator(input(g, element::f64, s, 2), true, element::f64);
  std::vector<numbers> const inputs{{1, 2, 3}, {0, 1, 0}, {0, 0, 7}};
  pass::detail::contributions c(4);
  auto const behind = [&](term mask, term value) { return pass::arrival{pass::detail::gated(mask, value), mask}; };
  c.add(0, behind(m, x));
  c.add(0, behind(n, x * x));
  CHECK(value(c.total(0).adjoint, inputs) == numbers{0, 2, 9});
  CHECK(value(c.total(0).mask, inputs) == numbers{0, 1, 1});
  c.add(0, {x});
  CHECK(value(c.total(0).adjoint, inputs) == numbers{1, 4, 12});
  CHECK_FALSE(c.total(0).mask.exists());
  c.add(1, behind(m, x));
  c.add(1, behind(m, x * x));
  auto const one = pass::detail::mask_of(c.total(1).adjoint);
  REQUIRE(one.exists());
  CHECK(one.value == x + x * x);
  CHECK(c.total(1).mask == m);
}

TEST_CASE("a mask is what a select with one branch 0 puts on the other, and is applied again") {
  graph g;
  term const c = input(g, element::f64, make_shape(2), 0), x = input(g, element::f64, make_shape(2), 1),
             zero = constant(g, element::f64, 0);
  auto const chosen = pass::detail::mask_of(emit<op::select>(0, c, x, zero)),
             left = pass::detail::mask_of(emit<op::select>(0, c, zero, x));
  REQUIRE(chosen.exists());
  REQUIRE(left.exists());
  CHECK(chosen.value == x);
  CHECK(value(chosen.apply(2 * x), {{1, 0}, {3, 4}}) == numbers{6, 0});
  CHECK(value(left.apply(2 * x), {{1, 0}, {3, 4}}) == numbers{0, 8});
  CHECK_FALSE(pass::detail::mask_of(emit<op::select>(0, c, x, x * x)).exists());
  CHECK_FALSE(pass::detail::mask_of(x).exists());
}
