// sparse_least_squares: agrees with least_squares; known minima of chains, of what influences nothing.
#include <etch/etch.hpp>

#include <etch/optim/least_squares.hpp>
#include <etch/optim/sparse_least_squares.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// Rosenbrock's function in a chain: 10 (x[i + 1] - x[i]²), 1 - x[i].
constexpr auto chain = [](auto x) {
  constexpr int n = decltype(x)::extent[0];
  auto const left = slice<0, 0, n - 1>(x), right = slice<0, 1, n - 1>(x);
  return std::tuple(10.0 * (right - square(left)), 1.0 - left);
};

template <class T, int N>
tensor<T, N> beginning() {
  tensor<T, N> x;
  for (int i = 0; i < N; ++i) x(i) = static_cast<T>(i % 2 == 0 ? -1.2 : 1);
  return x;
}

template <class T>
struct line {
  param<T> slope, shift, unused;
  ETCH_MEMBERS(line, slope, shift, unused)
};

}  // namespace

TEST_CASE("each step is that of the dense normal equations") {
  auto const start = beginning<double, 7>();
  auto sparse = optim::sparse_least_squares(chain, start);
  auto dense = optim::least_squares(chain, start);
  static_assert(decltype(sparse)::facts.nonzeros == 18 && decltype(sparse)::facts.colours <= 3);
  for (double damping : {0.0, 1e-3, 10.0})
    for (int steps = 1; steps < 5; ++steps) {
      CAPTURE(damping);
      CAPTURE(steps);
      auto x = start, y = start;
      auto const a = sparse.minimise({.most_iterations = steps, .damping = damping}, x),
                 b = dense.minimise({.most_iterations = steps, .damping = damping}, y);
      CHECK(a.value == doctest::Approx(b.value).epsilon(1e-10));
      CHECK(a.evaluations == b.evaluations);
      for (int i = 0; i < 7; ++i) CHECK(x(i) == doctest::Approx(y(i)).epsilon(1e-9));
      for (int i = 0; i < 7; ++i)
        CHECK(std::abs(sparse.gradient()(i) - dense.gradient()(i)) < 1e-8 * (1 + std::abs(dense.gradient()(i))));
    }
}

TEST_CASE("a long chain ends in its minimum, in double and in float") {
  tensor<double, 300> x;
  for (int i = 0; i < 300; ++i) x(i) = 1 + 0.3 * (i % 3 - 1);
  auto fit = optim::sparse_least_squares(chain, x);
  CHECK(decltype(fit)::facts.colours <= 3);
  auto const ended = fit.minimise(x);
  CHECK(ended.converged);
  CHECK(ended.value < 1e-20);
  for (int i = 0; i < 300; ++i) CHECK(x(i) == doctest::Approx(1).epsilon(1e-9));
  CHECK(fit.jacobian().nonZeros() == 897);

  tensor<float, 12> y;
  for (int i = 0; i < 12; ++i) y(i) = i % 2 == 0 ? 0.8f : 1.2f;
  auto rough = optim::sparse_least_squares(chain, y);
  CHECK(rough.minimise({.gradient_tolerance = 1e-4, .step_tolerance = 1e-6}, y).converged);
  for (int i = 0; i < 12; ++i) CHECK(y(i) == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("linear problems take one step; a number without influence stays; structs and data") {
  line<double> l{};
  l.slope = 5, l.shift = -1, l.unused = 7;
  auto fit = optim::sparse_least_squares([](auto m, auto t) { return m.slope * t + m.shift - (3.0 - 2.0 * t); }, l,
                                         tensor<double, 4>{});
  auto const ended = fit.minimise({.damping = 0}, l, tensor<double, 4>{0, 1, 2, 3});
  CHECK(ended.converged);
  CHECK(ended.iterations == 1);
  CHECK(l.slope == doctest::Approx(-2).epsilon(1e-13));
  CHECK(l.shift == doctest::Approx(3).epsilon(1e-13));
  CHECK(l.unused == 7);
}

TEST_CASE("in float a minimisation ends where the value cannot be told from the next") {
  // Misra1a of NIST's reference problems, whose sum of squares at the minimum is 0.12455.
  tensor<float, 14> const at{77.6f,  114.9f, 141.1f, 190.8f, 239.9f, 289.0f, 332.8f,
                             378.4f, 434.8f, 477.3f, 536.8f, 593.1f, 689.1f, 760.0f},
      seen{10.07f, 14.73f, 17.94f, 23.93f, 29.61f, 35.18f, 40.02f,
           44.82f, 50.76f, 55.05f, 61.01f, 66.40f, 75.47f, 81.78f};
  constexpr auto misra = [](auto b, auto x, auto y) { return b(0) * (1 - exp(-b(1) * x)) - y; };
  tensor<float, 2> b{500, 1e-4f};
  auto fit = optim::sparse_least_squares(misra, b, at, seen);
  auto const ended = fit.minimise(b, at, seen);
  CHECK(ended.converged);
  CHECK(ended.iterations < 40);
  CHECK(2 * ended.value == doctest::Approx(0.124551389).epsilon(1e-3));
  CHECK(b(0) == doctest::Approx(238.94).epsilon(1e-2));
}

TEST_CASE("normal equations that are singular in float are damped; a wall of NaN is no minimum") {
  tensor<float, 8, 6> a;
  tensor<float, 8> y;
  for (int i = 0; i < 8; ++i) {
    y(i) = i % 2 == 0 ? -0.01f : 0.01f;
    for (int j = 0; j < 6; ++j) y(i) += a(i, j) = 1 / static_cast<float>(i + j + 1);
  }
  constexpr auto linear = [](auto x, auto m, auto r) { return m * x - r; };
  double const least = 2.06698e-4;  // by a factorisation of the matrix itself, in double
  tensor<float, 6> x{}, z{};
  auto sparse = optim::sparse_least_squares(linear, x, a, y);
  auto dense = optim::least_squares(linear, z, a, y);
  double const first = sparse.minimise({.damping = 0}, x, a, y).value,
               second = dense.minimise({.damping = 0}, z, a, y).value;
  CHECK(first < 1.5 * least);
  CHECK(second < 1.5 * least);

  tensor<double, 2> w{4, 0};
  auto root = optim::least_squares([](auto v) { return std::tuple(10 * sqrt(v(0)) + 1, v(1) - 3); }, w);
  auto const stopped = root.minimise(w);
  CHECK(!stopped.converged);
}

TEST_CASE("no finite value to begin with is an error") {
  auto fit = optim::sparse_least_squares([](auto v) { return log(v); }, tensor<double, 2>{});
  tensor<double, 2> x{-1, 1};
  CHECK_THROWS_WITH_AS(fit.minimise(x), doctest::Contains("sparse_least_squares"), std::exception);
}
