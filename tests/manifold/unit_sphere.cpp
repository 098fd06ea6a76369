#include <etch/manifold/unit_sphere.hpp>

#include "manifold/differences.hpp"

using namespace elements;
using namespace etch::manifold;

namespace {

template <int N>
unit_sphere<double, N> direction(unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  tensor<double, N> v;
  double squares = 0;
  for (double& each : v) each = normal(engine), squares += each * each;
  for (double& each : v) each /= std::sqrt(squares);
  return unit_sphere<double, N>(v);
}
template <int N>
double dot_of(unit_sphere<double, N> const& a, unit_sphere<double, N> const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += a.vector[i] * b.vector[i];
  return sum;
}
constexpr auto quadratic = [](auto const& x, auto const& w) {
  auto const& v = x.vector;
  return dot(v, w) + v(0) * v(1) + sum(cube(v));
};
constexpr auto angle = [](auto const& x, auto const& y) {
  auto const v = local(x, y);
  return dot(v, v);
};

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("steps along arcs and back", S, arcs) {
  using V = typename S::tangent;
  constexpr int n = static_cast<int>(V::count);
  std::vector<S> points{S()};
  for (unsigned seed = 0; seed < 4; ++seed) points.push_back(direction<n + 1>(seed));
  S opposite;
  opposite.vector[n] = -1;
  points.push_back(opposite);
  for (S const& x : points)
    for (double length : {0.0, 1e-300, 1e-9, 1e-4, 0.5, 2.0, 3.1}) {
      CAPTURE(length);
      V v;
      for (int i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = (i % 2 == 0 ? length : -length) / std::sqrt(n);
      S const y = retract(x, v);
      CHECK(dot_of(y, y) == doctest::Approx(1).epsilon(1e-14));
      CHECK(dot_of(x, y) == doctest::Approx(std::cos(length)).epsilon(1e-14));
      CHECK(distance(local(x, y), v) < 1e-13);
    }
}
TEST_CASE_TEMPLATE_INVOKE(arcs, unit_sphere<double, 2>, unit_sphere<double, 3>, unit_sphere<double, 4>,
                          unit_sphere<double, 7>);

TEST_CASE("the gradient by a direction has an entry less") {
  tensor<double, 4> const w{1, -2, 0.5, 3};
  using S = unit_sphere<double, 4>;
  auto step = compile<wrt<0>>(quadratic, S(), w);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(step.grad<0>())>, tensor<double, 3>>);
  for (unsigned seed = 0; seed < 6; ++seed) {
    S const x = seed == 5 ? S() : direction<4>(seed);
    auto const value = [&](S const& y) { return step(y, w); };
    step(x, w);
    tensor<double, 3> const g = step.grad<0>();
    CHECK(distance(g, gradient_by_differences(value, x)) < 1e-9);
    CHECK(distance(g, grad(quadratic)(x, w)) == 0);
    CHECK(distance(g, dynamic::grad(quadratic)(x, w)) < 1e-14);
    tensor<double, 3, 3> const h = hessian(quadratic)(x, w);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) CHECK(std::abs(h(i, j) - second_difference(value, x, i, j)) < 1e-6);
  }
}

TEST_CASE("the square of the angle between two directions, where they are equal and where they are not") {
  using S = unit_sphere<double, 3>;
  for (double length : {0.0, 1e-9, 1e-4, 0.5, 2.0, 3.0}) {
    S const x = direction<3>(1), y = retract(x, tensor<double, 2>{0.6 * length, 0.8 * length});
    auto const [of_x, of_y] = grad<wrt<0, 1>>(angle)(x, y);
    CHECK(of_x(0) == doctest::Approx(-2 * 0.6 * length).epsilon(1e-9));
    CHECK(of_x(1) == doctest::Approx(-2 * 0.8 * length).epsilon(1e-9));
    CHECK(std::hypot(of_y(0), of_y(1)) == doctest::Approx(2 * length).epsilon(1e-9));
    tensor<double, 2, 2> const h = hessian(angle)(x, y);
    // Along the arc the square of an angle; across it angle cot(angle).
    double const across = length == 0 ? 1 : length / std::tan(length);
    CHECK(h(0, 0) == doctest::Approx(2 * (0.36 + 0.64 * across)).epsilon(1e-7));
    CHECK(h(1, 0) == doctest::Approx(2 * 0.48 * (1 - across)).epsilon(1e-7));
  }
}
