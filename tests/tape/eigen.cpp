// Scalars of a tape in Eigen's matrices, against closed forms and the library's own rules.
#include <etch/etch.hpp>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <doctest/doctest.h>

using namespace etch;

namespace {

using variables = Eigen::Matrix<var<double>, Eigen::Dynamic, Eigen::Dynamic>;

Eigen::MatrixXd numbers(int n) {
  Eigen::MatrixXd a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = 1.0 / (1 + std::abs(i - j)) + 0.1 * i * (j - i) / n + (i == j ? 2 : 0);
  return a;
}
variables watched(tape<double>& t, Eigen::MatrixXd const& a) {
  return a.unaryExpr([&](double x) { return t.watch(x); });
}
Eigen::MatrixXd gradient(tape<double>& t, variables const& a) {
  return a.unaryExpr([&](var<double> const& x) { return t.grad(x); });
}

// Beside a number of a tape a matrix of numbers is Eigen's affair; beside a tensor of a tape it is a plain tensor.
static_assert(std::is_same_v<decltype(var<double>() * Eigen::Matrix2d())::Scalar, var<double>>);
static_assert(std::is_same_v<decltype(Eigen::Array2d() + var<double>())::Scalar, var<double>>);
static_assert(!operand_pair<var<double>, Eigen::Matrix2d> && !operand_pair<variables, var<double, 2>>);
static_assert(operand_pair<var<double, 2, 2>, Eigen::Matrix2d> && operand_pair<tensor<double, 2>, var<double>>);

}  // namespace

TEST_CASE("determinants, whose size is decided at run time: det(A) inverse(A) transposed") {
  for (int n : {1, 3, 7}) {
    tape<double> t;
    Eigen::MatrixXd const a = numbers(n);
    variables const x = watched(t, a);
    var<double> const d = x.partialPivLu().determinant();
    CHECK(t.backward(d) == doctest::Approx(a.determinant()));
    Eigen::MatrixXd const expected = a.determinant() * a.inverse().transpose();
    CHECK((gradient(t, x) - expected).norm() < 1e-12 * expected.norm());
  }
}

TEST_CASE("products, norms, and a QR solution") {
  tape<double> t;
  Eigen::MatrixXd const a = numbers(5), w = numbers(5).transpose() * 0.5;
  variables const x = watched(t, a);
  var<double> const y = (w.cast<var<double>>() * x * x.transpose()).trace() + x.norm();
  t.backward(y);
  Eigen::MatrixXd const expected = (w + w.transpose()) * a + a / a.norm();
  CHECK((gradient(t, x) - expected).norm() < 1e-12 * expected.norm());

  t.reset();
  variables const z = watched(t, a);
  Eigen::Matrix<var<double>, Eigen::Dynamic, 1> const b = Eigen::VectorXd::Ones(5).cast<var<double>>();
  var<double> const s = z.householderQr().solve(b).sum();
  CHECK(t.backward(s) == doctest::Approx(a.inverse().sum()));
  Eigen::VectorXd const left = a.transpose().inverse() * Eigen::VectorXd::Ones(5),
                        right = a.inverse() * Eigen::VectorXd::Ones(5);
  Eigen::MatrixXd const by_hand = -left * right.transpose();
  CHECK((gradient(t, z) - by_hand).norm() < 1e-11 * by_hand.norm());
}

TEST_CASE("fixed sizes, arrays and floats") {
  tape<float> t;
  Eigen::Array<var<float>, 3, 1> x;
  for (int i = 0; i < 3; ++i) x(i) = t.watch(0.5f + static_cast<float>(i));
  var<float> const y = (x.exp() * x - 2.0f * x).sum();
  t.backward(y);
  for (int i = 0; i < 3; ++i) {
    float const v = 0.5f + static_cast<float>(i);
    CHECK(t.grad(x(i)) == doctest::Approx(std::exp(v) * (1 + v) - 2));
  }
}
