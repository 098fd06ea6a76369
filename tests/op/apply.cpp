#include <etch/op/elementwise.hpp>
#include <etch/op/slice.hpp>
#include <etch/op/linalg/product.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <int... Dims>
using real = expr<double, Dims...>;

/// A simplifying graph with some inputs.
struct fixture {
  graph g;
  term scalar, column, row, matrix;
  explicit fixture(bool simplifying = true) {
    g.simplifying = simplifying;
    scalar = input(g, element::f64, make_shape(), 0);
    column = input(g, element::f64, make_shape(3), 1);
    row = input(g, element::f64, make_shape(1, 4), 2);
    matrix = input(g, element::f64, make_shape(3, 4), 3);
  }
};

}  // namespace

// Shapes are inferred by the types: rank is the larger one, extents of 1 give way.
static_assert(std::is_same_v<decltype(real<3>() + real<3, 4>()), real<3, 4>>);
static_assert(std::is_same_v<decltype(real<3, 1>() - real<1, 4>()), real<3, 4>>);
static_assert(std::is_same_v<decltype(real<>() / real<2, 3, 4>()), real<2, 3, 4>>);
static_assert(std::is_same_v<decltype(exp(real<2, 1, 1, 5>())), real<2, 1, 1, 5>>);
static_assert(std::is_same_v<decltype(real<3>() + real<1, 1>()), real<3, 1>>);

// Views: what they accept, and where the entries lie.
static_assert(op::broadcast::accepts(0, make_shape(3, 4), {make_shape(3)}));
static_assert(op::broadcast::accepts(0, make_shape(3, 4), {make_shape(1, 4)}));
static_assert(!op::broadcast::accepts(0, make_shape(3, 4), {make_shape(4)}));
static_assert(!op::broadcast::accepts(0, make_shape(3), {make_shape(3, 4)}), "a broadcast never shrinks");
static_assert(op::reshape::accepts(0, make_shape(2, 6), {make_shape(3, 4)}));
static_assert(!op::reshape::accepts(0, make_shape(2, 5), {make_shape(3, 4)}));
static_assert(op::broadcast::project(0, {5, {1, 3, 12, 12}}, make_shape(3), make_shape(3, 4)) ==
              layout{5, {1, 0, 12, 12}});
static_assert(op::broadcast::project(0, {0, {1, 1, 4, 4}}, make_shape(1, 4), make_shape(3, 4)) ==
              layout{0, {0, 1, 4, 4}});
static_assert(op::reshape::project(0, {2, {1, 3, 12, 12}}, make_shape(3, 4), make_shape(6, 2)) ==
              layout{2, {1, 6, 12, 12}});
static_assert(!op::reshape::project(0, {0, {4, 1, 12, 12}}, make_shape(3, 4), make_shape(12)),
              "a transposed matrix has to be copied first");
static_assert(op::reshape::project(0, {0, {4, 1, 12, 12}}, make_shape(3, 4), make_shape(3, 4, 1)).has_value(),
              "another rank moves nothing");

TEST_CASE("mistakes at run time throw and name both shapes") {
  fixture f;
  term const other = input(f.g, element::f64, make_shape(2, 4), 4);
  CHECK_THROWS_WITH_AS(f.matrix + other, "etch: shapes do not broadcast: [3, 4] and [2, 4]", exception);
  CHECK_THROWS_WITH_AS(matmul(f.matrix, f.matrix), "etch: inner dimensions of a product differ: [3, 4] times [3, 4]",
                       exception);
  CHECK_THROWS_WITH_AS(emit_to<op::reshape>(make_shape(5, 2), f.matrix),
                       "etch: no reshape leads from shape [3, 4] to [5, 2]", exception);
  CHECK_THROWS_WITH_AS(emit<op::sum>(4, f.matrix), "etch: axis 2 does not exist in shape [3, 4]", exception);
  CHECK_THROWS_WITH_AS(emit<op::diagonal>(0, input(f.g, element::f64, make_shape(2, 2, 2), 9)),
                       "etch: a matrix (rank 2 or less) is needed, not a tensor of shape [2, 2, 2]", exception);
}

TEST_CASE("operands of different types or graphs are refused") {
  fixture f, h;
  CHECK_THROWS_WITH_AS(f.scalar + h.scalar, "etch: the operands of one operation belong to different graphs",
                       exception);
  CHECK_THROWS_AS(f.scalar + input(f.g, element::f32, make_shape(), 9), exception);
  real<3> const a(&f.g, f.column.id), b(&h.g, h.column.id);
  CHECK_THROWS_WITH_AS(a + b, "etch: the operands of one operation belong to different graphs", exception);
}

