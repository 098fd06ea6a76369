#include "../../bench/run/adbench.hpp"
#include "golden/golden.hpp"

#include <etch/etch.hpp>

#include "../../bench/run/gmm/loss.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <numbers>

namespace {

template <class T, int D, int K, int N>
void check(char const* data, char const* expected) {
  auto const file = golden::file::read(expected);
  std::vector<double> const numbers = bench::adbench_file(data);
  if (file.value.empty() || numbers.empty()) return;
  static etch::tensor<T, K> alpha;
  static etch::tensor<T, D, K> means;
  static etch::tensor<T, D*(D + 1) / 2, K> icf;
  static etch::tensor<T, D, N> x;
  REQUIRE(numbers.size() == 3 + alpha.size() + means.size() + icf.size() + x.size() + 2);
  std::size_t at = 3;
  auto const fill = [&](auto& t) {
    for (T& e : t) e = static_cast<T>(numbers[at++]);
  };
  fill(alpha), fill(means), fill(icf), fill(x);
  double const gamma = numbers[at], m = numbers[at + 1], half = 0.5 * (D + m + 1);
  double constant =
      2 * half * D * (std::log(gamma) - 0.5 * std::numbers::ln2) - 0.25 * D * (D - 1) * std::log(std::numbers::pi);
  for (int j = 1; j <= D; ++j) constant -= std::lgamma(half + 0.5 * (1 - j));
  static auto step = etch::compile<etch::wrt<0, 1, 2>>(gmm_problem::loss, alpha, means, icf, x, T(0), T(0), T(0));
  constexpr double tolerance = sizeof(T) == 4 ? golden::tolerance<T> : 1e-11;
  T const value = step(alpha, means, icf, x, static_cast<T>(gamma), static_cast<T>(m), static_cast<T>(K * constant));
  CHECK(static_cast<double>(value) == doctest::Approx(file.value.at("loss")[0]).epsilon(tolerance));
  golden::compare(step.template grad<0>(), file.grad.at("alphas"), tolerance);
  golden::compare(step.template grad<1>(), file.grad.at("means"), tolerance);
  golden::compare(step.template grad<2>(), file.grad.at("icf"), tolerance);
}

}  // namespace

TEST_CASE("ADBench's mixture of Gaussians") {
  check<double, 2, 3, 1>("gmm_test.txt", "adbench_gmm_test");
  check<float, 2, 3, 1>("gmm_test.txt", "adbench_gmm_test");
  check<double, 10, 5, 1000>("gmm_d10_K5.txt", "adbench_gmm_d10_K5");
  check<float, 10, 5, 1000>("gmm_d10_K5.txt", "adbench_gmm_d10_K5");
}
