// Points in lanes whose bodies have loops: the loop runs once for a register of points.
#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

using namespace etch;
using values::filled_with;

namespace {

constexpr int steps = 6;

/// h = tanh(a h + b x) at every step, for each column of xs; the sum of the squares of the last h.
constexpr auto recurrence = [](auto p, auto xs) {
  return sum_map(
      [&](auto x) {
        auto const last = scan([&](auto h, auto each) { return tanh(p(0) * h + p(1) * each); }, p(2), x);
        return square(last);
      },
      xs);
};

struct answer {
  double value = 0, by_p[3]{};
};
/// The same in plain loops; adds the derivatives by one column to `by_x`.
answer recur(double const* p, double const* x, double* by_x) {
  double h[steps + 1] = {p[2]};
  for (int t = 0; t < steps; ++t) h[t + 1] = std::tanh(p[0] * h[t] + p[1] * x[t]);
  answer y{h[steps] * h[steps], {}};
  double back = 2 * h[steps];
  for (int t = steps - 1; t >= 0; --t) {
    double const g = back * (1 - h[t + 1] * h[t + 1]);
    y.by_p[0] += g * h[t], y.by_p[1] += g * x[t], by_x[t] = g * p[1];
    back = g * p[0];
  }
  y.by_p[2] = back;
  return y;
}

template <class T, int N>
void check_recurrence() {
  CAPTURE(N);
  auto const p = filled_with<tensor<T, 3>>(1);
  auto const xs = filled_with<tensor<T, steps, N>>(2);
  using program = decltype(compile<wrt<0, 1>>(recurrence, p, xs));
  static_assert(program::facts.point_loops == 1 &&
                (register_bytes == 0 || program::facts.point_loops_in_lanes == (N > 1)));
  auto const step = std::make_unique<program>();
  double const value = static_cast<double>((*step)(p, xs));
  answer all;
  double worst = 0;
  double const numbers[] = {static_cast<double>(p(0)), static_cast<double>(p(1)), static_cast<double>(p(2))};
  for (int n = 0; n < N; ++n) {
    double x[steps], by_x[steps];
    for (int t = 0; t < steps; ++t) x[t] = static_cast<double>(xs(t, n));
    answer const one = recur(numbers, x, by_x);
    all.value += one.value;
    for (int i = 0; i < 3; ++i) all.by_p[i] += one.by_p[i];
    for (int t = 0; t < steps; ++t)
      worst = std::max(worst, std::abs(by_x[t] - static_cast<double>(step->template grad<1>()(t, n))));
  }
  worst = std::max(worst, std::abs(all.value - value));
  for (int i = 0; i < 3; ++i)
    worst = std::max(worst, std::abs(all.by_p[i] - static_cast<double>(step->template grad<0>()(i))));
  CHECK(worst <= (sizeof(T) == 4 ? 2e-5 : 1e-13));
}

constexpr auto paths = [](auto xs, auto times) {
  return map(
      [&](auto x) {
        auto const [last, all] = scan(
            [&](auto const& h, auto t) {
              auto const inner = repeat<3>([&](auto y) { return sin(y) + t * x(1); }, h * x(0));
              return etch::step{inner, inner * t};
            },
            x(2), times);
        return last + sum(square(all)) + sum(cwise_product(all, times));
      },
      xs);
};
constexpr auto total = [](auto xs, auto times) { return sum(square(paths(xs, times))); };

}  // namespace

TEST_CASE("any number of points") {
  check_recurrence<double, 1>();
  check_recurrence<double, 7>();
  check_recurrence<double, 16>();
  check_recurrence<double, 33>();
  check_recurrence<float, 2>();
  check_recurrence<float, 17>();
}

TEST_CASE("a Hessian times a vector is the derivative of the gradient") {
  auto const p = filled_with<tensor<double, 3>>(1), v = filled_with<tensor<double, 3>>(3);
  auto const xs = filled_with<tensor<double, steps, 11>>(2);
  constexpr auto along = [](auto at, auto direction, auto x) {
    return hvp([&](auto q) { return recurrence(q, x); })(at, direction);
  };
  auto const program = std::make_unique<decltype(compile<wrt<>>(along, p, v, xs))>();
  auto const& got = (*program)(p, v, xs);
  double const h = 1e-6;
  for (int i = 0; i < 3; ++i) {
    double difference = 0;
    for (int n = 0; n < 11; ++n) {
      double up[3], down[3], by_x[steps];
      for (int k = 0; k < 3; ++k) up[k] = p(k) + h * v(k), down[k] = p(k) - h * v(k);
      difference += (recur(up, &xs(0, n), by_x).by_p[i] - recur(down, &xs(0, n), by_x).by_p[i]) / (2 * h);
    }
    CHECK(got(i) == doctest::Approx(difference).epsilon(1e-7));
  }
}

