#include <etch/op/eigen/parts.hpp>

#include "op/three_ways.hpp"

using namespace three_ways;
using Eigen::Matrix3d, Eigen::Matrix4d, Eigen::Vector2d, Eigen::Vector3d, Eigen::RowVector4d;
using matrix34 = Eigen::Matrix<double, 3, 4>;
using vector6 = Eigen::Matrix<double, 6, 1>;

TEST_CASE("total variation of a signal") {
  on<vector6>::check([](auto x) {
    constexpr int n = decltype(x)::SizeAtCompileTime;
    auto slope = (x.template tail<n - 1>() - x.template head<n - 1>()).eval();
    auto bend = x.template segment<n - 2>(0) - 2 * x.template segment<n - 2>(1) + x.template segment<n - 2>(2);
    return slope.squaredNorm() + 0.5 * bend.squaredNorm();
  });
}

TEST_CASE("sizes given as objects") {
  on<vector6, Matrix4d>::check([](auto x, auto m) {
    auto a = x.head(Eigen::fix<3>).dot(x.tail(Eigen::fix<3>));
    return a + x.segment(2, Eigen::fix<2>).prod() + m.block(1, 0, Eigen::fix<2>, Eigen::fix<3>).squaredNorm();
  });
}

TEST_CASE("parts of row vectors") {
  on<RowVector4d, RowVector4d>::check([](auto x, auto y) {
    return x.template head<2>().dot(y.template tail<2>()) + x.template segment<2>(1).squaredNorm() * y[0] +
           x(3) * y(1) + (x.reverse() * y.transpose()).value();
  });
}

TEST_CASE("rows and columns in loops: all distances between columns") {
  on<matrix34>::check([](auto x) {
    typename decltype(x)::Scalar total = 0;
    for (int i = 0; i < x.cols(); ++i)
      for (int j = 0; j < i; ++j) total += (x.col(i) - x.col(j)).norm();
    for (int i = 0; i + 1 < x.rows(); ++i) total += x.row(i).dot(x.row(i + 1));
    return total;
  });
}

TEST_CASE("the gates of a recurrent cell are blocks of one product") {
  on<Eigen::Matrix<double, 6, 2>, Vector2d, Vector2d>::check([](auto w, auto x, auto c) {
    auto z = (w * x).eval();
    auto forget = z.template head<2>().array().logistic().eval();
    auto update = z.template segment<2>(2).array().tanh().eval();
    auto output = z.template tail<2>().array().logistic().eval();
    auto state = (forget * c.array() + (1 - forget) * update).eval();
    return (output * state.tanh()).sum();
  });
}

TEST_CASE("bands of rows and columns") {
  on<matrix34>::check([](auto x) {
    auto rows = x.template topRows<2>().cwiseProduct(x.template bottomRows<2>()).sum() +
                x.template middleRows<1>(1).squaredNorm();
    auto cols =
        (x.template leftCols<2>() - x.template rightCols<2>()).squaredNorm() + x.template middleCols<2>(1).prod();
    return rows + cols + x.template leftCols<1>().dot(x.col(3));
  });
}

TEST_CASE("a block matrix: affine maps and a Schur complement") {
  on<Matrix4d, Vector3d>::check([](auto t, auto p) {
    auto moved = (t.template topLeftCorner<3, 3>() * p + t.template topRightCorner<3, 1>()).eval();
    auto scale = (t.template bottomLeftCorner<1, 3>() * p).value() + t.template bottomRightCorner<1, 1>().value();
    auto a = t.template block<2, 2>(0, 0).eval();
    auto schur =
        (t.template block<2, 2>(2, 2) - t.template block<2, 2>(2, 0) * (a.inverse() * t.template block<2, 2>(0, 2)))
            .eval();
    return (moved / scale).squaredNorm() + schur.determinant() * a.determinant();
  });
}

