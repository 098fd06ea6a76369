// eigh: known matrices, reconstruction, derivatives against closed forms, repeated values.
#include <etch/op/linalg/eigh.hpp>

#include "op/everywhere.hpp"

#include <Eigen/Dense>

using namespace etch;

namespace {

template <class T, int N>
tensor<T, N, N> symmetric(int seed) {
  tensor<T, N, N> a;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i <= j; ++i)
      a(i, j) = a(j, i) = static_cast<T>(std::sin(1.7 * (i + 3 * j) + seed) + (i == j ? i : 0));
  return a;
}

template <class T, int N>
void check_decomposition(tensor<T, N, N> const& a, double tolerance) {
  CAPTURE(N);
  auto step = compile<wrt<>>([](auto x) { return eigh(x); }, a);
  static_cast<void>(step(a));
  CHECK(step.status() == status::ok);
  auto const& w = step.template result<0>();
  auto const& v = step.template result<1>();
  Eigen::MatrixXd m(N, N), q(N, N);  // of run-time size: Eigen's solver is compiled once
  Eigen::VectorXd d(N);
  std::copy_n(a.data(), N * N, m.data());
  std::copy_n(v.data(), N * N, q.data());
  std::copy_n(w.data(), N, d.data());
  double const size = 1 + m.norm();
  CHECK((q * d.asDiagonal() * q.transpose() - m).norm() < tolerance * size);
  CHECK((q.transpose() * q - Eigen::MatrixXd::Identity(N, N)).norm() < tolerance * N);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> const expected(m);
  CHECK((expected.eigenvalues() - d).norm() < tolerance * size);
  for (int j = 0; j < N; ++j) {
    int largest = 0;
    q.col(j).cwiseAbs().maxCoeff(&largest);
    CHECK(q(largest, j) > 0);
    if (j > 0) CHECK(d(j - 1) <= d(j));
  }
}

}  // namespace

TEST_CASE("values and vectors put the matrix together again, as Eigen's do") {
  check_decomposition(tensor<double, 1, 1>{-3}, 1e-15);
  check_decomposition(symmetric<double, 2>(1), 1e-14);
  check_decomposition(symmetric<double, 5>(2), 1e-14);
  check_decomposition(symmetric<double, 17>(3), 1e-13);
  check_decomposition(symmetric<float, 5>(4), 1e-6);
  check_decomposition(tensor<double, 3, 3>{}, 1e-15);
  check_decomposition(tensor<double, 3, 3>{2, 0, 0, 0, 2, 0, 0, 0, 2}, 1e-15);
  check_decomposition(tensor<double, 3, 3>{1, 1, 1, 1, 1, 1, 1, 1, 1}, 1e-14);  // of rank 1: 0, 0, 3
  for (int seed = 1; seed < 15; ++seed) {                                       // of rank 2
    auto const l = symmetric<double, 5>(seed);
    tensor<double, 5, 5> a;
    tensor<float, 5, 5> b;
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 5; ++i)
        a(i, j) = l(i, 0) * l(j, 0) - l(i, 1) * l(j, 1), b(i, j) = static_cast<float>(a(i, j));
    check_decomposition(a, 1e-14);
    check_decomposition(b, 1e-6);
  }
  check_decomposition(tensor<double, 2, 2>{1e-200, 1e-210, 1e-210, 1e-180}, 1e-14);
  check_decomposition(tensor<double, 2, 2>{0, 1e-160, 1e-160, 1}, 1e-14);
}

TEST_CASE("numbers that NumPy gives") {
  // numpy.linalg.eigh([[2, -1, 0], [-1, 2, -1], [0, -1, 2]]): 2 - √2, 2, 2 + √2
  constexpr tensor<double, 3, 3> a{2, -1, 0, -1, 2, -1, 0, -1, 2};
  constexpr auto w = value_and_grad([](auto x) { return std::get<0>(eigh(x))(0); })(a);
  static_assert(w.value > 0.585786437626904 && w.value < 0.585786437626906);
  CHECK(w.grad(0, 0) == doctest::Approx(0.25).epsilon(1e-14));  // v vᵀ with v = (½, √½, ½)
  CHECK(w.grad(1, 0) == doctest::Approx(std::sqrt(0.125)).epsilon(1e-14));
  CHECK(w.grad(2, 0) == doctest::Approx(0.25).epsilon(1e-14));
}

TEST_CASE("repeated values: right through the values, NaN through the vectors, and no word of what does not arrive") {
  tensor<double, 3, 3> const twice{2, 0, 0, 0, 2, 0, 0, 0, 5};
  auto const logarithms = [](auto x) { return sum(log(std::get<0>(eigh(x)))); };
  auto const g = grad(logarithms)(twice);  // of log det: A⁻¹
  CHECK(everywhere::entries(g) == everywhere::numbers{0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.2});
  // Rotated, values differ by rounding.
  tensor<double, 3, 3> rotated;
  double const v[] = {1.0 / 3, 2.0 / 3, 2.0 / 3};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) rotated(i, j) = (i == j ? 2 : 0) + 3 * v[i] * v[j];
  auto const r = grad(logarithms)(rotated);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      CHECK(r(i, j) == doctest::Approx((i == j ? 0.5 : 0.0) - 0.3 * v[i] * v[j]).epsilon(1e-13));
  auto const one_vector = [](auto x) { return std::get<1>(eigh(x))(0, 2) + std::get<1>(eigh(x))(1, 2); };
  for (double each : grad(one_vector)(rotated)) CHECK(std::isfinite(each));  // the other two are repeated
  CHECK(std::isnan(grad([](auto x) { return std::get<1>(eigh(x))(0, 0); })(rotated)(0, 0)));
  CHECK(grad([](auto x) { return select(x(0, 0) > 9.0, std::get<1>(eigh(x))(0, 0), x(1, 1)); })(twice) ==
        tensor<double, 3, 3>{0, 0, 0, 0, 1, 0, 0, 0, 0});
}

TEST_CASE("a matrix that is not symmetric counts as its symmetric part; one that is not finite has no values") {
  auto const least = [](auto x) { return std::get<0>(eigh(x))(0); };
  CHECK(value_and_grad(least)(tensor<double, 2, 2>{2, 1, -1, 3}).value == 2);
  CHECK(grad(least)(tensor<double, 2, 2>{1, 3, 1, 1}) == grad(least)(tensor<double, 2, 2>{1, 1, 3, 1}));
  auto step = compile<wrt<0>>(least, tensor<double, 2, 2>{});
  CHECK(std::isnan(step(tensor<double, 2, 2>{1, NAN, 0, 1})));
  CHECK(step.status() == status::not_converged);
  CHECK(step(tensor<double, 2, 2>{1, 0, 0, 2}) == 1);
  CHECK(step.status() == status::ok);
}
