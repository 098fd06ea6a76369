#include <etch/lower/place.hpp>

#include <etch/op/elementwise.hpp>

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
/// The place of `view`, whose operand lies at `operand`.
auto place_in(term view, pass::place const& operand) {
  return pass::place_of_view(*view, operand, view.operand(0).extent());
}
}  // namespace

TEST_CASE("a view that needs a copy has no place") {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0), turned = transpose(x);
  pass::place const of_turned = pass::places_of(g)[static_cast<std::size_t>(turned.id)];
  CHECK_FALSE(place_in(emit_to<op::reshape>(make_shape(12), turned), of_turned).has_value());
  CHECK(place_in(emit_to<op::reshape>(make_shape(4, 3, 1), turned), of_turned).has_value());
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

TEST_CASE("a part lies in its region of the join, also through a join within a join and through views") {
  graph g;
  term const x = input(g, element::f64, make_shape(2, 3), 0);
  auto const both = [](term a, term b) {
    std::vector<term> const parts{a, b};
    return sum_of(parts);
  };
  shape const tall = make_shape(4, 3), deep = make_shape(4, 3, 2);
  term const a = exp(x), b = sin(x);
  term const inner = both(embed(a, tall, region(0, 0, 2)), embed(b, tall, region(0, 1, 2)));  // rows of a and b in turn
  term const other = cos(inner);
  term const outer = both(embed(inner, deep, region(2, 0)), embed(other, deep, region(2, 1)));
  term const turned = transpose(b), row = slice(turned, region(1, 1), 1);
  std::vector<pass::place> const places = pass::places_of(g), storage = pass::storage_of(g);
  auto const at = [&](term t) { return places[static_cast<std::size_t>(t.id)]; };
  for (term t : {a, b, inner, other, outer}) {
    CHECK(at(t).root == t.id);
    CHECK(at(t).owner == outer.id);
  }
  auto const lies = [](pass::place const& p, std::int64_t offset, std::int64_t down, std::int64_t right) {
    return p.where.offset == offset && p.where.step[0] == down && p.where.step[1] == right;
  };
  CHECK(lies(at(a), 0, 2, 4));
  CHECK(lies(at(b), 1, 2, 4));
  CHECK(lies(at(inner), 0, 1, 4));
  CHECK(lies(at(other), 12, 1, 4));
  CHECK(lies(at(turned), 1, 4, 2));
  CHECK(lies(at(row), 3, 4, 2));
  CHECK(at(row).root == b.id);
  CHECK(storage[static_cast<std::size_t>(b.id)].owner == outer.id);
  CHECK(pass::is_stored(*inner));
  CHECK_FALSE(pass::is_computed(*inner));
  CHECK_FALSE(pass::is_stored(*row));
}