TEST_CASE("constants fold, in their own precision") {
  graph g;
  g.simplifying = true;
  CHECK(is_constant(constant(g, element::f64, 2) * 3 + 4, 10));
  CHECK(is_constant(constant(g, element::f32, 16777216) + 1, 16777216));
  CHECK(is_constant(constant(g, element::f64, 16777216) + 1, 16777217));
  CHECK(is_constant(constant(g, element::f32, 1) / 3, static_cast<double>(1.0f / 3.0f)));
  CHECK(is_constant(emit<op::relu>(0, constant(g, element::f64, -5)), 0));
  CHECK(is_constant(
      emit<op::select>(0, constant(g, element::f64, 1), constant(g, element::f64, 7), constant(g, element::f64, 8)),
      7));
}

TEST_CASE("without simplifying nothing is folded, but equal expressions are one node") {
  fixture f(false);
  term const five = constant(f.g, element::f64, 2) + 3;
  CHECK(is<op::add>(five));
  CHECK(five == constant(f.g, element::f64, 2) + 3);
  CHECK(f.scalar + 0 != f.scalar);
}

TEST_CASE("element-wise operations slip under broadcasts") {
  fixture f;
  term const y = exp(fit(f.column, make_shape(3, 4)));
  CHECK(is<op::broadcast>(y));
  CHECK(y.extent() == make_shape(3, 4));
  CHECK(is<op::exp>(y.operand(0)));
  CHECK(y.operand(0).extent() == make_shape(3));
  // Of two broadcasts to one shape only what both need is repeated.
  term const both = fit(f.scalar, make_shape(3, 4)) + fit(f.row, make_shape(3, 4));
  CHECK(is<op::broadcast>(both));
  CHECK(both.operand(0).extent() == make_shape(1, 4));
  // Beside a full operand the broadcast vanishes: the operation itself repeats the entries.
  term const full = f.matrix * fit(f.column, make_shape(3, 4));
  CHECK(is<op::mul>(full));
  CHECK(full.operand(1) == f.column);
}

TEST_CASE("views of views are one view, and a view that changes nothing is none") {
  fixture f;
  term const twice = fit(fit(f.scalar, make_shape(1, 4)), make_shape(3, 4));
  CHECK(is<op::broadcast>(twice));
  CHECK(twice.operand(0) == f.scalar);
  CHECK(fit(f.matrix, make_shape(3, 4)) == f.matrix);
  CHECK(emit_to<op::reshape>(make_shape(3, 4), emit_to<op::reshape>(make_shape(12), f.matrix)) == f.matrix);
  CHECK(is<op::reshape>(fit(f.column, make_shape(3, 1))));
  CHECK(is<op::broadcast>(fit(f.column, make_shape(3, 2))));
}

TEST_CASE("constants that belong to no graph combine among themselves and join the one they meet") {
  constexpr real<3> two(2), three(3);
  constexpr auto six = cwise_product(two, three);
  static_assert(six.owner == nullptr && six.immediate == 6 && decltype(six)::extent == make_shape(3));
  static_assert((real<>(1) / 4).immediate == 0.25);
  static_assert(expr<float>(0.1).immediate + 0 == 0.1 && (expr<float>(0.1) + 0).immediate == static_cast<double>(0.1f));
  fixture f(false);
  real<3, 4> const x(&f.g, f.matrix.id);
  auto const y = x + two;
  static_assert(std::is_same_v<std::remove_const_t<decltype(y)>, real<3, 4>>);
  term const constant_operand = term{y.owner, y.id}.operand(1);
  CHECK(is<op::broadcast>(constant_operand));
  CHECK(constant_operand.extent() == make_shape(3));
  CHECK(is_constant(constant_operand.operand(0), 2));
  static_assert(sum(two).immediate == 6 && std::is_same_v<decltype(sum(two)), real<>>);
  constexpr real<2, 2> eye = make_expr<double, make_shape(2, 2)>(nullptr, identity_id, 1);
  static_assert((-2 * eye).id == identity_id && (eye * 0.5).immediate == 0.5);
  CHECK_THROWS_WITH_AS(eye + 1,
                       "etch: this operation has only constants as operands, and they belong to no graph yet; combine "
                       "them with a traced value first",
                       exception);
}
