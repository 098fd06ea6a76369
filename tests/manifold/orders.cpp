#include "manifold/differences.hpp"

using namespace elements;
using namespace etch::manifold;

namespace {

constexpr auto through_log = [](auto const& x, auto const& w) {
  auto const v = log(x);
  return dot(cwise_product(v, v), w) + dot(sin(v), w);
};
using point = tensor<double, 3>;
point const p{1, 2, 3}, c{0.3, -0.4, 0.5};

double dot_of(auto const& a, auto const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
point cross_of(point const& a, point const& b) {
  return {a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0)};
}

}  // namespace

TEST_CASE("all derivatives of exp along a line at no rotation, to order 6") {
  // The n-th derivative of c · exp(t a) p at t = 0 is c · (a × (a × ... p)).
  constexpr auto on_line = [](auto const& t) {
    auto const a = stack<0>(0.6 * t, -0.3 * t, 0.8 * t);
    auto const y = act(etch::manifold::exp<so3>(a), std::array{1.0, 2.0, 3.0});
    return 0.3 * y(0) - 0.4 * y(1) + 0.5 * y(2);
  };
  point const a{0.6, -0.3, 0.8};
  point want = p;
  auto const check = [&]<int N>(std::integral_constant<int, N>) {
    want = cross_of(a, want);
    CHECK(derivative<N>(on_line)(0.0) == doctest::Approx(dot_of(c, want)).epsilon(1e-14));
  };
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (check(std::integral_constant<int, N + 1>{}), ...);
  }(std::make_integer_sequence<int, 6>{});
  CHECK(grad(grad(grad(on_line)))(0.0) == doctest::Approx(derivative<3>(on_line)(0.0)).epsilon(1e-14));
}

TEST_CASE("log of exp is straight, to order 4, wherever on the line") {
  constexpr auto on_line = [](auto const& t) {
    auto const w = log(etch::manifold::exp<so3>(stack<0>(0.6 * t, 0.0 * t, 0.8 * t)));
    return w(0) + 5 * w(2);
  };
  constexpr auto of_motions = [](auto const& t) {
    auto const v = stack<0>(1.0 * t, 2.0 * t, -0.5 * t, 0.6 * t, 0.0 * t, 0.8 * t);
    auto const w = log(etch::manifold::exp<se3>(v));
    return w(0) + 2 * w(3) + 3 * w(5);
  };
  for (double t : {0.0, 1e-300, 1e-9, 1e-8, 1e-4, 0.01, 0.5, 2.0, 3.0, 3.1415}) {
    CAPTURE(t);
    CHECK(derivative<1>(on_line)(t) == doctest::Approx(4.6).epsilon(t > 3.1 ? 1e-9 : 1e-12));
    CHECK(derivative<1>(of_motions)(t) == doctest::Approx(4.6).epsilon(t > 3.1 ? 1e-9 : 1e-12));
    CHECK(std::abs(derivative<2>(on_line)(t)) < (t > 2.9 ? 1e-9 : 1e-12));
    CHECK(std::abs(derivative<2>(of_motions)(t)) < (t > 2.9 ? 1e-9 : 1e-12));
    CHECK(std::abs(derivative<3>(on_line)(t)) < (t > 2.9 ? 1e-7 : 1e-11));
    CHECK(std::abs(derivative<4>(on_line)(t)) < (t > 2.9 ? 1e-5 : 1e-10));
  }
}

TEST_CASE("derivatives nest: the gradient of the norm of a gradient") {
  constexpr auto penalty = [](auto const& x, auto const& w) {
    auto const g = grad(through_log)(x, w);
    return sum(square(g));
  };
  point const w{0.3, 0.5, 0.7};
  auto step = compile<wrt<0>>(penalty, so3<double>(), w);
  for (double angle : {0.0, 1e-8, 0.5, 2.5}) {
    so3<double> const x = so3<double>::exp(tangents<so3<double>>({angle})[0]);
    step(x, w);
    auto const g = step.grad<0>();
    CHECK(distance(g, gradient_by_differences([&](so3<double> const& y) { return step(y, w); }, x)) < 1e-8);
    CHECK(distance(g, dynamic::grad(penalty)(x, w)) < 1e-12);
  }
}
