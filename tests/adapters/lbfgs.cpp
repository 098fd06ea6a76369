#include "adapters/problems.hpp"

#include <etch/optim/lbfgs.hpp>

#include <limits>
#include <string>

namespace {

using namespace etch;
using namespace problems;

using vector_type = tensor<double, 2>;
using parameters = LBFGSpp::LBFGSParam<double>;

parameters exact() {
  parameters p;
  p.epsilon = 1e-10;
  p.epsilon_rel = 0;
  p.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
  return p;
}

TEST_CASE("Rosenbrock's valley ends at (1, 1), with every line search") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  vector_type x{-1.2, 1};
  optim::outcome const end = optim::minimise(exact(), step, x);
  CHECK(end.converged);
  CHECK(end.reason == std::string("the gradient vanishes within the tolerance"));
  CHECK(end.value == doctest::Approx(0).scale(1e-15));
  CHECK(end.value == step(x));
  CHECK(end.evaluations > end.iterations);
  CHECK(x(0) == doctest::Approx(1).epsilon(1e-9));
  CHECK(x(1) == doctest::Approx(1).epsilon(1e-9));
  vector_type y{-1.2, 1};
  CHECK(optim::minimise<LBFGSpp::LineSearchBracketing>(exact(), step, y).converged);
  CHECK(y(0) == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("a model is a struct, of float as of double") {
  auto const check = []<class T>(T, double tolerance) {
    parts<T> x{}, minimum{{1, -2, 3, -4}, 5};
    auto step = compile<wrt<0>>(bowl, x, minimum);
    parameters p = exact();
    p.epsilon = tolerance;
    CHECK(optim::minimise(p, step, x, minimum).converged);
    for (int i = 0; i < 4; ++i)
      CHECK(x.square(i % 2, i / 2) == doctest::Approx(minimum.square(i % 2, i / 2)).epsilon(tolerance));
    CHECK(x.number == doctest::Approx(5).epsilon(tolerance));
  };
  check(0.0, 1e-9);
  check(0.0f, 1e-4);
}

TEST_CASE("logistic regression agrees with Newton's method in long double") {
  logistic_data const d = draw();
  auto const expected = newton(d);
  tensor<double, features> w;
  auto step = compile<wrt<0>>(logistic, w, d.x, d.labels);
  CHECK(optim::minimise(exact(), step, w, d.x, d.labels).converged);
  for (int k = 0; k < features; ++k) CHECK(w(k) == doctest::Approx(static_cast<double>(expected(k))).epsilon(1e-10));
}

TEST_CASE("too few iterations are said to be, and too flat a value") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  parameters p = exact();
  p.max_iterations = 3;
  vector_type x{-1.2, 1};
  optim::outcome const few = optim::minimise(p, step, x);
  CHECK_FALSE(few.converged);
  CHECK(few.iterations == 3);
  CHECK(few.reason == std::string("the limit of iterations was reached"));
  CHECK(few.value == step(x));
  CHECK(few.value < step(vector_type{-1.2, 1}));

  p = exact();
  p.past = 1;
  p.delta = 0.5;
  optim::outcome const flat = optim::minimise(p, step, x);
  CHECK(flat.converged);
  CHECK(flat.reason == std::string("the value changes no more within the tolerance"));
}

TEST_CASE("bounds hold, and a model out of bounds comes back to them") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  LBFGSpp::LBFGSBParam<double> p;
  p.epsilon = 1e-10;
  p.past = 0;
  p.max_linesearch = 100;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  vector_type x{-1.2, 9};  // with x0 at most 1/2 the best x1 is x0 squared
  optim::outcome const end = optim::minimise(p, vector_type{-infinite, -infinite}, vector_type{0.5, 2}, step, x);
  CHECK(end.converged);
  CHECK(x(0) == 0.5);
  CHECK(x(1) == doctest::Approx(0.25).epsilon(1e-9));
  CHECK(end.value == doctest::Approx(0.25));
  CHECK_THROWS_WITH_AS(optim::minimise(p, vector_type{1, 0}, vector_type{0, 1}, step, x),
                       "etch: L-BFGS-B: a lower bound is not below its upper bound", etch::exception);
}

TEST_CASE("a value that is no number is avoided on the way, and refused at the beginning") {
  auto step = compile<wrt<0>>(with_log, 0.0);
  double x = 4;
  CHECK(optim::minimise(exact(), step, x).converged);
  CHECK(x == doctest::Approx(1).epsilon(1e-9));
  x = -1;
  CHECK_THROWS_WITH_AS(optim::minimise(exact(), step, x),
                       doctest::Contains("etch: L-BFGS: the value at the model given is"), etch::exception);
  CHECK(x == -1);
}

constexpr auto steep_with_log = [](auto x) { return sum(100 * x - log(x)); };

// The minimum is at 0.01, but the first step goes to where there is no logarithm.
TEST_CASE("an answer without a finite value is none, and the model is the best point found") {
  auto step = compile<wrt<0>>(steep_with_log, vector_type{});
  vector_type const start{0.1, 3};
  double const before = step(start);
  auto const check = [&](auto minimise, char const* words) {
    vector_type x = start;
    CHECK_THROWS_WITH_AS(minimise(x), doctest::Contains(words), etch::exception);
    double const after = step(x);
    CHECK(after <= before);
  };
  LBFGSpp::LBFGSBParam<double> bounded;
  bounded.max_iterations = 50;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  check([&](vector_type& x) { optim::minimise(bounded, vector_type{0, 0}, vector_type{infinite, infinite}, step, x); },
        "etch: L-BFGS-B: it ");
  for (int const most : {50, 0}) {
    parameters p;
    p.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;  // the only one that this search knows
    p.max_iterations = most;
    check([&](vector_type& x) { optim::minimise<LBFGSpp::LineSearchNocedalWright>(p, step, x); }, "etch: L-BFGS: it ");
  }
}

TEST_CASE("what LBFGSpp throws is etch's exception, and the model is the best point found") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  vector_type x{-1.2, 1};
  double const before = step(x);
  parameters wrong;
  wrong.m = -1;
  CHECK_THROWS_WITH_AS(optim::minimise(wrong, step, x), "etch: L-BFGS: 'm' must be positive", etch::exception);
  CHECK(x == vector_type{-1.2, 1});
  parameters armijo = exact();  // which does not keep the curvature positive
  armijo.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_ARMIJO;
  CHECK_THROWS_WITH_AS(optim::minimise(armijo, step, x),
                       doctest::Contains("etch: L-BFGS: the moving direction increases"), etch::exception);
  CHECK(step(x) < before);
}

}  // namespace
