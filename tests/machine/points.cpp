#include <etch/machine/points.hpp>

#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>

using namespace etch;
using values::filled_with;

namespace {

constexpr auto loss = [](auto w, auto xs) { return sum_map([&](auto x) { return sum(square(tanh(w * x))); }, xs); };
constexpr auto outputs = [](auto w, auto xs) { return map([&](auto x) { return tanh(w * x); }, xs); };

/// Value and gradient of `loss`, and what `outputs` leaves, against loops over numbers.
template <class T, int N>
void check_count() {
  CAPTURE(N);
  auto const w = filled_with<tensor<T, 2, 3>>(1);
  auto const xs = filled_with<tensor<T, 3, N>>(2);
  auto const step = std::make_unique<decltype(compile<wrt<0, 1>>(loss, w, xs))>();
  auto const values = std::make_unique<decltype(compile<wrt<>>(outputs, w, xs))>();
  double value = 0, dw[2][3]{}, worst = 0;
  tensor<T, 3, N> start = filled_with<tensor<T, 3, N>>(3), dx = start;
  tensor<T, 2, 3> into_w;
  double const got = static_cast<double>((*step)(w, xs));
  (*step)(w, xs, add_to(into_w, dx));
  auto const& y = (*values)(w, xs);
  auto const differs = [&](T a, double b) { worst = std::max(worst, std::abs(static_cast<double>(a) - b)); };
  for (int n = 0; n < N; ++n) {
    double h[2]{}, back[2]{};
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) h[i] += static_cast<double>(w(i, j)) * static_cast<double>(xs(j, n));
      h[i] = std::tanh(h[i]);
      differs(y(i, n), h[i]);
      value += h[i] * h[i];
      back[i] = 2 * h[i] * (1 - h[i] * h[i]);
      for (int j = 0; j < 3; ++j) dw[i][j] += back[i] * static_cast<double>(xs(j, n));
    }
    for (int j = 0; j < 3; ++j) {
      double const d = back[0] * static_cast<double>(w(0, j)) + back[1] * static_cast<double>(w(1, j));
      differs(step->template grad<1>()(j, n), d);
      differs(dx(j, n), static_cast<double>(start(j, n)) + d);
    }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) differs(step->template grad<0>()(i, j), dw[i][j]), differs(into_w(i, j), dw[i][j]);
  differs(static_cast<T>(got), value);
  CHECK(worst <= (sizeof(T) == 4 ? 2e-5 : 1e-13));
}

// Products and choices of many numbers.
constexpr int steps = 40;
constexpr auto long_body = [](auto w, auto xs) {
  return map(
      [&](auto x) {
        auto h = x(0) * x(0);
        for (int k = 0; k < steps; ++k)
          h = h * w(k) + select(x(k % 5) < w((k + 7) % steps), w((k + 1) % steps), x(5) * x(k % 3));
        return h;
      },
      xs);
};
constexpr auto sum_of_long = [](auto w, auto xs) { return sum(long_body(w, xs)); };

}  // namespace

TEST_CASE("any number of points") {
  check_count<double, 1>();
  check_count<double, 2>();
  check_count<double, 7>();
  check_count<double, 8>();
  check_count<double, 9>();
  check_count<double, 100>();
  check_count<float, 16>();
  check_count<float, 17>();
}

TEST_CASE("value and gradient of a sum are one loop") {
  using program = decltype(compile<wrt<0>>(loss, tensor<double, 2, 3>{}, tensor<double, 3, 9>{}));
  int loops = 0;
  for (node const& n : program::executable::graph.nodes) loops += n.op == opcode_of<op::loop>;
  CHECK(loops == 1);
  CHECK(program::executable::schedule.kernel_count == 1);
}

