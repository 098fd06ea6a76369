// cofactors: the gradient of the determinant, of matrices of every rank, against minors.
#include <etch/op/linalg/cofactors.hpp>

#include "op/everywhere.hpp"

#include <Eigen/Dense>

using namespace etch;

namespace {

constexpr auto volume = [](auto a) { return det(a); };

template <class T, int N>
void check_cofactors(tensor<T, N, N> const& a, double tolerance) {
  Eigen::Matrix<double, N, N> const m = Eigen::Map<Eigen::Matrix<T, N, N> const>(a.data()).template cast<double>();
  auto const g = grad(volume)(a);
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) {
      Eigen::MatrixXd minor(N - 1, N - 1);
      for (int k = 0; k < N - 1; ++k)
        for (int l = 0; l < N - 1; ++l) minor(k, l) = m(k + (k >= i), l + (l >= j));
      double const expected = ((i + j) % 2 == 0 ? 1 : -1) * (N == 1 ? 1 : minor.determinant());
      CHECK(std::abs(static_cast<double>(g(i, j)) - expected) < tolerance);
    }
  CHECK(everywhere::entries(dynamic::grad(volume)(a)) == everywhere::entries(g));
}

}  // namespace

TEST_CASE("cofactors of regular matrices, in float too") {
  check_cofactors(tensor<double, 1, 1>{-3}, 1e-15);
  check_cofactors(tensor<double, 2, 2>{1, 2, 3, 4}, 1e-14);
  check_cofactors(tensor<double, 3, 3>{0, 2, 1, 3, 0, 5, 1, 1, 0}, 1e-13);
  check_cofactors(tensor<double, 4, 4>{1, 5, -2, 3, 0, 1, 7, 2, 4, -4, 1, 1, 0, 3, 2, 8}, 1e-11);
  check_cofactors(tensor<float, 3, 3>{1, 2, 0, 3, 1, 5, 1, 1, 2}, 1e-5);
}

TEST_CASE("cofactors of singular matrices: of one rank less, of two less, of zeros") {
  check_cofactors(tensor<double, 1, 1>{0}, 1e-15);
  check_cofactors(tensor<double, 2, 2>{1, 2, 2, 4}, 1e-14);
  check_cofactors(tensor<double, 2, 2>{}, 1e-15);
  check_cofactors(tensor<double, 3, 3>{1, 2, 3, 2, 4, 6, 1, 0, 1}, 1e-13);
  check_cofactors(tensor<double, 3, 3>{1, 4, 7, 2, 5, 8, 3, 6, 9}, 1e-13);
  check_cofactors(tensor<double, 3, 3>{1, 2, 3, 2, 4, 6, 3, 6, 9}, 1e-13);
  check_cofactors(tensor<double, 3, 3>{}, 1e-15);
  check_cofactors(tensor<double, 3, 3>{0, 0, 0, 0, 5, 0, 0, 0, 7}, 1e-13);
  check_cofactors(tensor<float, 3, 3>{1, 2, 3, 2, 4, 6, 1, 0, 1}, 1e-5);
  constexpr auto g = grad(volume)(tensor<double, 2, 2>{1, 2, 2, 4});
  static_assert(g(0, 0) == 4 && g(1, 0) == -2 && g(0, 1) == -2 && g(1, 1) == 1);
  auto step = compile<wrt<0>>(volume, tensor<double, 2, 2>{});
  CHECK(step(tensor<double, 2, 2>{1, 2, 2, 4}) == 0);
  CHECK(step.status() == status::singular);
}

TEST_CASE("second derivatives: those of the minors where the matrix is regular, and of two and three rows everywhere") {
  tensor<double, 2, 2> const singular{1, 2, 2, 4};
  auto const h = hessian(volume)(singular);
  tensor<double, 4, 4> const expected{0, 0, 0, 1, 0, 0, -1, 0, 0, -1, 0, 0, 1, 0, 0, 0};
  CHECK(everywhere::entries(h) == everywhere::entries(expected));
  auto const sign = [](int i, int j, int k) { return (i - j) * (j - k) * (k - i) / 2; };  // of a permutation, or 0
  for (tensor<double, 3, 3> const& a : {tensor<double, 3, 3>{1, 4, 7, 2, 5, 8, 3, 6, 9}, tensor<double, 3, 3>{},
                                        tensor<double, 3, 3>{1, 2, 3, 2, 4, 6, 3, 6, 9}}) {
    auto const of_a = hessian(volume)(a);
    for (int p = 0; p < 9; ++p)
      for (int q = 0; q < 9; ++q) {
        double by_both = 0;
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) by_both += sign(p % 3, q % 3, m) * sign(p / 3, q / 3, n) * a(m, n);
        CHECK(of_a(p, q) == by_both);
      }
  }
  tensor<double, 1, 1> const number{3};
  CHECK(hessian(volume)(number)(0, 0) == 0);
  everywhere::check([] { return std::tuple(tensor<double, 3, 3>{1, 0.7, -0.4, 0.3, 2.5, 0.2, 0.9, -1, 1.5}); },
                    [](auto a) { return det(a) * a(0, 0) + square(det(a)); });
}

TEST_CASE("cofactors are right where the determinant itself is out of range") {
  constexpr auto det = [](auto a) { return etch::det(a); };
  auto const matrix = [](auto scale) {
    etch::tensor<decltype(scale), 3, 3> a{};
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        a(i, j) = static_cast<decltype(scale)>((i == j ? 2 : 0) + 0.25 * ((i * 5 + j * 3) % 4)) * scale;
    return a;
  };
  auto const check = [&](auto scale) {
    using T = decltype(scale);
    auto const at = etch::grad(det)(matrix(scale)), unscaled = etch::grad(det)(matrix(T(1)));
    for (std::size_t i = 0; i < 9; ++i)  // cofactors of 3 rows grow with the square; powers of 2 are exact
      CHECK(at[i] == unscaled[i] * scale * scale);
  };
  check(0x1p-380), check(0x1p380);  // det overflows, or is a subnormal number or 0
  check(0x1p-50f), check(0x1p50f);
}
