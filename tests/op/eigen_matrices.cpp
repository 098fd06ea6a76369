#include "op/three_ways.hpp"

using namespace three_ways;
using Eigen::Array33d, Eigen::Matrix2d, Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d, Eigen::Vector4d;
using matrix34 = Eigen::Matrix<double, 3, 4>;

TEST_CASE("least squares with a penalty") {
  on<matrix34, Vector4d, Vector3d>::check([](auto a, auto x, auto b) {
    return (a * x - b).squaredNorm() / static_cast<double>(a.rows()) + 0.1 * x.squaredNorm();
  });
}

TEST_CASE("logistic regression") {
  on<matrix34, Vector3d, Vector4d>::check([](auto x, auto w, auto label) {
    auto p = (x.transpose() * w).array().logistic().eval();
    auto t = label.array() - 0.5;
    return -(t * p.log() + (1 - t) * (1 - p).log()).mean();
  });
}

TEST_CASE("the star of arrays is element-wise, also after a reduction to a scalar that scales a matrix") {
  on<Matrix3d, Array33d>::check([](auto m, auto a) {
    auto total = m.array().square().sum();
    auto scaled = (m / total).eval();
    return (scaled * m).sum() + (a * a).sum() + (a.matrix() * m).trace() + a.eval().maxCoeff() * (m * m)(0, 1);
  });
}

TEST_CASE("compound assignment and loops") {
  on<Matrix3d, Vector3d, matrix34>::check([](auto w, auto h, auto x) {
    using T = typename decltype(w)::Scalar;
    T penalty = 0;
    for (int t = 0; t < x.cols(); ++t) {
      h = (0.5 * (w * h) + x.col(t)).array().tanh().matrix();
      penalty += h.squaredNorm();
    }
    h *= 2;
    h -= x.col(1);
    return penalty + h.sum();
  });
}

TEST_CASE("Mahalanobis distance and the density of a normal distribution") {
  on<Matrix3d, Vector3d, Vector3d>::check([](auto factor, auto x, auto mean) {
    using std::log;
    auto covariance = (factor * factor.transpose() + factor).eval();
    auto d = (x - mean).eval();
    return 0.5 * d.dot(covariance.inverse() * d) + 0.5 * log(covariance.determinant() * covariance.determinant());
  });
}

TEST_CASE("sample covariance") {
  on<matrix34>::check([](auto x) {
    auto centred = (x.colwise() - x.rowwise().mean()).eval();
    auto s = (centred * centred.adjoint() / static_cast<double>(x.cols() - 1)).eval();
    return s.trace() + 10 * s.determinant() + s(0, 1) * s(2, 0) + s.diagonal().prod();
  });
}

TEST_CASE("a rotation by an angle") {
  on<double, Vector2d, Vector2d>::check([](auto angle, auto from, auto to) {
    using std::cos, std::sin;
    auto c = cos(angle), s = sin(angle);
    auto x = c * from(0) - s * from(1) - to(0);
    auto y = s * from[0] + c * from[1] - to[1];
    return x * x + y * y;
  });
}

TEST_CASE("a rotation by a quaternion") {
  on<Vector4d, Vector3d, Vector3d>::check([](auto q, auto from, auto to) {
    auto unit = (q / q.norm()).eval();
    auto u = unit.template head<3>().eval();
    auto s = unit(3);
    auto turned = (2 * u.dot(from) * u + (s * s - u.squaredNorm()) * from).eval();
    auto cross = (u(1) * from(2) - u(2) * from(1)) * to(0) + (u(2) * from(0) - u(0) * from(2)) * to(1) +
                 (u(0) * from(1) - u(1) * from(0)) * to(2);
    return turned.dot(to) + 2 * s * cross;
  });
}

TEST_CASE("weighted least squares with a diagonal matrix") {
  on<matrix34, Vector4d, Vector3d, Vector3d>::check([](auto a, auto x, auto b, auto w) {
    auto r = (a * x - b).eval();
    auto both = (a.transpose() * w.asDiagonal() * a).eval();
    return (r.transpose() * (w.asDiagonal() * r)).value() + both.trace() + (a * x.asDiagonal()).sum();
  });
}

TEST_CASE("attention") {
  on<matrix34, matrix34, matrix34>::check([](auto q, auto k, auto v) {
    auto scores = (k.transpose() * q / 1.7320508075688772).eval();
    auto e = (scores.rowwise() - scores.colwise().maxCoeff()).array().exp().eval();
    auto p = (e.rowwise() / e.colwise().sum()).matrix().eval();
    return (v * p).squaredNorm();
  });
}

TEST_CASE("a row times a column is a 1x1 matrix with a value") {
  on<Eigen::RowVector3d, Matrix3d, Vector3d>::check([](auto row, auto m, auto column) {
    return (row * m * column).value() * (row * column)(0) + (column * row).sum();
  });
}
