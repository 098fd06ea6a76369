#include <etch/pass/place.hpp>

#include <doctest/doctest.h>

using namespace etch;

TEST_CASE("a view lies in its operand's buffer, through all views between") {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0);
  term const turned = transpose(x), again = transpose(turned), flat = emit_to<op::reshape>(make_shape(12), again),
             wide = fit(emit_to<op::reshape>(make_shape(12, 1), flat), make_shape(12, 5));
  std::vector<pass::place> const places = pass::places_of(g);
  auto const at = [&](term t) { return places[static_cast<std::size_t>(t.id)]; };
  for (term t : {x, turned, again, flat, wide}) CHECK(at(t).root == x.id);
  CHECK(at(turned).where.step[0] == 3);
  CHECK(at(turned).where.step[1] == 1);
  CHECK(at(again).where == at(x).where);
  CHECK(at(flat).where.step[0] == 1);
  CHECK(at(wide).where.step[0] == 1);
  CHECK(at(wide).where.step[1] == 0);
}

namespace {
auto place_in(graph_view g, int id, std::vector<pass::place> const& earlier) { return pass::place_of(g, id, earlier, pass::storage_of(g)[static_cast<std::size_t>(id)]); }
}  // namespace

TEST_CASE("a view that needs a copy has no place") {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0), turned = transpose(x);
  std::vector<pass::place> places;
  for (term t : {x, turned}) places.push_back(*place_in(g, t.id, places));
  term const flat = emit_to<op::reshape>(make_shape(12), turned);
  CHECK_FALSE(place_in(g, flat.id, places).has_value());
  term const same = emit_to<op::reshape>(make_shape(4, 3, 1), turned);
  CHECK(place_in(g, same.id, places).has_value());
}

TEST_CASE("what a kernel computes is neither given, constant, nor a view") {
  graph g;
  term const x = input(g, element::f64, make_shape(3), 0);
  CHECK(pass::is_input(*x));
  CHECK_FALSE(pass::is_computed(*x));
  CHECK_FALSE(pass::is_computed(*constant(g, element::f64, 1)));
  CHECK_FALSE(pass::is_computed(*iota(g, element::f64, 0, 3)));
  CHECK_FALSE(pass::is_computed(*transpose(x)));
  CHECK(pass::is_computed(*(x + x)));
  CHECK(pass::is_computed(*emit<op::sum>(1, x)));
  CHECK(pass::is_computed(*matmul(transpose(x), x)));
  CHECK_FALSE(pass::is_input(*(x + x)));
}
