#include <etch/op/eigen/geometry.hpp>

#include "op/three_ways.hpp"

#include <Eigen/Geometry>

using namespace three_ways;
using Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d, Eigen::Vector4d, Eigen::RowVector3d;

TEST_CASE("cross products: of columns, of rows, of parts of a matrix") {
  on<Vector3d, Vector3d, Vector3d>::check(
      [](auto a, auto b, auto c) { return a.cross(b).dot(c) + a.cross(b.cross(c)).squaredNorm(); });
  on<RowVector3d, Matrix3d>::check([](auto r, auto m) {
    return (r.cross(m.row(1)) * m).sum() + m.col(0).cross(m.col(2)).squaredNorm() + (2 * m.col(1)).cross(m.col(0))(1);
  });
}

TEST_CASE("normalized vectors, matrices and parts") {
  on<Vector4d, Matrix3d>::check([](auto x, auto m) {
    return x.normalized().template head<3>().dot(m.normalized().col(1)) + m.col(0).normalized()(2);
  });
}

TEST_CASE("normalized zeros are zeros, as Eigen's, with the gradient of x") {
  auto const [value, g] = value_and_grad([](auto x) { return x.normalized().sum(); })(Vector3d(0, 0, 0));
  CHECK(value == Vector3d(0, 0, 0).normalized().sum());
  CHECK(g == Vector3d(1, 1, 1));
}

TEST_CASE("norms of every kind") {
  on<Vector4d, Matrix3d>::check([](auto x, auto m) {  // (Eigen 3.4 asserts in the stable norms of matrices)
    return x.stableNorm() * m.col(1).stableNorm() + x.blueNorm() + x.hypotNorm() +
           x.template lpNorm<1>() * m.template lpNorm<1>() + x.template lpNorm<2>() * (x - 2 * x).template lpNorm<3>() +
           m.template lpNorm<Eigen::Infinity>();
  });
}

TEST_CASE("a stable norm neither overflows nor vanishes, and has the gradient x / norm") {
  constexpr auto stable = [](auto x) { return x.stableNorm(); };
  for (double scale : {1e-200, 1.0, 1e200}) {
    auto const [value, g] = value_and_grad(stable)(Vector3d(3 * scale, 0, -4 * scale));
    CHECK(value == doctest::Approx(5 * scale).epsilon(1e-15));
    CHECK((g - Vector3d(0.6, 0, -0.8)).norm() < 1e-15);
  }
  auto const [value, g] = value_and_grad(stable)(Vector3d(0, 0, 0));
  CHECK(value == 0);
  CHECK(g == Vector3d(0, 0, 0));
  double const inf = std::numeric_limits<double>::infinity();
  CHECK(value_and_grad(stable)(Vector3d(1, -inf, 2)).value == inf);
}

TEST_CASE("homogeneous coordinates of columns and rows") {
  on<Vector3d, Eigen::Matrix4d, RowVector3d>::check([](auto p, auto t, auto r) {
    return (t * p.homogeneous()).hnormalized().squaredNorm() + (r.homogeneous() * t).hnormalized()(1) +
           p.hnormalized()(0);
  });
}
