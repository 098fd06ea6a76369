#include <etch/core/eigen.hpp>

#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

#include <memory>

namespace {

using namespace etch;

template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
template <class A>
using traced = typename argument<A>::traced;
template <class A>
using gradient = typename argument<A>::gradient;

using row_major = Eigen::Matrix<float, 2, 3, Eigen::RowMajor>;

// A column is of rank 1, any other matrix of rank 2; memory order does not show; an array's `*` is element-wise.
static_assert(same<traced<Eigen::Vector3d>, expr<double, 3>> && same<traced<Eigen::RowVector3d>, expr<double, 1, 3>> &&
              same<traced<Eigen::Matrix<float, 1, 1>>, expr<float, 1>>);
static_assert(same<traced<Eigen::Matrix<float, 2, 3>>, expr<float, 2, 3>> &&
              same<traced<row_major>, expr<float, 2, 3>>);
static_assert(same<traced<Eigen::Array<float, 2, 3>>, array_expr<float, 2, 3>> &&
              same<traced<Eigen::Array<float, 2, 3, Eigen::RowMajor>>, array_expr<float, 2, 3>>);
static_assert(same<traced<Eigen::Map<row_major>>, expr<float, 2, 3>> &&
              same<traced<Eigen::Map<Eigen::Array2i const>>, array_expr<int, 2>>);

// The gradient owns its entries, in the argument's own type and memory order.
static_assert(same<gradient<row_major>, row_major> && same<gradient<Eigen::Array33d>, Eigen::Array33d>);
static_assert(same<gradient<Eigen::Map<row_major>>, row_major> &&
              same<gradient<Eigen::Map<Eigen::Vector3f const>>, Eigen::Vector3f>);
static_assert(same<gradient<Eigen::Map<Eigen::Matrix<float, 784, 128>>>, tensor<float, 784, 128>>);
static_assert(argument<Eigen::Vector3d>::rebindable);

// Weights without any symmetry: a transposition anywhere changes an answer.
template <int Rows, int Cols>
constexpr tensor<float, Rows, Cols> weights() {
  tensor<float, Rows, Cols> w;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Cols; ++j) w(i, j) = static_cast<float>(10 * i + j + 1);
  return w;
}

constexpr auto weighted = [](auto x, auto w) { return sum(cwise_product(x, w)); };
constexpr auto weighted_squares = [](auto x, auto w) { return sum(cwise_product(cwise_product(x, x), w)); };

/// Checks value and gradient of the sum of w x², whose gradient is 2 w x, for a matrix
/// argument of 2 rows and 3 columns.
template <class M>
void check_two_by_three(M const& x) {
  auto const w = weights<2, 3>();
  auto const [value, g] = value_and_grad(weighted_squares)(x, w);
  static_assert(same<std::remove_const_t<decltype(g)>, typename M::PlainObject>);
  float expected = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      expected += w(i, j) * x(i, j) * x(i, j);
      CHECK(g(i, j) == 2 * w(i, j) * x(i, j));
    }
  CHECK(value == expected);
}

TEST_CASE("matrices and arrays of either memory order have their gradient entry by entry") {
  Eigen::Matrix<float, 2, 3> column;
  column << 1, 2, 3, 4, 5, 6;
  row_major const row = column;
  check_two_by_three(column);
  check_two_by_three(row);
  check_two_by_three(Eigen::Array<float, 2, 3>(column.array()));
  check_two_by_three(Eigen::Array<float, 2, 3, Eigen::RowMajor>(column.array()));
}

TEST_CASE("maps are read in place, whatever their order and alignment") {
  float entries[7] = {0, 1, 2, 3, 4, 5, 6};
  check_two_by_three(Eigen::Map<row_major>(entries + 1));
  check_two_by_three(Eigen::Map<Eigen::Matrix<float, 2, 3> const>(entries + 1));
  check_two_by_three(Eigen::Map<Eigen::Array<float, 2, 3, Eigen::RowMajor> const>(entries + 1));
}

TEST_CASE("a product with a row-major matrix is the product") {
  // loss = u' (A v): dA = u v', du = A v.
  row_major a;
  a << 1, 2, 3, 4, 5, 6;
  Eigen::Vector2f const u(1, 10);
  Eigen::Vector3f const v(1, 2, -1);
  auto const [value, g] = value_and_grad<wrt<0, 1, 2>>(
      [](auto m, auto left, auto right) { return sum(cwise_product(left, m * right)); })(a, u, v);
  CHECK(value == 2 + 10 * 8);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) CHECK(std::get<0>(g)(i, j) == u(i) * v(j));
  CHECK(std::get<1>(g) == Eigen::Vector2f(2, 8));
  CHECK(std::get<2>(g) == Eigen::Vector3f(41, 52, 63));
}

