#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {

using namespace etch;

TEST_CASE("any number of points in memory of one's own") {
  constexpr auto loss = [](auto w, auto x) {
    return etch::sum_map([&](auto p) { return sum(square(tanh(w * p))); }, x) + sum(square(w));
  };
  tensor<double, 3, 4> w;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::sin(0.3 * static_cast<double>(i + 1)) / 2;
  for (int count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 1003}) {
    CAPTURE(count);
    auto const n = static_cast<std::size_t>(count);
    std::vector<double> entries(4 * n);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = std::sin(0.37 * static_cast<double>(i));
    points<double, 4> const xs{entries};
    auto step = compile(loss, w, xs);
    CHECK(step.facts.workspace_bytes < 4096);
    double value = 0;
    std::vector<double> slope(12);
    for (std::size_t k = 0; k < 12; ++k) value += w[k] * w[k], slope[k] = 2 * w[k];
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t i = 0; i < 3; ++i) {
        double a = 0;
        for (std::size_t j = 0; j < 4; ++j) a += w[i + 3 * j] * entries[4 * p + j];
        double const t = std::tanh(a);
        value += t * t;
        for (std::size_t j = 0; j < 4; ++j) slope[i + 3 * j] += 2 * t * (1 - t * t) * entries[4 * p + j];
      }
    CHECK(step(w, xs) == doctest::Approx(value).epsilon(1e-13));
    for (std::size_t k = 0; k < 12; ++k) CHECK(step.grad<0>()[k] == doctest::Approx(slope[k]).epsilon(1e-12));
  }
  std::vector<double> const five(5);
  CHECK_THROWS_AS((points<double, 4>{five}), etch::exception);
}

TEST_CASE("sums over points without map") {
  std::vector<double> const entries{1, 2, 3, 4, 5, 6};
  points<double, 3> const p{entries};
  auto step = compile<wrt<>>([](auto x) { return sum(square(x)) / x.count(); }, p);
  CHECK(step(p) == 91.0 / 2);
}

TEST_CASE("Eigen's matrices with a bounded number of columns") {
  Eigen::Matrix<float, 4, Eigen::Dynamic, 0, 4, 32> x(4, 7);
  for (Eigen::Index i = 0; i < x.size(); ++i) x(i % 4, i / 4) = std::cos(0.5f * static_cast<float>(i));
  tensor<float, 3, 4> w;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = 0.1f * static_cast<float>(i);
  auto step = compile<wrt<0, 1>>([](auto a, auto b) { return etch::mean(square(a * b)); }, w, x);
  for (Eigen::Index columns : {7, 1, 32}) {
    x.conservativeResize(Eigen::NoChange, columns);
    for (Eigen::Index i = 28; i < x.size(); ++i) x(i % 4, i / 4) = 0.25f;
    Eigen::MatrixXf const y = w.matrix() * x;
    CHECK(step(w, x) == doctest::Approx(y.array().square().mean()).epsilon(1e-5));
    REQUIRE(step.grad<1>().count() == columns);
    Eigen::MatrixXf const slope = w.matrix().transpose() * y * (2.0f / static_cast<float>(y.size()));
    CHECK((step.grad<1>().matrix() - slope).norm() < 1e-5f * (1 + slope.norm()));
  }
}

}  // namespace
