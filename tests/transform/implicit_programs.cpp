// implicit: programs with their status and facts; parameters that are used twice, not at all, constant, or labels.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr auto square_root = implicit([](auto x, auto a) { return x * x - a; });

}  // namespace

TEST_CASE("in a program: values, gradients and a status") {
  auto const loss = [](auto a) { return square(square_root(1.0, a)) + square_root(1.0, a); };
  auto step = compile<wrt<0>>(loss, 1.0);
  CHECK(step(4.0) == doctest::Approx(6).epsilon(1e-15));
  CHECK(step.grad<0>() == doctest::Approx(1.25).epsilon(1e-15));
  CHECK(step.status() == status::ok);
  CHECK(std::isnan(step(-1.0)));  // there is none
  CHECK((step.status() & status::not_converged));
  CHECK(std::isnan(step.grad<0>()));
  CHECK(step(4.0) == doctest::Approx(6).epsilon(1e-15));
  CHECK(step.status() == status::ok);
  auto flat = compile<wrt<0>>([](auto a) { return implicit([](auto x, auto b) { return 0.0 * x + b; })(1.0, a); }, 1.0);
  CHECK(std::isnan(flat(1.0)));
  CHECK((flat.status() & status::singular));
  auto few = compile<wrt<>>([](auto a) { return implicit<3>([](auto x, auto b) { return x * x - b; })(1.0, a); }, 1.0);
  CHECK(std::isnan(few(1e6)));
  CHECK(few.status() == status::not_converged);
}

TEST_CASE("what is kept for the way back does not grow with the steps") {
  auto const with = []<int Max>(std::integral_constant<int, Max>) {
    return compile<wrt<0>>([](auto a) { return implicit<Max>([](auto x, auto b) { return x * x - b; })(1.0, a); }, 1.0);
  };
  auto few = with(std::integral_constant<int, 2>{});
  auto many = with(std::integral_constant<int, 1000>{});
  static_assert(decltype(few)::facts.workspace_bytes == decltype(many)::facts.workspace_bytes);
}

TEST_CASE("a parameter twice, none that is read, constants and labels among them") {
  auto const both = [](auto a) { return implicit([](auto x, auto p, auto q) { return x * x - p * q; })(1.0, a, a); };
  CHECK(both(3.0) == doctest::Approx(3).epsilon(1e-15));
  CHECK(grad(both)(3.0) == doctest::Approx(1).epsilon(1e-14));
  CHECK(std::abs(derivative<2>(both)(3.0)) < 1e-14);
  auto const unused = implicit([](auto x, auto a, auto) { return x - a; });
  CHECK(grad<wrt<1, 2>>(unused)(0.0, 2.0, tensor<double, 2>{1, 2}) == std::tuple(1.0, tensor<double, 2>{}));
  auto const constant = [](auto a) { return implicit([](auto x, auto b, auto c) { return x * b - c; })(1.0, 4.0, a); };
  CHECK(grad(constant)(2.0) == 0.25);
  auto const labelled = implicit([](auto x, auto table, auto at) { return x * x - sum(gather<0>(table, at)); });
  CHECK(labelled(1.0, tensor<double, 3>{1, 4, 9}, tensor<int, 1>{1}) == doctest::Approx(2).epsilon(1e-15));
  CHECK(same::distance(grad<wrt<1>>(labelled)(1.0, tensor<double, 3>{1, 4, 9}, tensor<int, 1>{1}),
                       tensor<double, 3>{0, 0.25, 0}) < 1e-15);
}
