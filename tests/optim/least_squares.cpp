#include <etch/optim/least_squares.hpp>

#include <etch/manifold/group.hpp>
#include <etch/manifold/product.hpp>
#include <etch/op/linear.hpp>
#include <etch/op/reshape.hpp>

#include <doctest/doctest.h>

namespace {

template <class T>
struct curve {
  etch::param<T> height, rate;
  ETCH_MEMBERS(curve, height, rate)
};

}  // namespace

TEST_CASE("NIST's Misra1a, from its harder start, as a struct") {
  // https://www.itl.nist.gov/div898/strd/nls/data/misra1a.shtml
  etch::tensor<double, 14> const x{77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                   378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0},
      y{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
  curve<double> c{};
  c.height = 500, c.rate = 0.0001;
  auto fit = etch::optim::least_squares(
      [](auto m, auto xs, auto ys) { return ys - m.height * (1.0 - exp(-m.rate * xs)); }, c, x, y);
  auto const ended = fit.minimise(c, x, y);
  CHECK(ended.converged);
  CHECK(c.height == doctest::Approx(2.3894212918e2).epsilon(1e-8));
  CHECK(c.rate == doctest::Approx(5.5015643181e-4).epsilon(1e-8));
  CHECK(2 * ended.value == doctest::Approx(1.2455138894e-1).epsilon(1e-9));
  CHECK(ended.evaluations >= ended.iterations);
  // At the minimum the gradient is that of the value, and small.
  CHECK(std::abs(fit.gradient()(0)) < 1e-6);
  CHECK(fit.information()(0, 1) == fit.information()(1, 0));
}

TEST_CASE("Rosenbrock's function and Powell's singular one") {
  etch::tensor<double, 2> x{-1.2, 1};
  auto rosenbrock =
      etch::optim::least_squares([](auto v) { return std::tuple(10.0 * (v(1) - v(0) * v(0)), 1.0 - v(0)); }, x);
  CHECK(rosenbrock.minimise(x).converged);
  CHECK(x(0) == doctest::Approx(1).epsilon(1e-10));
  CHECK(x(1) == doctest::Approx(1).epsilon(1e-10));

  etch::tensor<double, 4> p{3, -1, 0, 1};
  auto powell = etch::optim::least_squares(
      [](auto v) {
        return std::tuple(v(0) + 10.0 * v(1), 2.23606797749979 * (v(2) - v(3)), square(v(1) - 2.0 * v(2)),
                          3.1622776601683795 * square(v(0) - v(3)));
      },
      p);
  CHECK(powell.minimise(p).value < 1e-10);
}

TEST_CASE("linear problems take one step of Gauss and Newton; numbers without influence stay") {
  etch::tensor<double, 3> x{1, 2, 7};
  auto line = etch::optim::least_squares([](auto v, auto t) { return v(0) + v(1) * t - (3.0 - 2.0 * t); }, x,
                                         etch::tensor<double, 4>{});
  auto const ended = line.minimise({.damping = 0}, x, etch::tensor<double, 4>{0, 1, 2, 3});
  CHECK(ended.converged);
  CHECK(ended.iterations == 1);
  CHECK(x(0) == doctest::Approx(3).epsilon(1e-13));
  CHECK(x(1) == doctest::Approx(-2).epsilon(1e-13));
  CHECK(x(2) == 7);
}

TEST_CASE("floats, and what ends a minimisation") {
  float x = 2;
  auto root = etch::optim::least_squares([](auto v) { return v * v - 2; }, x);
  CHECK(root.minimise({.step_tolerance = 1e-7, .value_tolerance = 1e-12}, x).converged);
  CHECK(x == doctest::Approx(std::sqrt(2.0)).epsilon(1e-6));
  double y = 1;
  auto steep = etch::optim::least_squares([](auto v) { return exp(v) - 0.5; }, y);
  auto const stopped = steep.minimise({.most_iterations = 1}, y);
  CHECK(!stopped.converged);
  CHECK(stopped.iterations == 1);
  double z = -1;
  auto undefined = etch::optim::least_squares([](auto v) { return log(v); }, z);
  CHECK_THROWS_WITH_AS(undefined.minimise(z), doctest::Contains("a minimisation begins at a finite one"),
                       etch::exception);
  // Steps beyond where the residual is defined are taken back.
  double w = 5;
  auto guarded = etch::optim::least_squares([](auto v) { return log(v); }, w);
  CHECK(guarded.minimise(w).converged);
  CHECK(w == doctest::Approx(1).epsilon(1e-10));
}

TEST_CASE("the mean of rotations and a motion between points") {
  using etch::manifold::se2;
  se2<double> x{};
  auto const truth = se2<double>::exp(etch::tensor<double, 3>{0.3, -0.4, 2.5});
  etch::tensor<double, 2> const a{1, 0}, b{0, 2}, c{-1, 1};
  auto align = etch::optim::least_squares(
      [](auto m, auto p, auto q, auto u, auto v) { return std::tuple(act(m, p) - u, act(m, q) - v); }, x, a, b, a, b);
  auto const u = act(truth, a), v = act(truth, b);
  CHECK(align.minimise(x, a, b, u, v).converged);
  auto const there = act(x, c), expected = act(truth, c);
  CHECK(there(0) == doctest::Approx(expected(0)).epsilon(1e-9));
  CHECK(there(1) == doctest::Approx(expected(1)).epsilon(1e-9));
}

TEST_CASE("a residual may be a number") {
  etch::tensor<double, 2> x{3, 4};
  auto fit = etch::optim::least_squares([](auto v) { return std::tuple(v - 1.0, 2.0); }, x);
  auto const ended = fit.minimise(x);
  CHECK(ended.converged);
  CHECK(ended.value == doctest::Approx(2));
  CHECK(x(0) == doctest::Approx(1).epsilon(1e-9));
}