TEST_CASE("a NaN or an infinity stays with its point") {
  constexpr auto apart = [](auto p, auto xs) {
    return sum(
        cube(map([&](auto x) { return scan([&](auto h, auto each) { return tanh(p(0) * h) + each; }, p(2), x); }, xs)));
  };
  auto const p = filled_with<tensor<double, 3>>(1);
  auto const xs = filled_with<tensor<double, steps, 11>>(2);
  static auto step = compile<wrt<1>>(apart, p, xs);
  step(p, xs);
  auto const clean = step.grad<1>();
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int at : {0, 2, 3, 10}) {
      auto broken = xs;
      broken(steps - 1, at) = bad;
      step(p, broken);
      for (int n = 0; n < 11; ++n)
        for (int t = 0; t < steps; ++t)
          CHECK((n == at ? !std::isfinite(step.grad<1>()(steps - 1, n)) : step.grad<1>()(t, n) == clean(t, n)));
    }
}

TEST_CASE("loops in loops, what steps leave, and times that are the same at all points") {
  auto const path = [](double const* x, double const* times) {
    double h = x[2], squares = 0, dot = 0;
    for (int t = 0; t < 4; ++t) {
      double y = h * x[0];
      for (int k = 0; k < 3; ++k) y = std::sin(y) + times[t] * x[1];
      h = y;
      squares += y * times[t] * y * times[t], dot += y * times[t] * times[t];
    }
    return h + squares + dot;
  };
  auto const xs = filled_with<tensor<double, 3, 13>>(1);
  auto const times = filled_with<tensor<double, 4>>(2);
  static auto values = compile<wrt<>>(paths, xs, times);
  using program = decltype(compile<wrt<0, 1>>(total, xs, times));
  static_assert(program::facts.point_loops >= 1 &&
                (register_bytes == 0 || program::facts.point_loops_in_lanes == program::facts.point_loops));
  static program step;
  auto const& y = values(xs, times);
  auto const sum_of_squares = [&](auto const& points, auto const& ts) {
    double all = 0;
    for (int n = 0; n < 13; ++n) all += std::pow(path(&points(0, n), ts.data()), 2);
    return all;
  };
  for (int n = 0; n < 13; ++n) CHECK(y(n) == doctest::Approx(path(&xs(0, n), times.data())).epsilon(1e-13));
  CHECK(step(xs, times) == doctest::Approx(sum_of_squares(xs, times)).epsilon(1e-13));
  double const h = 1e-6;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    auto up = xs, down = xs;
    up.data()[i] += h, down.data()[i] -= h;
    CHECK(step.grad<0>().data()[i] ==
          doctest::Approx((sum_of_squares(up, times) - sum_of_squares(down, times)) / (2 * h)).epsilon(1e-6));
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    auto up = times, down = times;
    up.data()[i] += h, down.data()[i] -= h;
    CHECK(step.grad<1>().data()[i] ==
          doctest::Approx((sum_of_squares(xs, up) - sum_of_squares(xs, down)) / (2 * h)).epsilon(1e-6));
  }
}

TEST_CASE("points at each point: the loop within goes through a table that is the same at all points") {
  constexpr auto kernel_sums = [](auto xs, auto table) {
    return map([&](auto x) { return sum_map([&](auto t) { return exp(-square(x - t)); }, table); }, xs);
  };
  auto const xs = filled_with<tensor<double, 9>>(1);
  auto const table = filled_with<tensor<double, 5>>(2);
  static auto p = compile<wrt<>>(kernel_sums, xs, table);
  using program = std::remove_reference_t<decltype(p)>;
  static_assert(program::facts.point_loops == 1 && (register_bytes == 0 || program::facts.point_loops_in_lanes == 1));
  if (register_bytes > 0)
    CHECK(to_text(p).find("points in lanes: yes, " + std::to_string(register_bytes / 8) + " of 9 at a time") !=
          std::string::npos);
  auto const& y = p(xs, table);
  for (int n = 0; n < 9; ++n) {
    double all = 0;
    for (int k = 0; k < 5; ++k) all += std::exp(-std::pow(xs(n) - table(k), 2));
    CHECK(y(n) == doctest::Approx(all).epsilon(1e-14));
  }
}

TEST_CASE("a convolution works on one point at a time, and the program says so") {
  constexpr auto filtered = [](auto kernel, auto images) {
    return map([&](auto image) { return sum(square(conv2d(reshape<4, 4, 1, 1>(image), kernel))); }, images);
  };
  auto const kernel = filled_with<tensor<double, 2, 2, 1, 1>>(1);
  auto const images = filled_with<tensor<double, 4, 4, 3>>(2);
  static auto p = compile<wrt<>>(filtered, kernel, images);
  using program = std::remove_reference_t<decltype(p)>;
  static_assert(program::facts.point_loops == 1 && program::facts.point_loops_in_lanes == 0);
  if (register_bytes > 0) CHECK(to_text(p).find("points in lanes: no, because `conv2d") != std::string::npos);
  auto const& y = p(kernel, images);
  for (int n = 0; n < 3; ++n) {
    double all = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double at = 0;
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 2; ++b) at += kernel(a, b, 0, 0) * images(i + a, j + b, n);
        all += at * at;
      }
    CHECK(y(n) == doctest::Approx(all));
  }
}
