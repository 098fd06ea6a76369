#include <etch/op/linalg/level_3.hpp>

#include "op/level_3.hpp"

using namespace etch;

TEST_CASE("matrices in blocks, entry by entry, have the factors and solutions that they should") {
  level_3_tests::all<double>(op::blas::plain_level_3{});
  level_3_tests::all<float>(op::blas::plain_level_3{});
}

namespace {

template <int N>
tensor<double, N, N> some_matrix() {
  tensor<double, N, N> a;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) a(i, j) = std::sin(1.3 * i + 0.7 * j * j) + (i == j ? 2.0 * N : 0.0);
  return a;
}

}  // namespace

TEST_CASE("gradients through the factors of large matrices are closed forms, in programs and on tapes") {
  constexpr int n = 40;
  static auto const a = some_matrix<n>();
  // d/dA log det((A + Aᵀ) / 2) is its inverse; d/dA log|det A| is A⁻ᵀ; d/dA |R|² is 2 A, since |R| = |A|.
  static constexpr auto by_cholesky = [](auto x) { return 2 * sum(log(diagonal(cholesky(x)))); };
  static constexpr auto by_lu = [](auto x) { return logdet(x); };
  static constexpr auto by_qr = [](auto x) { return sum(square(std::get<1>(qr(x)))); };
  static auto inverses = compile<wrt<>>(
      [](auto x) { return std::tuple(inverse(0.5 * (x + transpose(x))), transpose(inverse(x)), 2 * x); }, a);
  static_cast<void>(inverses(a));
  auto const agree = [&](auto f, auto const& expected) {
    static auto step = compile<wrt<0>>(f, a);
    static_cast<void>(step(a));
    CHECK(step.status() == status::ok);
    tape<double> t;
    auto const x = t.watch(a);
    t.backward(f(x));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        CHECK(step.template grad<0>()(i, j) == doctest::Approx(expected(i, j)).epsilon(1e-11));
        CHECK(t.grad(x)(i, j) == doctest::Approx(expected(i, j)).epsilon(1e-11));
      }
  };
  agree(by_cholesky, inverses.result<0>());
  agree(by_lu, inverses.result<1>());
  agree(by_qr, inverses.result<2>());
}

TEST_CASE("solving for some columns that count leaves the others alone") {
  constexpr int n = 36;
  auto step = compile<wrt<0, 1>>([](auto t, auto b) { return sum(square(triangular_solve(t, b))); },
                                 tensor<double, n, n>{}, tensor<double, n, upto<20>>{});
  auto const t = some_matrix<n>();
  tensor<double, n, upto<20>> b;
  for (int count : {0, 1, 5, 20}) {
    CAPTURE(count);
    b.resize(count);
    double expected = 0;
    for (int j = 0; j < count; ++j) {
      double x[n];
      for (int i = 0; i < n; ++i) {
        b(i, j) = std::cos(i + 3.0 * j);
        x[i] = b(i, j);
        for (int k = 0; k < i; ++k) x[i] -= t(i, k) * x[k];
        x[i] /= t(i, i);
        expected += x[i] * x[i];
      }
    }
    CHECK(step(t, b) == doctest::Approx(expected).epsilon(1e-13));
    CHECK(step.status() == status::ok);
  }
}
