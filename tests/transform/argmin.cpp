// argmin: minima against closed forms, with their gradients and Hessians.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

// Ridge regression, with its closed form: the weights, and a loss of them elsewhere.
constexpr auto ridge = [](auto w, auto x, auto y, auto penalty) {
  return sum(square(x * w - y)) + penalty * sum(square(w));
};
constexpr auto by_minimum = [](auto x, auto y, auto penalty) {
  auto const w = argmin(ridge)(0.0 * (transpose(x) * y), x, y, penalty);
  return sum(w * w(0)) + sum(sin(w));
};
constexpr auto in_closed_form = [](auto x, auto y, auto penalty) {
  auto const w = solve(transpose(x) * x + penalty * identity<3>(), transpose(x) * y);
  return sum(w * w(0)) + sum(sin(w));
};

}  // namespace

TEST_CASE("ridge regression: weights, gradients and Hessians of the closed form") {
  auto const x = same::filled_with<tensor<double, 7, 3>>(1);
  auto const y = same::filled_with<tensor<double, 7>>(2);
  double const value = value_and_grad(by_minimum)(x, y, 0.5).value;
  CHECK(value == doctest::Approx(value_and_grad(in_closed_form)(x, y, 0.5).value).epsilon(1e-13));
  auto const g = grad<wrt<0, 1, 2>>(by_minimum)(x, y, 0.5), e = grad<wrt<0, 1, 2>>(in_closed_form)(x, y, 0.5);
  CHECK(same::distance(std::get<0>(g), std::get<0>(e)) < 1e-12);
  CHECK(same::distance(std::get<1>(g), std::get<1>(e)) < 1e-12);
  CHECK(std::get<2>(g) == doctest::Approx(std::get<2>(e)).epsilon(1e-12));
  auto const of_y = [](auto b, auto a, auto c) { return by_minimum(a, b, c); };
  auto const of_y_closed = [](auto b, auto a, auto c) { return in_closed_form(a, b, c); };
  CHECK(same::distance(hessian(of_y)(y, x, 0.5), hessian(of_y_closed)(y, x, 0.5)) < 1e-11);
  auto const f =
      grad<wrt<2>>(by_minimum)(same::filled_with<tensor<float, 7, 3>>(1), same::filled_with<tensor<float, 7>>(2), 0.5f);
  CHECK(f == doctest::Approx(std::get<2>(e)).epsilon(1e-4));
}

TEST_CASE("the places of the least entries are still argmin's") {
  CHECK(argmin(tensor<double, 3>{2, 1, 3}) == 1);
  auto const place = [](auto x) { return argmin<0>(x) + 0.0 * sum(x); };
  CHECK(compile<wrt<>>(place, tensor<double, 3>{})(tensor<double, 3>{2, 1, 3})[0] == 1);
}
