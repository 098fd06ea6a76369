// quadratic_program: projections and minima under constraints, against Eigen and closed forms.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

/// A projection onto A x = b: x = p - Aᵀ (A Aᵀ)⁻¹ (A p - b).
constexpr auto projected = [](auto p, auto a, auto b) {
  return std::get<0>(quadratic_program(identity<5>() + 0.0 * outer(p, p), -p, a, b));
};
constexpr auto in_closed_form = [](auto p, auto a, auto b) {
  return p - transpose(a) * solve(a * transpose(a), a * p - b);
};

}  // namespace

TEST_CASE("a projection onto an affine set, its gradients and its Hessian") {
  auto const p = same::filled_with<tensor<double, 5>>(1);
  auto const a = same::filled_with<tensor<double, 2, 5>>(2);
  auto const b = same::filled_with<tensor<double, 2>>(3);
  auto const loss = [](auto q, auto c, auto d) { return sum(sin(projected(q, c, d))); };
  auto const expected = [](auto q, auto c, auto d) { return sum(sin(in_closed_form(q, c, d))); };
  same::check_same(std::integer_sequence<int, 0, 1, 2>{}, loss, expected, p, a, b);
  CHECK(same::distance(hessian(loss)(p, a, b), hessian(expected)(p, a, b)) < 1e-12);
}

TEST_CASE("a minimum and its multipliers, called with Eigen's types") {
  Eigen::Matrix3d q;
  q << 4, 1, 0, 1, 3, 0.5, 0, 0.5, 2;
  Eigen::Vector3d const c(1, -2, 0.5);
  Eigen::Matrix<double, 2, 3> a;
  a << 1, 1, 1, 1, -1, 0;
  Eigen::Vector2d const b(1, 0.5);
  auto const [x, l] = quadratic_program(q, c, a, b);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(x)>, Eigen::Vector3d>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(l)>, Eigen::Vector2d>);
  CHECK((a * x - b).norm() < 1e-14);
  CHECK((q * x + c + a.transpose() * l).norm() < 1e-14);
  // The multipliers are what the minimum changes by: d minimum / d b = -λ.
  auto const minimum = [](auto s, auto t, auto u, auto v) {
    auto const y = std::get<0>(quadratic_program(s, t, u, v));
    return 0.5 * quadratic_form(y, s) + sum(cwise_product(t, y));
  };
  tensor<double, 3, 3> const qt{4, 1, 0, 1, 3, 0.5, 0, 0.5, 2};
  tensor<double, 3> const ct{1, -2, 0.5};
  tensor<double, 2, 3> const at{1, 1, 1, -1, 1, 0};
  tensor<double, 2> const bt{1, 0.5};
  auto const by_b = grad<wrt<3>>(minimum)(qt, ct, at, bt);
  CHECK(by_b(0) == doctest::Approx(-l(0)).epsilon(1e-13));
  CHECK(by_b(1) == doctest::Approx(-l(1)).epsilon(1e-13));
  CHECK(check_gradient<2>(minimum, qt, ct, at, bt).ok);
}

TEST_CASE("one unknown, one constraint; a matrix that is not symmetric counts as its symmetric part; in constants") {
  constexpr auto one =
      quadratic_program(tensor<double, 1, 1>{2}, tensor<double, 1>{-4}, tensor<double, 1, 1>{1}, tensor<double, 1>{3});
  static_assert(std::get<0>(one)(0) == 3 && std::get<1>(one)(0) == -2);
  auto const skew = quadratic_program(tensor<double, 2, 2>{2, 1, -1, 2}, tensor<double, 2>{1, 0},
                                      tensor<double, 1, 2>{1, 1}, tensor<double, 1>{1});
  CHECK(std::get<0>(skew)(0) == doctest::Approx(0.25).epsilon(1e-15));
  CHECK(std::get<0>(skew)(1) == doctest::Approx(0.75).epsilon(1e-15));
  auto step =
      compile<wrt<>>([](auto s, auto t, auto u, auto v) { return sum(std::get<0>(quadratic_program(s, t, u, v))); },
                     tensor<double, 2, 2>{}, tensor<double, 2>{}, tensor<double, 1, 2>{}, tensor<double, 1>{});
  CHECK(std::isnan(
      step(tensor<double, 2, 2>{1, 0, 0, 1}, tensor<double, 2>{}, tensor<double, 1, 2>{}, tensor<double, 1>{1})));
  CHECK((step.status() & status::singular));
}
