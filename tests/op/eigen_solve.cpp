// g++ 12 takes the last column of Eigen's QR of a small matrix for a whole register of AVX-512.
#pragma GCC diagnostic ignored "-Warray-bounds"

#include <etch/op/eigen/solve.hpp>

#include "op/three_ways.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

using namespace three_ways;
using Eigen::Matrix3d, Eigen::Vector3d;
using matrix32 = Eigen::Matrix<double, 3, 2>;
using matrix53 = Eigen::Matrix<double, 5, 3>;
using vector5 = Eigen::Matrix<double, 5, 1>;

TEST_CASE("Cholesky factorisations read the lower triangle") {
  on<Matrix3d, Vector3d, matrix32>::check([](auto a, auto b, auto c) {
    auto s = (a * a.transpose() + 0.3 * a).eval();  // not symmetric: the other triangle does not count
    auto const llt = s.llt();
    return llt.solve(b).squaredNorm() + llt.solve(c).sum() + s.ldlt().solve(b).dot(b);
  });
}

TEST_CASE("a symmetric matrix that is not positive definite has an LDLT") {
  on<Matrix3d, Vector3d>::check(
      [](auto a, auto b) { return (-(a * a.transpose()) - a).ldlt().solve(b).squaredNorm(); });
}

TEST_CASE("decompositions of general matrices") {
  on<Matrix3d, Vector3d, matrix32>::check([](auto x, auto b, auto c) {
    auto a = x;
    for (int i = 0; i < 3; ++i) a(i, i) += 3;
    return a.partialPivLu().solve(b).squaredNorm() + a.lu().solve(c).sum() + a.fullPivLu().solve(b)(1) +
           a.lu().determinant() + a.partialPivLu().inverse()(0, 2) + a.householderQr().solve(b)(0);
  });
}

TEST_CASE("least squares by the names of Eigen's QR decompositions") {
  on<matrix53, vector5>::check([](auto a, auto b) {
    auto x = a.colPivHouseholderQr().solve(b).eval();
    auto y = a.householderQr().solve(2 * b).eval();
    return (a * x - b).squaredNorm() + x.squaredNorm() + y.sum() + a.fullPivHouseholderQr().solve(b)(0) +
           a.template topRows<3>().colPivHouseholderQr().absDeterminant();
  });
}

TEST_CASE("an ill-conditioned least squares problem is solved about as well as by QR") {
  matrix53 a;
  vector5 b;
  for (int i = 0; i < 5; ++i) {
    double const t = 1 + 0.01 * i;
    a.row(i) << 1, t, t * t;
    b(i) = std::sin(t);
  }
  constexpr auto solution = [](auto m, auto rhs) { return m.colPivHouseholderQr().solve(rhs); };
  auto step = compile<wrt<>>(solution, a, b);
  Vector3d const exact = a.colPivHouseholderQr().solve(b);
  Vector3d const got = step(a, b).matrix();
  CHECK((got - exact).norm() < 1e-6 * exact.norm());  // 1e-4 without refinement
}

TEST_CASE("triangular views") {
  on<Matrix3d, Vector3d>::check([](auto a, auto b) {
    auto lower = a.template triangularView<Eigen::Lower>();
    auto upper = a.template triangularView<Eigen::Upper>();
    return lower.solve(b).squaredNorm() + upper.solve(b)(0) +
           a.template triangularView<Eigen::UnitLower>().solve(b).sum() +
           a.template triangularView<Eigen::UnitUpper>().solve(b).sum() + (lower * b).squaredNorm() +
           upper.toDenseMatrix().sum() + (b.transpose() * a.template triangularView<Eigen::StrictlyLower>())(0) +
           (a.template triangularView<Eigen::StrictlyUpper>() * b)(1) + lower.transpose().solve(b)(2) +
           lower.determinant() + a.template triangularView<Eigen::UnitUpper>().toDenseMatrix().squaredNorm();
  });
}

TEST_CASE("a symmetric matrix from one of its triangles") {
  on<Matrix3d, Vector3d>::check([](auto a, auto b) {
    return (a.template selfadjointView<Eigen::Lower>() * b).squaredNorm() +
           (a.template selfadjointView<Eigen::Upper>() * b).sum();
  });
}
