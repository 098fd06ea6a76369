// svd: reconstruction, Eigen's values, closed forms, what is not determined.
#include <etch/op/linalg/svd.hpp>

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

/// A product of matrices [7, 2] and [2, 5].
template <class T>
tensor<T, 7, 5> of_low_rank(int seed) {
  auto const l = filled<T, 7, 2>(seed);
  auto const r = filled<T, 2, 5>(3 * seed);
  tensor<T, 7, 5> a;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 7; ++i) a(i, j) = l(i, 0) * r(0, j) + l(i, 1) * r(1, j);
  return a;
}

template <class T, int M, int N>
void check_decomposition(tensor<T, M, N> const& a, double tolerance) {
  constexpr int k = M < N ? M : N;
  auto step = compile<wrt<>>([](auto x) { return svd(x); }, a);
  static_cast<void>(step(a));
  CHECK(step.status() == status::ok);
  auto const as_double = []<int R, int C>(tensor<T, R, C> const& t) {
    Eigen::MatrixXd all(R, C);  // of run-time size: Eigen's decomposition is compiled once
    std::copy_n(t.data(), R * C, all.data());
    return all;
  };
  auto const m = as_double(a);
  auto const u = as_double(step.template result<0>());
  auto const v = as_double(step.template result<2>());
  Eigen::VectorXd s(k);
  std::copy_n(step.template result<1>().data(), k, s.data());
  CHECK((u * s.asDiagonal() * v.transpose() - m).norm() <= tolerance * m.norm());
  CHECK((u.transpose() * u - Eigen::MatrixXd::Identity(k, k)).norm() < tolerance * k);
  CHECK((v.transpose() * v - Eigen::MatrixXd::Identity(k, k)).norm() < tolerance * k);
  Eigen::VectorXd const expected = Eigen::JacobiSVD<Eigen::MatrixXd>(m).singularValues();
  CHECK((expected - s).norm() <= tolerance * m.norm());
}

}  // namespace

TEST_CASE("U, s and V put the matrix together again, tall, wide, square, of one entry, of lower rank") {
  check_decomposition(tensor<double, 1, 1>{-3}, 1e-15);
  check_decomposition(filled<double, 3, 3>(1), 1e-14);
  check_decomposition(filled<double, 7, 3>(2), 1e-14);
  check_decomposition(filled<double, 3, 5>(3), 1e-14);
  check_decomposition(filled<double, 5, 1>(3), 1e-14);
  check_decomposition(filled<float, 5, 3>(4), 1e-6);
  check_decomposition(filled<double, 17, 13>(5), 1e-13);
  check_decomposition(tensor<double, 4, 3>{}, 1e-15);
  check_decomposition(tensor<double, 3, 2>{1, 2, 3, 2, 4, 6}, 1e-14);
  check_decomposition(tensor<double, 3, 3>{1, 1, 1, 1, 1, 1, 1, 1, 1}, 1e-14);
  for (int seed = 6; seed < 20; ++seed) check_decomposition(of_low_rank<double>(seed), 1e-14);
  for (int seed = 6; seed < 20; ++seed) check_decomposition(of_low_rank<float>(seed), 2e-6);
  check_decomposition(tensor<double, 2, 2>{1e200, 0, 1e190, 1e180}, 1e-14);
  check_decomposition(tensor<double, 2, 2>{1e-200, 1e-210, 0, 1e-205}, 1e-14);
}

TEST_CASE("closed forms: norms of matrices, in constants") {
  // [[3, 0], [4, 5]]: singular values 3√5 and √5.
  constexpr tensor<double, 2, 2> a{3, 4, 0, 5};
  constexpr auto largest = value_and_grad([](auto x) { return std::get<1>(svd(x))(0); })(a);
  static_assert(largest.value > 6.70820393249936 && largest.value < 6.70820393249938);
  CHECK(largest.grad(0, 0) == doctest::Approx(std::sqrt(0.1) * std::sqrt(0.5)).epsilon(1e-14));  // u vᵀ
  CHECK(largest.grad(1, 1) == doctest::Approx(std::sqrt(0.9) * std::sqrt(0.5)).epsilon(1e-14));
  // The nuclear norm has the gradient U Vᵀ, at equal singular values too.
  auto const nuclear = [](auto x) { return sum(std::get<1>(svd(x))); };
  CHECK(grad(nuclear)(tensor<double, 2, 2>{0, 2, -2, 0}) == tensor<double, 2, 2>{0, 1, -1, 0});
  auto const g = grad([](auto x) { return sum(square(std::get<1>(svd(x)))); })(filled<double, 5, 3>(1));
  auto const m = filled<double, 5, 3>(1);
  for (std::size_t i = 0; i < 15; ++i) CHECK(g.data()[i] == doctest::Approx(2 * m.data()[i]).epsilon(1e-12));
}

TEST_CASE("what is not determined is NaN, what is not finite has no values") {
  tensor<double, 3, 2> const turned{2, 0, 0, 0, 2, 0};
  CHECK(std::isnan(grad([](auto x) { return std::get<0>(svd(x))(1, 0); })(turned)(0, 0)));
  CHECK(grad([](auto x) { return sum(std::get<1>(svd(x))); })(turned) == tensor<double, 3, 2>{1, 0, 0, 0, 1, 0});
  auto step = compile<wrt<0>>([](auto x) { return std::get<1>(svd(x))(0); }, turned);
  CHECK(std::isnan(step(tensor<double, 3, 2>{1, 2, 3, 4, 5, INFINITY})));
  CHECK(step.status() == status::not_converged);
}
