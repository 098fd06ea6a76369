#include <etch/op/recipe.hpp>

#include <etch/op/elementwise.hpp>
#include <etch/op/slice.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

struct fixture {
  graph g;
  fixture() { g.simplifying = true; }
  term number(double value) { return constant(g, element::f64, value); }
  term eye() { return detail::identity(g, element::f64, 2, 1); }
};

}  // namespace

TEST_CASE("one number everywhere and multiples of the identity are recognised") {
  fixture f;
  constant_content const number = detail::content_of(fit(f.number(0.5), make_shape(2, 3)));
  CHECK(number.id == -1);
  CHECK(number.immediate == 0.5);
  for (term each : {3 * f.eye(), -(f.eye() * -3.0), f.number(1.5) * (2 * f.eye())}) {
    constant_content const found = detail::content_of(each);
    CHECK(found.id == identity_id);
    CHECK(found.immediate == 3);
  }
}

TEST_CASE("a recipe holds what a value follows from, and no more, and is put into any graph in any type") {
  fixture f;
  f.number(7);  // not needed
  term const x = 0.1 * f.eye() + fit(f.number(0.3), make_shape(2, 2));
  constant_content const c = detail::content_of(x);
  CHECK(c.id == recipe_id);
  graph to;
  term const y = detail::cooked(c.recipe, to, element::f32);
  CHECK(y.extent() == make_shape(2, 2));
  CHECK(to.size() == 7);  // two indices, where they are equal, 0.1 and its product, 0.3 and the sum
  for (int id = 0; id < to.size(); ++id) CHECK(to[id].type == element::f32);
  bool has_rounded = false;
  for (int id = 0; id < to.size(); ++id)
    has_rounded = has_rounded || (is_constant({&to, id}) && value_of(to[id].attributes) == static_cast<double>(0.1f));
  CHECK(has_rounded);
}
