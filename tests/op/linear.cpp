#include <etch/op/linear.hpp>

#include "laws/agree.hpp"

#include <etch/etch.hpp>

#include <Eigen/Dense>

using namespace laws;

namespace {

template <class T, int N>
auto random_matrix(std::uint64_t seed) {
  tensor<T, N, N> a;
  randomise(a, -1, 1, seed);
  return a;
}

/// Largest difference between entries.
double apart_by(auto const& a, auto const& b) { return static_cast<double>((a.array() - b.array()).abs().maxCoeff()); }

/// Values and gradients of a system of N equations, as Eigen finds them.
template <class T, int N>
void against_eigen() {
  CAPTURE(N);
  double const tolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;
  tensor<T, N, N> a = random_matrix<T, N>(3);
  for (int i = 0; i < N; ++i) a(i, N - 1 - i) += 3;  // pivots lie off the diagonal
  tensor<T, N, 2> b, w;
  randomise(b, -1, 1, 4), randomise(w, -1, 1, 5);
  Eigen::Matrix<T, N, N> const m = a.matrix();
  Eigen::PartialPivLU<Eigen::Matrix<T, N, N>> const lu(m);
  Eigen::Matrix<T, N, N> const inverted = lu.inverse();
  Eigen::Matrix<T, N, 2> const x = lu.solve(b.matrix()), from_above = lu.transpose().solve(w.matrix());

  auto step = compile<wrt<0, 1>>([](auto p, auto q, auto v) { return sum(cwise_product(v, solve(p, q))); }, a, b, w);
  CHECK(distance(step(a, b, w), (w.array() * x.array()).sum()) < tolerance);
  CHECK(step.status() == status::ok);
  CHECK(apart_by(step.template grad<1>().matrix(), from_above) < tolerance);
  CHECK(apart_by(step.template grad<0>().matrix(), (-from_above * x.transpose()).eval()) < tolerance);

  auto const determinant = value_and_grad([](auto p) { return det(p); })(a);
  double const exact = static_cast<double>(lu.determinant());
  CHECK(distance(determinant.value / exact, 1) < tolerance);
  CHECK(apart_by(determinant.grad.matrix() / static_cast<T>(exact), inverted.transpose().eval()) < tolerance);

  auto const s = value_and_grad([](auto p) { return logdet(p * transpose(p)) / 2; })(a);  // log |det p|
  CHECK(distance(s.value, std::log(std::abs(exact))) < tolerance);
  CHECK(apart_by(s.grad.matrix(), inverted.transpose().eval()) < 10 * tolerance);

  auto factor = compile<wrt<>>([](auto p) { return cholesky(p * transpose(p)); }, a);
  Eigen::Matrix<T, N, N> const gram = m * m.transpose(), l = gram.llt().matrixL();
  CHECK(apart_by(factor(a).matrix(), l) < 10 * tolerance);
  CHECK(factor.status() == status::ok);
}

}  // namespace

TEST_CASE("solutions, determinants and factors are those of Eigen") {
  against_eigen<float, 2>();
  against_eigen<double, 1>();
  against_eigen<double, 7>();
}

namespace {

constexpr double minor(auto f, tensor<double, 2, 2> const& a, std::size_t entry) {
  return value_and_grad(f)(a).grad[entry];
}
constexpr tensor<double, 2, 2> sample_matrix{4, 1, 2, 3};  // [4 2; 1 3], determinant 10

}  // namespace

// The derivative of the determinant are the cofactors; of its logarithm, the inverse transposed.
static_assert(value_and_grad([](auto a) { return det(a); })(sample_matrix).value == 10);
static_assert(minor([](auto a) { return det(a); }, sample_matrix, 0) == 3 &&
              minor([](auto a) { return det(a); }, sample_matrix, 1) == -2);
static_assert(minor([](auto a) { return det(a); }, tensor<double, 2, 2>{0, 1, 2, 0}, 2) == -1,
              "a pivot below the diagonal");
static_assert(minor([](auto a) { return logdet(a); }, sample_matrix, 3) - 0.4 < 1e-15 &&
              minor([](auto a) { return logdet(a); }, sample_matrix, 3) - 0.4 > -1e-15);
static_assert(value_and_grad([](auto a) { return sum(cholesky(a)); })(tensor<double, 2, 2>{4, 2, 2, 5}).value ==
              2 + 1 + 2);
static_assert(value_and_grad([](auto a) { return sum(solve(a, 10 * ones<2>())); })(sample_matrix).value == 4);
static_assert(value_and_grad([](auto a) { return sum(triangular_solve(a, ones<2, 1>())); })(tensor<double, 2, 2>{2, 1,
                                                                                                                 0, 4})
                  .value == 0.625);
static_assert(value_and_grad([](auto a) { return sum(cumsum<1>(a)) + prod(a); })(sample_matrix).value ==
              2 * 5 + 5 + 24);
static_assert(
    value_and_grad([](auto a, auto j) { return sum(gather<1>(a, j)); })(sample_matrix, tensor<int, 3>{1, 1, 0}).grad ==
    tensor<double, 2, 2>{1, 1, 2, 2});
