// fixed_point: limits of iterations, with the gradients of as many steps as it takes.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

TEST_CASE("fixed points: cosines, a system that contracts, none") {
  auto const cosine = fixed_point([](auto x, auto a) { return cos(a * x); });
  double const x = cosine(0.5, 1.0);
  CHECK(x == doctest::Approx(0.7390851332151607).epsilon(1e-15));
  // x' = -x sin(x) / (1 + sin(x)) by a at 1.
  CHECK(grad<wrt<1>>(cosine)(0.5, 1.0) == doctest::Approx(-x * std::sin(x) / (1 + std::sin(x))).epsilon(1e-13));
  CHECK(
      check_gradient<2>([](auto a) { return fixed_point([](auto y, auto b) { return cos(b * y); })(0.5, a); }, 1.0).ok);
  auto const w = same::filled_with<tensor<double, 5, 5>>(3);
  auto const v = same::filled_with<tensor<double, 5>>(4);
  tensor<double, 5, 5> small;
  for (std::size_t i = 0; i < w.size(); ++i) small.data()[i] = 0.3 * w.data()[i];
  auto const sum_of = [](auto a, auto b) {
    return sum(square(fixed_point([](auto h, auto c, auto d) { return tanh(c * h + d); })(0.0 * b, a, b)));
  };
  auto const many_steps = [](auto a, auto b) {
    return sum(square(repeat<300>([&](auto h) { return tanh(a * h + b); }, 0.0 * b)));
  };
  same::check_same(std::integer_sequence<int, 0, 1>{}, sum_of, many_steps, small, v);
  auto diverges = compile<wrt<>>([](auto a) { return fixed_point([](auto y, auto b) { return b * y; })(1.0, a); }, 1.0);
  CHECK(std::isnan(diverges(2.0)));
  CHECK(diverges.status() == status::not_converged);
  CHECK(std::abs(diverges(0.5)) < 1e-30);
}
