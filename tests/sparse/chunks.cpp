#include <etch/sparse/hessian.hpp>
#include <etch/sparse/jacobian.hpp>

#include <doctest/doctest.h>

namespace {

// Sets of entries are made 128 at a time.
template <int N>
void check_chain() {
  static etch::tensor<double, N> x;
  for (int i = 0; i < N; ++i) x(i) = 0.5 + 0.001 * i;
  static auto jacobian =
      etch::sparse_jacobian([](auto v) { return v.template tail<N - 1>() - square(v.template head<N - 1>()); }, x);
  auto const& j = jacobian(x);
  CHECK(j.nonZeros() == 2 * (N - 1));
  CHECK(jacobian.facts.colours == 2);
  static auto hessian =
      etch::sparse_hessian([](auto v) { return dot(v.template tail<N - 1>(), square(v.template head<N - 1>())); }, x);
  auto const& h = hessian(x);
  CHECK(h.nonZeros() == N - 1 + 2 * (N - 1));
  int wrong = 0;
  for (int i = 0; i + 1 < N; ++i) {
    wrong += j.coeff(i, i) != -2 * x(i) || j.coeff(i, i + 1) != 1;
    wrong += std::abs(h.coeff(i, i) - 2 * x(i + 1)) > 1e-14 || std::abs(h.coeff(i, i + 1) - 2 * x(i)) > 1e-14 ||
             h.coeff(i, i + 1) != h.coeff(i + 1, i);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("one set, one that is just full, and one more") {
  check_chain<127>();
  check_chain<128>();
  check_chain<129>();
  check_chain<257>();
}
