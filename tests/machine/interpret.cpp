#include <etch/machine/interpret.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;
using run::numbers;

namespace {

/// The value of an expression of x[2, 3] = 1 ... 6, v[2] = 10, 20 and the number 7.
constexpr numbers value_of_expression(auto expression, element type = element::f64) {
  graph g;
  term const x = input(g, type, make_shape(2, 3), 0), v = input(g, type, make_shape(2), 1),
             s = input(g, type, make_shape(), 2);
  g.outputs = {expression(x, v, s).id};
  return run::interpret(g, std::vector<numbers>{{1, 2, 3, 4, 5, 6}, {10, 20}, {7}})[0];
}

constexpr bool equal_to_by_hand(numbers const& a, std::initializer_list<double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

static_assert(equal_to_by_hand(value_of_expression([](term x, term v, term) { return x + v; }),
                               {11, 22, 13, 24, 15, 26}));
static_assert(equal_to_by_hand(value_of_expression([](term x, term, term s) { return s - x; }), {6, 5, 4, 3, 2, 1}));
static_assert(equal_to_by_hand(value_of_expression([](term x, term, term) { return transpose(x); }),
                               {1, 3, 5, 2, 4, 6}));
static_assert(equal_to_by_hand(value_of_expression([](term x, term, term) {
                                 return emit_to<op::reshape>(make_shape(3, 2), transpose(x));
                               }),
                               {1, 3, 5, 2, 4, 6}));
static_assert(equal_to_by_hand(value_of_expression([](term, term v, term) { return fit(v, make_shape(2, 2)); }),
                               {10, 20, 10, 20}));
static_assert(equal_to_by_hand(value_of_expression([](term x, term, term) { return emit<op::sum>(1, x); }),
                               {3, 7, 11}));
static_assert(equal_to_by_hand(value_of_expression([](term x, term, term) { return emit<op::max>(2, -x); }), {-1, -2}));
static_assert(equal_to_by_hand(value_of_expression([](term x, term, term) { return matmul(x, transpose(x)); }),
                               {35, 44, 44, 56}));
static_assert(equal_to_by_hand(value_of_expression([](term x, term v, term) { return matmul(transpose(x), v); }),
                               {50, 110, 170}));
static_assert(equal_to_by_hand(
    value_of_expression([](term x, term, term) { return iota(*x.owner, element::f64, 1, 4); }), {0, 1, 2, 3}));

TEST_CASE("single precision rounds after every operation") {
  auto const third = [](term, term, term s) { return s / 3; };
  CHECK(value_of_expression(third)[0] == 7.0 / 3.0);
  CHECK(value_of_expression(third, element::f32)[0] == static_cast<double>(7.0f / 3.0f));
  auto const lost = [](term, term, term s) { return (s + 16777216) - 16777216; };
  CHECK(value_of_expression(lost)[0] == 7);
  CHECK(value_of_expression(lost, element::f32)[0] == 8);
}

TEST_CASE("casts round, and outputs come in their order") {
  graph g;
  term const x = input(g, element::f64, make_shape(), 0);
  g.outputs = {emit<op::cast>(static_cast<attribute>(element::f32), x).id, x.id, x.id};
  auto const out = run::interpret(g, std::vector<numbers>{{0.1}});
  REQUIRE(out.size() == 3);
  CHECK(out[0][0] == static_cast<double>(0.1f));
  CHECK(out[1][0] == 0.1);
  CHECK(out[2][0] == 0.1);
}

TEST_CASE("inputs are found by position, whatever their order in the graph") {
  graph g;
  term const second = input(g, element::f64, make_shape(), 1), first = input(g, element::f64, make_shape(), 0);
  g.outputs = {(first - second).id};
  CHECK(run::interpret(g, std::vector<numbers>{{10}, {3}})[0][0] == 7);
}
