// qr, lstsq: reconstruction, uniqueness, Eigen's solutions.
#include <etch/op/linalg/qr.hpp>

#include "op/everywhere.hpp"

#include <Eigen/Dense>

using namespace etch;

namespace {

template <class T, int M, int N>
tensor<T, M, N> filled(int seed) {
  tensor<T, M, N> a;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < M; ++i) a(i, j) = static_cast<T>(std::sin(1.7 * i + 2.3 * j * (i + 1) + seed));
  return a;
}
/// A matrix of a size that is known at run time: Eigen's decompositions are compiled once for all of them.
template <class T, int R, int C>
Eigen::MatrixXd as_double(tensor<T, R, C> const& t) {
  Eigen::MatrixXd m(R, C);
  std::copy_n(t.data(), R * C, m.data());
  return m;
}

template <class T, int M, int N>
void check_decomposition(tensor<T, M, N> const& a, double tolerance) {
  constexpr int k = M < N ? M : N;
  auto step = compile<wrt<>>([](auto x) { return qr(x); }, a);
  static_cast<void>(step(a));
  CHECK(step.status() == status::ok);
  auto const q = as_double(step.template result<0>());
  auto const m = as_double(a);
  auto const r = as_double(step.template result<1>());
  CHECK((q * r - m).norm() <= tolerance * m.norm());
  CHECK((q.transpose() * q - Eigen::MatrixXd::Identity(k, k)).norm() < tolerance * k);
  for (int j = 0; j < k; ++j) {
    CHECK(r(j, j) >= 0);
    for (int i = j + 1; i < k; ++i) CHECK(r(i, j) == 0);
  }
}

template <int M, int N>
void check_least_squares() {
  auto const a = filled<double, M, N>(1);
  auto const b = filled<double, M, 2>(7);
  auto const x = compile<wrt<>>([](auto c, auto d) { return lstsq(c, d); }, a, b)(a, b);
  Eigen::MatrixXd const expected = as_double(a).completeOrthogonalDecomposition().solve(as_double(b));
  CHECK((as_double(x) - expected).norm() < 1e-12 * (1 + expected.norm()));
}

}  // namespace

TEST_CASE("Q and R put the matrix together again, tall, wide, square, of one entry, of lower rank") {
  check_decomposition(tensor<double, 1, 1>{-3}, 1e-15);
  check_decomposition(filled<double, 3, 3>(1), 1e-14);
  check_decomposition(filled<double, 7, 3>(2), 1e-14);
  check_decomposition(filled<double, 3, 5>(3), 1e-14);
  check_decomposition(filled<double, 5, 1>(3), 1e-14);
  check_decomposition(filled<float, 5, 3>(4), 1e-6);
  check_decomposition(filled<double, 17, 13>(5), 1e-14);
  check_decomposition(tensor<double, 4, 3>{}, 1e-15);
  check_decomposition(tensor<double, 3, 3>{1, 1, 1, 1, 1, 1, 1, 1, 1}, 1e-14);
  check_decomposition(tensor<double, 3, 3>{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1e-15);
}

TEST_CASE("numbers by hand, in constants") {
  // (3, 4) and (1, 2): R = [[5, 2.2], [0, 0.4]], Q = [[0.6, -0.8], [0.8, 0.6]].
  constexpr auto corner =
      value_and_grad([](auto x) { return std::get<1>(qr(x))(1, 1); })(tensor<double, 2, 2>{3, 4, 1, 2});
  CHECK(corner.value == doctest::Approx(0.4).epsilon(1e-14));
  CHECK(corner.grad(0, 1) == doctest::Approx(-0.8).epsilon(1e-14));
  CHECK(corner.grad(1, 1) == doctest::Approx(0.6).epsilon(1e-14));
}

TEST_CASE("least squares: Eigen's solutions, of more equations, fewer, and as many") {
  check_least_squares<7, 3>();
  check_least_squares<3, 3>();
  check_least_squares<3, 5>();
  auto dependent =
      compile<wrt<>>([](auto a, auto b) { return sum(lstsq(a, b)); }, tensor<double, 3, 2>{}, tensor<double, 3>{});
  CHECK(std::isnan(dependent(tensor<double, 3, 2>{}, tensor<double, 3>{1, 2, 3})));
  CHECK((dependent.status() & status::singular));
}