TEST_CASE("two row-major matrices multiply in their order") {
  // loss = sum(W .* (A B)): dA = W B', dB = A' W, all integers small enough to be exact.
  using left = Eigen::Matrix<double, 2, 3, Eigen::RowMajor>;
  using right = Eigen::Matrix<double, 3, 2, Eigen::RowMajor>;
  left a;
  a << 1, -2, 3, 0, 5, 7;
  right b;
  b << 2, 1, -1, 4, 3, -3;
  Eigen::Matrix2d w;
  w << 1, 2, 3, 5;
  auto const [value, g] =
      value_and_grad<wrt<0, 1>>([](auto x, auto y, auto z) { return sum(cwise_product(z, x * y)); })(a, b, w);
  CHECK(value == 13 + 2 * -16 + 3 * 16 + 5 * -1);
  left ga;
  ga << 4, 7, -3, 11, 17, -6;
  right gb;
  gb << 1, 2, 13, 21, 24, 41;
  CHECK(std::get<0>(g) == ga);
  CHECK(std::get<1>(g) == gb);
}

TEST_CASE("the star of arrays is element-wise, of matrices the product") {
  Eigen::Array22f x;
  x << 1, 2, 3, 4;
  Eigen::Matrix2f const m = x.matrix();
  constexpr auto trace_like = [](auto y, auto w) { return sum(cwise_product(w, (y * y).matrix())); };
  tensor<float, 2, 2> w;
  w(0, 1) = 1;  // picks entry (0, 1)
  auto const element_wise = value_and_grad(trace_like)(x, w);
  CHECK(element_wise.value == 4);
  CHECK(element_wise.grad(0, 1) == 4);
  CHECK(element_wise.grad(1, 1) == 0);
  auto const product = value_and_grad(trace_like)(m, w);  // m(0,0) m(0,1) + m(0,1) m(1,1)
  CHECK(product.value == 10);
  CHECK(product.grad(0, 0) == 2);
  CHECK(product.grad(0, 1) == 5);
  CHECK(product.grad(1, 0) == 0);
  CHECK(product.grad(1, 1) == 2);
}

TEST_CASE("row vectors are rows, columns columns") {
  Eigen::RowVector3f const r(1, 2, 3);
  Eigen::Vector3f const c(4, 5, 6);
  auto const [inner, gi] = value_and_grad<wrt<0, 1>>([](auto a, auto b) { return sum(a * b); })(r, c);
  CHECK(inner == 32);
  CHECK(std::get<0>(gi) == Eigen::RowVector3f(4, 5, 6));
  CHECK(std::get<1>(gi) == Eigen::Vector3f(1, 2, 3));
  static_assert(same<std::tuple_element_t<0, std::remove_const_t<decltype(gi)>>, Eigen::RowVector3f>);
  auto const outer =
      value_and_grad([](auto a, auto b, auto w) { return sum(cwise_product(w, b * a)); })(r, c, weights<3, 3>());
  CHECK(outer.grad == Eigen::RowVector3f(4 * 1 + 5 * 11 + 6 * 21, 4 * 2 + 5 * 12 + 6 * 22, 4 * 3 + 5 * 13 + 6 * 23));
}

TEST_CASE("tensors, Eigen objects and scalars mix in one loss") {
  row_major m;
  m << 1, 2, 3, 4, 5, 6;
  auto const [value, g] = value_and_grad<wrt<0, 1, 2>>(
      [](auto a, auto t, auto s) { return s * sum(cwise_product(a, t)); })(m, weights<2, 3>(), 0.5f);
  CHECK(value == 0.5f * (1 + 4 + 9 + 44 + 60 + 78));
  CHECK(std::get<0>(g)(1, 0) == 5.5f);
  CHECK(std::get<1>(g)(1, 0) == 2);
  CHECK(std::get<2>(g) == 196);
}

/// The gradient of `weighted` through a map too large for an Eigen object: the weights.
template <int Options>
int wrong_entries_of_a_large_map() {
  constexpr int rows = 256, cols = 200;
  using big = Eigen::Matrix<float, rows, cols, Options>;
  static_assert(sizeof(float) * rows * cols > EIGEN_STACK_ALLOCATION_LIMIT);
  auto const storage = std::make_unique<tensor<float, rows * cols>>();
  storage->fill(1);
  Eigen::Map<big> const x(storage->data());
  auto const w = std::make_unique<tensor<float, rows, cols>>(weights<rows, cols>());
  auto const step = std::make_unique<decltype(compile<wrt<0>>(weighted, x, *w))>();
  (*step)(x, *w);
  auto const& g = step->template grad<0>();
  int wrong = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) wrong += g(i, j) != (*w)(i, j);
  return wrong;
}

TEST_CASE("the gradient of a map too large for an Eigen object is a tensor") {
  CHECK(wrong_entries_of_a_large_map<Eigen::ColMajor>() == 0);
}
TEST_CASE("the gradient of a large row-major map is a tensor of the same entries") {
  CHECK(wrong_entries_of_a_large_map<Eigen::RowMajor>() == 0);
}

}  // namespace
