// sparse_least_squares: agrees with least_squares; known minima of chains, of poses, of what influences nothing.
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
  auto fit = optim::sparse_least_squares(
      [](auto m, auto t) { return m.slope * t + m.shift - (3.0 - 2.0 * t); }, l, tensor<double, 4>{});
  auto const ended = fit.minimise({.damping = 0}, l, tensor<double, 4>{0, 1, 2, 3});
  CHECK(ended.converged);
  CHECK(ended.iterations == 1);
  CHECK(l.slope == doctest::Approx(-2).epsilon(1e-13));
  CHECK(l.shift == doctest::Approx(3).epsilon(1e-13));
  CHECK(l.unused == 7);
}

TEST_CASE("poses of a ring, each measured from the one before, close it") {
  using pose = manifold::se2<double>;
  constexpr int n = 4;
  std::array<pose, n> ring;
  constexpr double turn = 2 * 3.14159265358979323846 / n;
  auto const motion = pose::exp(tensor<double, 3>{1, 0.1, turn});
  // The first pose is held where it begins; the others begin off their place.
  pose at{};
  for (int i = 0; i < n; ++i) {
    ring[static_cast<std::size_t>(i)] = compose(at, pose::exp(tensor<double, 3>{0.1 * (i % 3), -0.05 * i, 0.02 * i}));
    at = compose(at, motion);
  }
  ring[0] = pose{};
  constexpr auto residuals = [](auto poses, auto step) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple(log(std::get<0>(poses)), local(compose(std::get<I>(poses), step), std::get<I + 1>(poses))...);
    }(std::make_index_sequence<n - 1>{});
  };
  auto fit = optim::sparse_least_squares(residuals, ring, motion);
  auto const ended = fit.minimise(ring, motion);
  CHECK(ended.converged);
  CHECK(ended.value < 1e-20);
  pose expected{};
  for (int i = 0; i < n; ++i) {
    auto const off = local(expected, ring[static_cast<std::size_t>(i)]);
    for (int k = 0; k < 3; ++k) CHECK(std::abs(off(k)) < 1e-9);
    expected = compose(expected, motion);
  }
}

TEST_CASE("no finite value to begin with is an error") {
  auto fit = optim::sparse_least_squares([](auto v) { return log(v); }, tensor<double, 2>{});
  tensor<double, 2> x{-1, 1};
  CHECK_THROWS_WITH_AS(fit.minimise(x), doctest::Contains("sparse_least_squares"), std::exception);
}
