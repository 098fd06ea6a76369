#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace own {

/// A manifold of the user's: positive numbers, whose steps multiply.
template <class T>
struct positive {
  using tangent = param<T, 1>;
  T value = 1;
  ETCH_MEMBERS(positive, value)

  friend constexpr positive retract(positive const& x, auto const& v) {
    positive y;
    if constexpr (scalar<T>) y.value = x.value * std::exp(v[0]);
    else y.value = x.value * exp(v(0));
    return y;
  }
};

}  // namespace own

namespace {

using own::positive;
constexpr auto f = [](auto const& x, auto const& a) { return a * square(x.value) + sin(x.value); };

double first(double x, double a) { return x * (2 * a * x + std::cos(x)); }
double second(double x, double a) { return x * (4 * a * x + std::cos(x) - x * std::sin(x)); }

}  // namespace

TEST_CASE("a manifold of the user's, in every transformation, outside of losses and inside") {
  double const x = 0.7, a = 1.5;
  positive<double> const p{x};
  using V = tensor<double, 1>;
  V const u(2.0);
  CHECK(grad(f)(p, a)[0] == doctest::Approx(first(x, a)));
  CHECK(hessian(f)(p, a)[0] == doctest::Approx(second(x, a)));
  CHECK(laplacian(f)(p, a) == doctest::Approx(second(x, a)));
  CHECK(hvp(f)(p, a, u)[0] == doctest::Approx(2 * second(x, a)));
  CHECK(jacobian(f)(p, a)[0] == doctest::Approx(first(x, a)));
  CHECK(jacfwd(f)(p, a)[0] == doctest::Approx(first(x, a)));
  CHECK(std::get<1>(vjp<wrt<0>>(f)(p, a, 3.0))[0] == doctest::Approx(3 * first(x, a)));
  CHECK(std::get<1>(jvp(f)(p, a, u, 0.0)) == doctest::Approx(2 * first(x, a)));
  auto const all = value_grad_hessian(f)(p, a);
  CHECK(all.value == doctest::Approx(a * x * x + std::sin(x)));
  CHECK(all.grad[0] == doctest::Approx(first(x, a)));

  constexpr auto within = [](auto const& q, auto const& b, auto const& v) {
    auto const [y, along] = jvp(f)(q, b, v, 0.0);
    return grad(f)(q, b)(0) + 10 * hessian(f)(q, b)(0, 0) + 100 * laplacian(f)(q, b) + 1000 * hvp(f)(q, b, v)(0) +
           1e4 * jacobian(f)(q, b)(0, 0) + 1e5 * along + 0 * y + 1e6 * std::get<1>(vjp<wrt<0>>(f)(q, b, 3.0))(0);
  };
  auto step = compile<wrt<1>>(within, p, a, u);
  double const g = first(x, a), h = second(x, a);
  double const want = g + 10 * h + 100 * h + 2000 * h + 1e4 * g + 2e5 * g + 3e6 * g;
  CHECK(step(p, a, u) == doctest::Approx(want));
  CHECK(dynamic::value_and_grad<wrt<1>>(within)(p, a, u).value == doctest::Approx(want));
  // By a: of g it is 2 x², of h 4 x².
  CHECK(step.grad<1>() == doctest::Approx(x * x * (2 * (1 + 1e4 + 2e5 + 3e6) + 4 * 2110)));
}

TEST_CASE("derivatives along tangent vectors nest") {
  constexpr auto slope = [](auto const& x, auto const& a) { return square(grad(f)(x, a)(0)); };
  double const x = 0.7, a = 1.5;
  positive<double> const p{x};
  double const want = 2 * first(x, a) * second(x, a);
  CHECK(grad(slope)(p, a)[0] == doctest::Approx(want));
  CHECK(compile<wrt<0>>(slope, p, a).grad<0>()[0] == 0);
  auto step = compile<wrt<0>>(slope, p, a);
  step(p, a);
  CHECK(step.grad<0>()[0] == doctest::Approx(want));
  CHECK(dynamic::grad(slope)(p, a)[0] == doctest::Approx(want));
}

TEST_CASE("an infinity beside a manifold is no NaN of the retraction") {
  constexpr auto loss = [](auto const& x, auto const& p) { return sum(act(x, p)) * 1.0; };
  manifold::se3<double> far;
  far.x = math::infinity<double>;
  tensor<double, 6> const g = grad(loss)(far, tensor<double, 3>{1, 2, 3});
  double const want[]{1, 1, 1, -1, 2, -1};
  for (std::size_t i = 0; i < 6; ++i) CHECK(g[i] == want[i]);
}