TEST_CASE("a kernel matrix from replicated squares") {
  on<Eigen::Matrix<double, 2, 3>, Eigen::Matrix<double, 2, 4>>::check([](auto a, auto b) {
    auto squares = a.colwise().squaredNorm().transpose().template replicate<1, 4>() +
                   b.colwise().squaredNorm().template replicate<3, 1>();
    auto distances = (squares - 2 * a.transpose() * b).eval();
    return (-0.5 * distances.array()).exp().sum();
  });
}

TEST_CASE("reversed, repeated and diagonal entries") {
  on<Matrix3d, matrix34>::check([](auto m, auto x) {
    return m.diagonal().dot(m.reverse().col(0)) + (x.reverse().array() * x.array()).sum() * m.trace() +
           (x.template replicate<2, 1>().template bottomRows<4>().array() *
            x.template replicate<2, 2>().template block<4, 4>(1, 3).array())
               .sum() +
           x.diagonal().norm() + x.transpose().diagonal().sum();
  });
}

namespace {

/// A traced matrix of a graph.
template <int... Dims>
constexpr expr<double, Dims...> traced(graph& g, int position = 0) {
  return {&g, input(g, element::f64, make_shape(Dims...), position).id};
}
template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
template <int... Dims>
using matrix_type = expr<double, Dims...>;

}  // namespace

// A column has rank 1, everything else rank 2, and one entry none, as the arguments have.
static_assert(same<decltype(matrix_type<3, 4>().col(0)), matrix_type<3>> &&
              same<decltype(matrix_type<3, 4>().row(0)), matrix_type<1, 4>>);
static_assert(same<decltype(matrix_type<3, 4>()(0, 0)), matrix_type<>> &&
              same<decltype(matrix_type<3>().array()[0]), matrix_type<>>);
static_assert(same<decltype(matrix_type<3>().transpose()), matrix_type<1, 3>> &&
              same<decltype(matrix_type<1, 3>().transpose()), matrix_type<3>>);
static_assert(same<decltype(matrix_type<3, 4>().rowwise().sum()), matrix_type<3>> &&
              same<decltype(matrix_type<3, 4>().colwise().sum()), matrix_type<1, 4>>);
static_assert(same<decltype(matrix_type<3>().replicate<1, 2>()), matrix_type<3, 2>> &&
              same<decltype(matrix_type<1, 3>().replicate<2, 1>()), matrix_type<2, 3>>);
static_assert(same<decltype(matrix_type<3, 4>().array().col(0)), array_expr<double, 3>> &&
              same<decltype(matrix_type<3>().array().sum()), matrix_type<>>);
static_assert(same<decltype(matrix_type<3>().head<2>()), matrix_type<2>> &&
              same<decltype(matrix_type<1, 3>().tail<2>()), matrix_type<1, 2>>);

TEST_CASE("an entry of a tensor of higher rank is picked by a position for each axis") {
  tensor<double, 2, 3, 2, 2> x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i + 1);
  auto const [value, g] = value_and_grad([](auto t) { return t(1, 2, 0, 1) * 3; })(x);
  CHECK(value == 3 * x(1, 2, 0, 1));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(g[i] == (&x[i] == &x(1, 2, 0, 1) ? 3 : 0));
  tensor<double, 2, 3, 2> const y(1, 2, 3, 4, 5, 6, 7, 8);
  CHECK(value_and_grad([](auto t) { return t(1, 0, 1); })(y).value == 8);
}

TEST_CASE("a position outside is an error") {
  graph g;
  auto const m = traced<3, 4>(g);
  auto const v = traced<3>(g, 1);
  auto const out_of_range = doctest::Contains("position out of range");
  CHECK_THROWS_WITH_AS(static_cast<void>(m(3, 0)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(m(0, -1)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(v(3)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(v[-1]), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(v(0, 1)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(m.row(3)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(m.col(4)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(m.block<2, 2>(2, 0)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(m.middleCols<2>(3)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(v.segment<2>(2)), out_of_range, exception);
  CHECK_THROWS_WITH_AS(static_cast<void>(expr<double, 3>(1)(3)), out_of_range, exception);
}
