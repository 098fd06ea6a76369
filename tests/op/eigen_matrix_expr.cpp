#include <etch/op/eigen/matrix_expr.hpp>

#include "op/four_ways.hpp"

#include <Eigen/Geometry>

using namespace four_ways;
using Eigen::Matrix2d, Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d, Eigen::RowVector3d;

// Numbers make Eigen's types, traced scalars of any kind the type with its methods.
static_assert(std::is_same_v<etch::matrix<double, 3, 4>, Eigen::Matrix<double, 3, 4>> &&
              std::is_same_v<etch::vector<float, 3>, Eigen::Vector3f>);
static_assert(std::is_same_v<etch::vector<expr<double>, 3>, matrix_expr<double, 3>>);
static_assert(std::is_same_v<etch::matrix<symbol<float>, 2, 3>, matrix_expr<float, 2, 3>>);
static_assert(std::is_same_v<etch::matrix<var<float>, 1, 3>, matrix_expr<float, 1, 3>> &&
              std::is_same_v<etch::vector<taped<double>, 3>, matrix_expr<double, 3>>);

TEST_CASE("a declared matrix is filled and multiplied: a rotation by Euler angles") {
  check<Vector3d, Vector3d>([](auto angles, auto v) {
    using T = entry_type<decltype(angles)>;
    using std::cos, std::sin;
    etch::matrix<T, 3, 3> x, y, z;
    x << 1, 0, 0, 0, cos(angles(0)), -sin(angles(0)), 0, sin(angles(0)), cos(angles(0));
    y << cos(angles(1)), 0, sin(angles(1)), 0, 1, 0, -sin(angles(1)), 0, cos(angles(1));
    z << cos(angles(2)), -sin(angles(2)), 0, sin(angles(2)), cos(angles(2)), 0, 0, 0, 1;
    etch::matrix<T, 3, 3> const r = z * y * x;
    etch::vector<T, 3> turned = r * v;
    turned(2) -= 0.25;
    return turned.dot(etch::vector<T, 3>(1, 2, v(0))) + r.trace();
  });
}

TEST_CASE("constant matrices and vectors beside traced values") {
  check<Vector3d, Matrix3d>([](auto v, auto m) {
    using T = entry_type<decltype(v)>;
    using matrix3 = etch::matrix<T, 3, 3>;
    using vector3 = etch::vector<T, 3>;
    vector3 const gravity(0, 0, 9.81);
    vector3 const moved = matrix3::Identity() * v + gravity - 2 * vector3::UnitX();
    matrix3 const a = m + matrix3::Constant(0.5) - 3 * matrix3::Identity();
    return (a * moved).squaredNorm() + (vector3::UnitZ().transpose() * m * vector3::Ones()).value() + v.dot(gravity) +
           vector3::Unit(1).dot(v) + gravity.cross(v)(0) + (v - vector3::Zero()).squaredNorm();
  });
}

TEST_CASE("arithmetic of constants before they meet anything: a Kalman filter") {
  check<Vector2d, Matrix2d>([](auto x, auto p) {
    using T = entry_type<decltype(x)>;
    etch::matrix<T, 2, 2> f, q;
    f << 1, 0.1, 0, 1;
    q.setIdentity();
    q(0, 1) = 0.5;
    q = q * q.transpose() * 0.01 + q / 4 - (-f);
    etch::matrix<T, 1, 2> h;
    h << 1, 0;
    etch::vector<T, 2> const predicted = f * x;
    etch::matrix<T, 2, 2> const s = f * p * f.transpose() + q;
    auto const k = (s * h.transpose() / ((h * s * h.transpose())(0, 0) + 0.3)).eval();
    etch::vector<T, 2> const updated = predicted + k * (2 - predicted(0));
    return updated.squaredNorm() + ((etch::matrix<T, 2, 2>::Identity() - k * h) * s).determinant() + f.row(0).dot(x) +
           (f.template topRightCorner<1, 1>() * x.template head<1>())(0) + f(0, 1) * x(1);
  });
}

TEST_CASE("scalars of a lambda make the type, too") {
  check<double, Vector2d>([](auto angle, auto v) {
    using T = decltype(angle);
    using std::cos, std::sin;
    etch::matrix<T, 2, 2> r;
    r << cos(angle), -sin(angle), sin(angle), cos(angle);
    etch::vector<T, 2> total = etch::vector<T, 2>::Zero();
    for (int i = 0; i < 3; ++i) {
      total += r * v;
      total(0) *= angle;
    }
    return total.squaredNorm();
  });
}

TEST_CASE("constants of the type of an argument") {
  on<Vector3d, Matrix3d, RowVector3d>::check([](auto v, auto m, auto r) {
    using vector3 = typename decltype(v)::PlainObject;
    using matrix3 = typename decltype(m)::PlainObject;
    return (matrix3::Identity() * v + vector3::UnitY()).squaredNorm() + (m * vector3::Ones()).sum() +
           (r - decltype(r)::UnitX()).squaredNorm() + (matrix3::Constant(2) * m).trace() +
           (vector3::Zero() - v).norm() + (matrix3::Ones() - m).squaredNorm();
  });
}

TEST_CASE("a constant alone belongs to no graph, and its sum is no value of one") {
  etch::vector<expr<double>, 3> const g(1, 2, 3);
  CHECK(g.is_known());
  CHECK_THROWS_WITH_AS(static_cast<void>(g.sum()), doctest::Contains("constants"), exception);
  expr<double, 3> const sliced = g;  // without its entries
  graph to;
  expr<double, 3> const x(&to, input(to, element::f64, make_shape(3), 0).id);
  CHECK_THROWS_WITH_AS(static_cast<void>(x + sliced), doctest::Contains("constants"), exception);
  CHECK(((x + g).owner) == &to);
}
