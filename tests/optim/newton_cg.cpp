#include <etch/optim/newton_cg.hpp>

#include <etch/manifold/group.hpp>
#include <etch/manifold/so3.hpp>
#include <etch/manifold/unit_sphere.hpp>
#include <etch/op/linear.hpp>

#include <doctest/doctest.h>

namespace {

template <class T>
struct line {
  etch::param<T, 3> slope;
  etch::param<T> offset;
  ETCH_MEMBERS(line, slope, offset)
};

}  // namespace

TEST_CASE("Rosenbrock's function in many variables") {
  etch::tensor<double, 100> x;
  for (int i = 0; i < 100; ++i) x(i) = i % 2 == 0 ? -1.2 : 1;
  static auto problem = etch::optim::newton_cg(
      [](auto v) {
        auto const a = v.template head<99>(), b = v.template tail<99>();
        return sum(100.0 * square(b - square(a)) + square(1.0 - a));
      },
      x);
  auto const ended = problem.minimise({.most_iterations = 1000}, x);
  CHECK(ended.converged);
  // There are two minima: at ones, and one with a first entry near -1 (value about 3.99).
  CHECK((ended.value < 1e-15 || ended.value == doctest::Approx(3.9866).epsilon(1e-3)));
}

TEST_CASE("quadratic functions take one step, as structs too") {
  line<double> m{};
  etch::tensor<double, 3> const at{1, -2, 0.5};
  auto problem = etch::optim::newton_cg(
      [](auto l, auto p) { return 0.5 * squared_norm(l.slope - p) + square(l.offset + 2.0) + dot(l.slope, p); }, m, at);
  auto const ended = problem.minimise({.gradient_tolerance = 1e-9}, m, at);
  CHECK(ended.converged);
  CHECK(ended.iterations <= 4);
  for (int i = 0; i < 3; ++i) CHECK(m.slope(i) == doctest::Approx(0).scale(1).epsilon(1e-9));
  CHECK(m.offset == doctest::Approx(-2).epsilon(1e-9));
}

TEST_CASE("directions of negative curvature, and what ends it") {
  double x = 0.1;
  auto well = etch::optim::newton_cg([](auto v) { return square(square(v) - 1.0); }, x);
  CHECK(well.minimise(x).converged);
  CHECK(x == doctest::Approx(1).epsilon(1e-8));
  double z = -1;
  auto undefined = etch::optim::newton_cg([](auto v) { return log(v) + v * v; }, z);
  CHECK_THROWS_WITH_AS(undefined.minimise(z), doctest::Contains("a minimisation begins at a finite one"),
                       etch::exception);
  double w = 3;
  auto stopped = etch::optim::newton_cg([](auto v) { return exp(v) - v; }, w);
  CHECK(!stopped.minimise({.most_iterations = 1}, w).converged);
}

TEST_CASE("the largest eigenvector on a sphere") {
  etch::manifold::unit_sphere<double, 3> x{};
  etch::tensor<double, 3, 3> const a{2, 1, 0, 1, 3, 1, 0, 1, 4};
  auto problem = etch::optim::newton_cg([](auto v, auto m) { return -etch::dot(v.vector, m * v.vector); }, x, a);
  CHECK(problem.minimise(x, a).converged);
  // The characteristic polynomial is (3 - t)((t - 3)^2 - 3).
  etch::tensor<double, 3> const y = x.vector;
  double const quotient = y.matrix().dot(a.matrix() * y.matrix());
  CHECK(quotient == doctest::Approx(3 + std::sqrt(3.0)).epsilon(1e-12));
}

TEST_CASE("in float a minimisation ends where neither value nor gradient falls") {
  constexpr auto raised = [](auto x) { return 100 * square(x(1) - x(0) * x(0)) + square(1 - x(0)) + 3; };
  etch::tensor<float, 2> x{-1.2f, 1};
  auto valley = etch::optim::newton_cg(raised, x);
  auto const ended = valley.minimise({.most_iterations = 200}, x);
  CHECK(ended.converged);
  CHECK(ended.iterations < 100);
  CHECK(ended.value == doctest::Approx(3).epsilon(1e-6));
  CHECK(x(0) == doctest::Approx(1).epsilon(1e-2));
}
