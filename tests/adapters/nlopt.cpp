#include "adapters/problems.hpp"

#include <etch/optim/nlopt.hpp>

#include <string>

namespace {

using namespace etch;
using namespace problems;

using vector_type = tensor<double, 2>;

nlopt::opt exact(nlopt::algorithm algorithm, std::size_t size) {
  nlopt::opt optimiser(algorithm, static_cast<unsigned>(size));
  optimiser.set_ftol_abs(1e-24);
  optimiser.set_xtol_abs(1e-12);
  optimiser.set_maxeval(5000);
  return optimiser;
}

TEST_CASE("Rosenbrock's valley ends at (1, 1), with gradients and without") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  for (auto const algorithm : {nlopt::LD_LBFGS, nlopt::LD_SLSQP, nlopt::LD_TNEWTON, nlopt::LN_NELDERMEAD}) {
    CAPTURE(algorithm);
    nlopt::opt optimiser = exact(algorithm, 2);
    vector_type x{-1.2, 1};
    optim::outcome const end = optim::minimise(optimiser, step, x);
    CHECK(end.converged);
    CHECK(end.value == step(x));
    CHECK(end.evaluations > 10);
    CHECK(x(0) == doctest::Approx(1).epsilon(1e-6));
    CHECK(x(1) == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("a model is a struct, of float as of double") {
  auto const check = []<class T>(T, double tolerance) {
    parts<T> x{}, minimum{{1, -2, 3, -4}, 5};
    auto step = compile<wrt<0>>(bowl, x, minimum);
    nlopt::opt optimiser = exact(nlopt::LD_LBFGS, optim::flat_size<parts<T>>);
    CHECK(optim::minimise(optimiser, step, x, minimum).converged);
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
  nlopt::opt optimiser = exact(nlopt::LD_SLSQP, features);
  CHECK(optim::minimise(optimiser, step, w, d.x, d.labels).converged);
  for (int k = 0; k < features; ++k) CHECK(w(k) == doctest::Approx(static_cast<double>(expected(k))).epsilon(1e-7));
}

TEST_CASE("bounds and constraints are the optimiser's own") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  nlopt::opt optimiser = exact(nlopt::LD_SLSQP, 2);
  optimiser.set_upper_bounds({0.5, 2});
  vector_type x{-1.2, 1};
  CHECK(optim::minimise(optimiser, step, x).value == doctest::Approx(0.25));
  CHECK(x(0) == doctest::Approx(0.5));
  CHECK(x(1) == doctest::Approx(0.25));
}

TEST_CASE("how it ended is said in words") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  nlopt::opt optimiser(nlopt::LD_LBFGS, 2);
  optimiser.set_maxeval(5);
  vector_type x{-1.2, 1};
  optim::outcome end = optim::minimise(optimiser, step, x);
  CHECK_FALSE(end.converged);
  CHECK(end.reason == std::string("the limit of evaluations was reached"));
  CHECK(end.evaluations == optimiser.get_numevals() + 1);  // of the model as it was given, and NLopt's
  optimiser.set_maxeval(0);
  optimiser.set_stopval(1);
  end = optim::minimise(optimiser, step, x = {-1.2, 1});
  CHECK(end.converged);
  CHECK(end.value <= 1);
  CHECK(end.reason == std::string("the value to stop at was reached"));
}

TEST_CASE("values that are no numbers on the way do not end it") {
  auto step = compile<wrt<0>>(with_log, 0.0);
  for (auto const algorithm : {nlopt::LD_LBFGS, nlopt::LD_SLSQP, nlopt::LN_NELDERMEAD}) {
    CAPTURE(algorithm);
    nlopt::opt optimiser = exact(algorithm, 1);
    double x = 1000;  // first steps are of the length of the gradient, or more
    CHECK(optim::minimise(optimiser, step, x).converged);
    CHECK(x == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("mistakes throw, and the model stays") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  vector_type x{-1.2, 1};
  nlopt::opt other(nlopt::LD_LBFGS, 3);
  CHECK_THROWS_WITH_AS(optim::minimise(other, step, x),
                       doctest::Contains("the model has 2 entries, the optimiser was made for 3"), etch::exception);
  nlopt::opt bounded(nlopt::LD_LBFGS, 2);
  bounded.set_upper_bounds({-2, -2});  // where the model is not
  CHECK_THROWS_AS(optim::minimise(bounded, step, x), etch::exception);
  CHECK(x == vector_type{-1.2, 1});
  auto step_of_log = compile<wrt<0>>(with_log, 0.0);
  nlopt::opt one(nlopt::LD_LBFGS, 1);
  double y = -1;
  CHECK_THROWS_WITH_AS(optim::minimise(one, step_of_log, y), doctest::Contains("the value at the model given is"),
                       etch::exception);
  CHECK(y == -1);
}

/// A program that fails in its third call.
struct failing {
  vector_type gradient{1, 1};
  int calls = 0;
  template <int>
  vector_type const& grad() const {
    return gradient;
  }
  double operator()(vector_type const& x) {
    if (++calls == 3) throw std::runtime_error("the sensor is gone");
    return x(0) + x(1);
  }
};

TEST_CASE("what the program throws is said") {
  for (auto const algorithm : {nlopt::LD_LBFGS, nlopt::LD_SLSQP, nlopt::LN_NELDERMEAD}) {
    CAPTURE(algorithm);
    failing step;
    nlopt::opt optimiser(algorithm, 2);
    optimiser.set_maxeval(10);
    vector_type x{1, 1};
    CHECK_THROWS_WITH_AS(optim::minimise(optimiser, step, x), doctest::Contains(": the sensor is gone"),
                         etch::exception);
    CHECK(step.calls == 3);
  }
}

TEST_CASE("the optimiser refers to nothing when it has ended") {
  auto step = compile<wrt<0>>(rosenbrock, vector_type{});
  nlopt::opt optimiser = exact(nlopt::LD_LBFGS, 2);
  vector_type x{-1.2, 1};
  optim::minimise(optimiser, step, x);
  std::vector<double> y{0, 0};
  double value = 0;
  CHECK_THROWS_AS(optimiser.optimize(y, value), std::invalid_argument);
}

}  // namespace
