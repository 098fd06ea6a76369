#include <etch/op/eigen/assign.hpp>

#include "op/three_ways.hpp"

using namespace three_ways;
using Eigen::Matrix3d, Eigen::Matrix4d, Eigen::Vector2d, Eigen::Vector3d, Eigen::Vector4d, Eigen::RowVector3d;
using matrix34 = Eigen::Matrix<double, 3, 4>;

TEST_CASE("entries of a local value are assigned to") {
  on<Vector3d, Matrix3d>::check([](auto x, auto m) {
    using std::sin;
    auto y = x;
    y(0) = sin(x(1)) * x(2);
    y(2) += y(0) * m(0, 1);
    y[1] *= 2;
    y.z() -= 0.5;
    m(1, 2) = y.x() * y.y();
    m(1, 2) /= x(0);
    m(2, 2) = 3;
    return (m * y).squaredNorm() + x.sum() + m(1, 2);
  });
}

TEST_CASE("a copy of an entry is a number of its own") {
  on<Vector3d>::check([](auto x) {
    auto first = x(0);
    first *= x(1);
    x(1) = first;
    first += 1;
    return x.dot(x) * first + x(0);
  });
}

TEST_CASE("parts are assigned to") {
  on<Vector4d, Matrix4d, RowVector3d>::check([](auto x, auto m, auto r) {
    auto y = x;
    y.template head<2>() = x.template tail<2>();
    y.template segment<2>(1) += x.template head<2>() * 2;
    m.row(1) = y.transpose();
    m.col(2) *= x(0);
    m.template block<2, 2>(1, 0) = m.template topRightCorner<2, 2>() * m.template bottomLeftCorner<2, 2>();
    m.template leftCols<2>() -= m.template rightCols<2>();
    m.template bottomRows<1>() /= 2;
    r.template head<2>() = r.template tail<2>().eval();
    r.tail(Eigen::fix<1>) *= 3;
    return (m * y).squaredNorm() + m.trace() * r.sum() + r.squaredNorm();
  });
}

TEST_CASE("a part that has a name is a value of its own, as every auto is in a loss") {
  constexpr auto named = [](auto x) {
    auto half = x.template head<2>();
    half = 2 * x.template tail<2>();
    half = half * x(3);
    auto other = x.template head<2>();
    other.setZero();
    return x.squaredNorm() + half.sum() + other.sum();
  };
  constexpr auto plain = [](auto x) { return x.squaredNorm() + 2 * x(3) * (x(2) + x(3)); };
  tensor<double, 4> const x{1, 2, 3, 4};
  auto const a = value_and_grad(named)(x), b = value_and_grad(plain)(x);
  CHECK(a.value == b.value);
  CHECK(a.grad == b.grad);
  auto const c = dynamic::value_and_grad(named)(x);
  CHECK(c.value == b.value);
  CHECK(c.grad == b.grad);
}

TEST_CASE("matrices are filled with commas: entries, blocks, and parts of matrices") {
  on<double, Vector3d, Matrix3d>::check([](auto angle, auto v, auto m) {
    using std::cos, std::sin;
    auto c = cos(angle), s = sin(angle);
    auto r = m;
    r << c, -s, 0, s, c, 0, 0, 0, 1;
    auto y = v;
    y << v.template tail<2>(), 2 * s;
    auto z = m;
    z << r.template topLeftCorner<2, 2>(), v.template head<2>(), v.transpose();
    auto k = m;
    k.row(1) << 1, c, 2;
    k.template block<2, 1>(1, 2) << s, v(0);
    return (r * v).squaredNorm() * y.sum() + (z * y).dot(v) + (k * v).squaredNorm();
  });
}

TEST_CASE("values are set") {
  on<Matrix3d, Vector3d, double>::check([](auto m, auto v, auto s) {
    auto a = m, b = m, c = m;
    auto d = v;
    a.setZero();
    a(0, 1) = v(2);
    b.setIdentity();
    b(2, 0) = v(1);
    c.setOnes();
    c.row(1).setZero();
    c.col(2).setConstant(s);
    c.template topLeftCorner<2, 2>().setIdentity();
    d.setConstant(s);
    d.template head<2>().fill(2);
    v.normalize();
    m.transposeInPlace();
    d.noalias() += m * v;
    return (a * b * c * m * v).squaredNorm() + d.squaredNorm();
  });
}

TEST_CASE("loops fill a matrix entry by entry: a Jacobian, a skew matrix") {
  on<Vector3d, Vector3d>::check([](auto x, auto y) {
    auto m = (x * y.transpose()).eval();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) m(i, j) = m(j, i) + x(i) * y(j) * static_cast<double>(i + j);
    auto skew = m;
    skew.setZero();
    skew(0, 1) = -x(2), skew(0, 2) = x(1), skew(1, 2) = -x(0);
    skew(1, 0) = x(2), skew(2, 0) = -x(1), skew(2, 1) = x(0);
    return m.squaredNorm() + (skew * y).dot(m.col(0));
  });
}

TEST_CASE("on a tape, entries and parts are assigned to as well") {
  constexpr auto f = [](auto x, auto m, auto s) {
    auto y = x;
    y(0) = sin(s) * x(1);
    y.template tail<2>() *= s;
    auto r = m;
    r << s, -y(0), 0, y(1), s * s, 1, x.transpose();
    r.row(0) += y.transpose();
    r(1, 1) -= 2;
    return (r * y).squaredNorm() + y.sum();
  };
  Vector3d const x(0.3, -0.7, 1.1);
  Matrix3d const m = Matrix3d::Random();
  auto const compiled = value_and_grad<wrt<0, 2>>(f)(x, m, 0.4);
  auto const taped = dynamic::value_and_grad<wrt<0, 2>>(f)(x, m, 0.4);
  CHECK(taped.value == doctest::Approx(compiled.value).epsilon(1e-14));
  CHECK((std::get<0>(taped.grad) - std::get<0>(compiled.grad)).norm() < 1e-13);
  CHECK(std::get<1>(taped.grad) == doctest::Approx(std::get<1>(compiled.grad)).epsilon(1e-13));
}

TEST_CASE("what does not fit, or is no entry, is an error") {
  graph g;
  expr<double, 2, 2> m(&g, input(g, element::f64, make_shape(2, 2), 0).id);
  auto const does_not_fill = doctest::Contains("do not fill the matrix");
  CHECK_THROWS_WITH_AS((m << 1, 2, 3), does_not_fill, exception);
  CHECK_THROWS_WITH_AS((m << 1, 2, 3, 4, 5), does_not_fill, exception);
  CHECK_THROWS_WITH_AS((m << m.col(0).eval(), 1), does_not_fill, exception);
  CHECK_THROWS_WITH_AS(m(0, 2) = 1, doctest::Contains("position out of range"), exception);
  CHECK_THROWS_WITH_AS(m.sum() = 1, doctest::Contains("cannot be assigned"), exception);
}
