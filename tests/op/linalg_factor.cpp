#include <etch/op/linalg/factor.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

TEST_CASE("where a decomposition fails, what depends on it is NaN, and the program's status says so") {
  tensor<double, 2, 2> const singular{1, 2, 2, 4}, good{2, 1, 1, 2}, indefinite{1, 2, 2, 1};
  tensor<double, 2> const b{1, 1};
  auto step = compile<wrt<0, 1>>([](auto a, auto y) { return sum(solve(a, y)); }, good, b);
  CHECK(step(good, b) == doctest::Approx(2.0 / 3));
  CHECK(step.status() == status::ok);
  CHECK(std::isnan(step(singular, b)));
  CHECK(step.status() == status::singular);
  for (double e : step.grad<0>()) CHECK(std::isnan(e));
  for (double e : step.grad<1>()) CHECK(std::isnan(e));
  CHECK(std::isfinite(step(good, b)));  // a failure is not remembered
  CHECK(step.status() == status::ok);

  auto root = compile<wrt<0>>([](auto a) { return sum(cholesky(a)); }, good);
  CHECK(std::isfinite(root(good)));
  CHECK(root.status() == status::ok);
  CHECK(std::isnan(root(indefinite)));
  CHECK(root.status() == status::not_positive_definite);
  for (double e : root.grad<0>()) CHECK(std::isnan(e));
  CHECK(std::isnan(root(tensor<double, 2, 2>{std::nan(""), 0, 0, 1})));

  auto both = compile<wrt<0>>([](auto a) { return sum(cholesky(a)) + sum(inverse(a)); }, good);
  static_cast<void>(both(tensor<double, 2, 2>{0, 0, 0, 0}));
  CHECK((both.status() & status::singular));
  CHECK((both.status() & status::not_positive_definite));

  auto volume = compile<wrt<0>>([](auto a) { return det(a); }, good);
  CHECK(volume(singular) == 0);
  CHECK(volume.status() == status::singular);
  auto logarithm = compile<wrt<0>>([](auto a) { return logdet(a); }, good);
  CHECK(logarithm(good) == doctest::Approx(std::log(3)));
  CHECK(std::isnan(logarithm(tensor<double, 2, 2>{0, 1, 1, 0})));  // determinant -1
  for (double e : logarithm.grad<0>()) CHECK(std::isnan(e));
  CHECK(logarithm(singular) == -std::numeric_limits<double>::infinity());
  CHECK(logarithm.status() == status::singular);

  auto triangle = compile<wrt<0>>([](auto a, auto y) { return sum(triangular_solve(a, y)); }, good, b);
  CHECK(std::isnan(triangle(tensor<double, 2, 2>{1, 1, 0, 0}, b)));
  CHECK(triangle.status() == status::singular);
  // The other triangle is not read, and has gradient zero.
  CHECK(triangle(tensor<double, 2, 2>{1, 1, std::nan(""), 2}, b) == 1);
  CHECK(triangle.status() == status::ok);
  CHECK(triangle.grad<0>()(0, 1) == 0);
}