TEST_CASE("a NaN stays with its point, wherever its lane is; lanes without a point count for nothing") {
  constexpr auto apart = [](auto xs) { return sum(cube(map([](auto x) { return exp(sum(x)) * x; }, xs))); };
  auto xs = filled_with<tensor<double, 3, 11>>(1);
  static auto step = compile<wrt<0>>(apart, xs);
  step(xs);
  auto const clean = step.grad<0>();
  CHECK(std::isfinite(step.value()));
  for (int bad : {0, 2, 3, 10}) {
    auto broken = xs;
    broken(1, bad) = std::numeric_limits<double>::quiet_NaN();
    step(broken);
    for (int n = 0; n < 11; ++n)
      for (int i = 0; i < 3; ++i)
        CHECK((n == bad ? std::isnan(step.grad<0>()(i, n)) : step.grad<0>()(i, n) == clean(i, n)));
  }
}

TEST_CASE("bits do not depend on where arguments lie") {
  auto const w = filled_with<tensor<double, 2, 3>>(1);
  auto const xs = filled_with<tensor<double, 3, 21>>(2);
  static auto step = compile<wrt<0>>(loss, w, xs);
  double const value = step(w, xs);
  auto const gradient = step.grad<0>();
  alignas(64) static double storage[3 * 21 + 2 * 3 + 16];
  for (int shift : {1, 3, 6}) {
    double* const moved = storage + shift;
    std::copy(xs.begin(), xs.end(), moved);
    Eigen::Map<Eigen::Matrix<double, 3, 21> const> const elsewhere(moved);
    static auto other = compile<wrt<0>>(loss, w, elsewhere);
    CHECK(other(w, elsewhere) == value);
    for (std::size_t i = 0; i < gradient.size(); ++i) CHECK(other.grad<0>()[i] == gradient[i]);
  }
}

TEST_CASE("a body of more instructions and operands than one kernel takes") {
  auto w = filled_with<tensor<double, steps>>(1);
  auto xs = filled_with<tensor<double, 6, 11>>(2);
  for (double& each : w) each *= 0.9;
  static auto values = compile<wrt<>>(long_body, w, xs);
  static auto step = compile<wrt<1>>(sum_of_long, w, xs);
  auto const& y = values(w, xs);
  double sum = 0, worst = 0;
  step(w, xs);
  for (int n = 0; n < 11; ++n) {
    double h = xs(0, n) * xs(0, n), d[6]{2 * xs(0, n)};  // and its derivative by the column
    for (int k = 0; k < steps; ++k) {
      bool const is_less = xs(k % 5, n) < w((k + 7) % steps);
      h = h * w(k) + (is_less ? w((k + 1) % steps) : xs(5, n) * xs(k % 3, n));
      for (double& each : d) each *= w(k);
      if (!is_less) d[5] += xs(k % 3, n), d[k % 3] += xs(5, n);
    }
    sum += h;
    worst = std::max(worst, std::abs(y(n) - h));
    for (int i = 0; i < 6; ++i) worst = std::max(worst, std::abs(step.grad<1>()(i, n) - d[i]));
  }
  CHECK(worst <= 1e-13);
  CHECK(step(w, xs) == doctest::Approx(sum).epsilon(1e-13));
}

TEST_CASE("a body without a form for lanes runs point by point") {
  // A factorisation, a running sum, and a loop.
  constexpr auto f = [](auto xs) {
    return sum_map([](auto x) { return sum(cumsum<0>(x)) * sum(repeat<3>([&](auto h) { return sin(h) + x; }, x)); },
                   xs);
  };
  auto const xs = filled_with<tensor<double, 3, 9>>(1);
  static auto step = compile<wrt<0>>(f, xs);
  double value = 0;
  for (int n = 0; n < 9; ++n) {
    double running = 0, last = 0;
    for (int i = 0; i < 3; ++i) {
      running += (3 - i) * xs(i, n);
      double h = xs(i, n);
      for (int r = 0; r < 3; ++r) h = std::sin(h) + xs(i, n);
      last += h;
    }
    value += running * last;
  }
  CHECK(step(xs) == doctest::Approx(value).epsilon(1e-13));
}
