// implicit: unknowns that are vectors, matrices, tuples, structs, Eigen's types; parameters that are structs.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace etch;

namespace {

constexpr auto linear = implicit([](auto x, auto a, auto b) { return a * x - b; });
/// A well-conditioned matrix and a right-hand side.
template <class T, int N>
auto system() {
  auto a = same::filled_with<tensor<T, N, N>>(1);
  for (int i = 0; i < N; ++i) a(i, i) += T(N);
  return std::tuple(a, same::filled_with<tensor<T, N>>(2));
}
constexpr auto weighted = [](auto x) { return sum(square(x) + sin(x)); };
constexpr auto by_solve = [](auto a, auto b) { return weighted(solve(a, b)); };
constexpr auto by_implicit = [](auto a, auto b) { return weighted(linear(0.0 * b, a, b)); };

template <class T, int N>
void check_system(double tolerance) {
  auto const [a, b] = system<T, N>();
  auto const x = linear(tensor<T, N>{}, a, b);
  Eigen::Matrix<double, N, 1> const expected =
      Eigen::Map<Eigen::Matrix<T, N, N> const>(a.data()).template cast<double>().partialPivLu().solve(
          Eigen::Map<Eigen::Matrix<T, N, 1> const>(b.data()).template cast<double>());
  for (int i = 0; i < N; ++i) CHECK(std::abs(static_cast<double>(x(i)) - expected(i)) < tolerance);
  auto const g = grad<wrt<0, 1>>(by_implicit)(a, b), e = grad<wrt<0, 1>>(by_solve)(a, b);
  CHECK(same::distance(std::get<0>(g), std::get<0>(e)) < tolerance);
  CHECK(same::distance(std::get<1>(g), std::get<1>(e)) < tolerance);
}

template <class T>
struct circle {
  T radius;
  param<T, 2> centre;
  ETCH_MEMBERS(circle, radius, centre)
};
template <class T>
struct point {
  T x, y;
  ETCH_MEMBERS(point, x, y)
};
// Where two circles meet.
constexpr auto meeting = implicit([](auto p, auto c, auto d) {
  auto const off = [&](auto const& k) {
    return square(p.x - k.centre(0)) + square(p.y - k.centre(1)) - square(k.radius);
  };
  return std::tuple(off(c), off(d));
});

}  // namespace

TEST_CASE("linear systems are solved as by solve, with its gradients") {
  check_system<double, 1>(1e-14);
  check_system<double, 5>(1e-14);
  check_system<double, 17>(1e-13);  // its Jacobian is made by a loop
  check_system<float, 3>(1e-5);
}

TEST_CASE("second derivatives of a system are those of solve") {
  auto const [a, b] = system<double, 3>();
  CHECK(same::distance(hessian(by_implicit)(a, b), hessian(by_solve)(a, b)) < 1e-13);
  auto const swapped = [](auto v, auto m) { return by_implicit(m, v); };
  auto const swapped_solve = [](auto v, auto m) { return by_solve(m, v); };
  CHECK(same::distance(hessian(swapped)(b, a), hessian(swapped_solve)(b, a)) < 1e-13);
}

TEST_CASE("a struct is the unknown, structs are the parameters") {
  point<double> const near{1, 1};
  circle<double> const c{2, {0, 0}}, d{2, {2, 0}};
  auto const p = meeting(near, c, d);
  static_assert(std::is_same_v<std::remove_const_t<decltype(p)>, point<double>>);
  CHECK(p.x == doctest::Approx(1).epsilon(1e-15));
  CHECK(p.y == doctest::Approx(std::sqrt(3.0)).epsilon(1e-15));
  // By the radius r of the first: x = (r² - s²) / 4 + 1 with s that of the second, y = √(r² - x²).
  auto const y_of = [](auto k, auto l, auto from) { return meeting(from, k, l).y; };
  auto const [by_c, by_d] = grad<wrt<0, 1>>(y_of)(c, d, near);
  double const dx = 2.0 / 2, dy = (2 - dx) / std::sqrt(3.0);
  CHECK(by_c.radius == doctest::Approx(dy).epsilon(1e-14));
  CHECK(by_d.radius == doctest::Approx(1 / std::sqrt(3.0)).epsilon(1e-14));     // x falls by 1
  CHECK(by_c.centre(1) + by_d.centre(1) == doctest::Approx(1).epsilon(1e-14));  // both move up, and it with them
  CHECK(std::abs(by_c.centre(0) + by_d.centre(0)) < 1e-14);
  CHECK(check_gradient<2>(y_of, c, d, near).ok);
}

TEST_CASE("tuples, arrays, matrices and Eigen's types keep their type") {
  auto const sums = implicit([](auto x, auto s, auto p) { return std::tuple(x[0] + x[1] - s, x[0] * x[1] - p); });
  auto const found = sums(std::array{0.0, 5.0}, 5.0, 6.0);
  static_assert(std::is_same_v<std::remove_const_t<decltype(found)>, std::array<double, 2>>);
  CHECK(found[0] == doctest::Approx(2).epsilon(1e-14));
  CHECK(found[1] == doctest::Approx(3).epsilon(1e-14));
  auto const smaller = [](auto s, auto p) {
    return implicit([](auto x, auto t, auto q) { return std::tuple(x[0] + x[1] - t, x[0] * x[1] - q); })(
        std::array{0.0 * s, 5.0 + 0.0 * s}, s, p)[0];
  };
  auto const [by_sum, by_product] = grad<wrt<0, 1>>(smaller)(5.0, 6.0);
  CHECK(by_sum == doctest::Approx(-2).epsilon(1e-13));
  CHECK(by_product == doctest::Approx(1).epsilon(1e-13));

  // The square root of a matrix: X X = A.
  auto const matrix_root = implicit([](auto x, auto a) { return x * x - a; });
  Eigen::Matrix2d a;
  a << 5, 4, 2, 7;
  Eigen::Matrix2d const x = matrix_root(Eigen::Matrix2d(Eigen::Matrix2d::Identity()), a);
  CHECK((x * x - a).norm() < 1e-14);
  static_assert(std::is_same_v<decltype(matrix_root(a, a)), Eigen::Matrix2d>);
  auto const trace = [](auto m) { return implicit([](auto y, auto n) { return y * y - n; })(m, m).trace(); };
  Eigen::Matrix2d const g = grad(trace)(a);  // d tr √A = ½ tr(A^-½ dA)
  CHECK((g - 0.5 * x.inverse().transpose()).norm() < 1e-14);
  Eigen::Matrix<double, 2, 2, Eigen::RowMajor> const rows = a;
  Eigen::Matrix<double, 2, 2, Eigen::RowMajor> const y = matrix_root(rows, rows);
  CHECK((y - x).norm() < 1e-14);
  Eigen::Array3d const s =
      implicit([](auto v, auto w) { return v * v - w; })(Eigen::Array3d(1, 1, 1), Eigen::Array3d(1, 4, 9));
  CHECK((s - Eigen::Array3d(1, 2, 3)).abs().maxCoeff() < 1e-15);
}
