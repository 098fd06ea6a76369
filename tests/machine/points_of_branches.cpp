// Points in lanes whose bodies choose: branches and loops that run at some points and not at others.
#include <etch/etch.hpp>

#include "machine/in_lanes.hpp"
#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace etch;
using values::filled_with;

namespace {

constexpr auto pieces = [](auto w, auto xs) {
  return map(
      [&](auto x) { return cond(x > 0.0, [&](auto a) { return sqrt(a) * a * w; }, [](auto a) { return -a; }, x); }, xs);
};
constexpr auto sum_of_pieces = [](auto w, auto xs) { return sum(square(pieces(w, xs))); };

constexpr auto root_of = [](auto x) {
  return while_loop<60>([&](auto y) { return abs(y * y - x) > 1e-12; }, [&](auto y) { return 0.5 * (y + x / y); },
                        0.0 * x + 1.0);
};
constexpr auto roots = [](auto xs) { return map(root_of, xs); };
constexpr auto sum_of_roots = [](auto xs) { return sum_map(root_of, xs); };

}  // namespace

TEST_CASE("a branch is taken point by point; what the other would give does not arrive") {
  tensor<double, 13> xs;
  for (int n = 0; n < 13; ++n) xs(n) = n % 3 == 1 ? -0.25 * n : 0.5 * n;
  static auto step = compile<wrt<0, 1>>(sum_of_pieces, 1.5, xs);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(step)>>);
  double value = step(1.5, xs), by_w = 0;
  for (int n = 0; n < 13; ++n) {
    double const x = xs(n);
    value -= x > 0 ? 2.25 * x * x * x : x * x;
    by_w += x > 0 ? 3 * x * x * x : 0;
    CHECK(step.grad<1>()(n) == doctest::Approx(x > 0 ? 6.75 * x * x : 2 * x));
  }
  CHECK(std::abs(value) < 1e-10);
  CHECK(step.grad<0>() == doctest::Approx(by_w));
  // All points on one side: the other branch does not run.
  tensor<double, 13> below;
  below.fill(-2);
  CHECK(step(1.5, below) == 13 * 4);
  CHECK(step.grad<0>() == 0);
}

TEST_CASE("a NaN on the way into a branch that is not taken stays out of it") {
  constexpr auto loss = [](auto xs) {
    return sum_map(
        [](auto x) {
          auto const y = log(x(0));
          return cond(
              x(1) > 0.0, [](auto a) { return a * a; }, [](auto a) { return 0.0 * a + 3.0; },
              select(x(1) > 0.0, y, 1.0));
        },
        xs);
  };
  tensor<double, 2, 9> xs;
  for (int n = 0; n < 9; ++n) xs(0, n) = n % 2 == 0 ? 2 : -1, xs(1, n) = n % 2 == 0 ? 1 : -1;
  static auto step = compile<wrt<0>>(loss, xs);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(step)>>);
  CHECK(step(xs) == doctest::Approx(5 * std::log(2.0) * std::log(2.0) + 4 * 3));
  for (int n = 0; n < 9; ++n) CHECK(step.grad<0>()(0, n) == doctest::Approx(n % 2 == 0 ? std::log(2.0) : 0));
}

TEST_CASE("each point takes as many steps as it needs") {
  tensor<double, 11> xs;
  for (int n = 0; n < 11; ++n) xs(n) = n == 4 ? 1 : std::pow(7.0, n - 3);
  static auto values = compile<wrt<>>(roots, xs);
  static auto step = compile<wrt<0>>(sum_of_roots, xs);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(values)>> &&
                is_in_lanes<std::remove_reference_t<decltype(step)>>);
  auto const& y = values(xs);
  step(xs);
  for (int n = 0; n < 11; ++n) {
    double at = 1, slope = 0;  // forward in plain numbers
    for (int k = 0; k < 60 && std::abs(at * at - xs(n)) > 1e-12; ++k) {
      slope = 0.5 * (slope + (1 - xs(n) / at * slope) / at);
      at = 0.5 * (at + xs(n) / at);
    }
    CHECK(y(n) == at);
    CHECK(step.grad<0>()(n) == doctest::Approx(slope).epsilon(1e-12));
  }
}

TEST_CASE("a factorisation in a branch fails only where the branch is taken") {
  constexpr auto loss = [](auto xs) {
    return map(
        [](auto x) {
          return cond(
              x(0) > 0.0, [](auto a) { return cholesky(reshape<2, 2>(a))(1, 1); }, [](auto a) { return 10.0 * a(3); },
              x);
        },
        xs);
  };
  tensor<double, 4, 7> xs;
  for (int n = 0; n < 7; ++n) xs(0, n) = n % 2 == 0 ? 4 : -4, xs(3, n) = 1 + n;
  static auto p = compile<wrt<>>(loss, xs);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(p)>>);
  auto const& y = p(xs);
  CHECK(p.status() == status::ok);
  for (int n = 0; n < 7; ++n) CHECK(y(n) == doctest::Approx(n % 2 == 0 ? std::sqrt(1.0 + n) : 10.0 * (1 + n)));
  xs(3, 2) = -3;
  auto const& z = p(xs);
  CHECK(p.status() == status::not_positive_definite);
  for (int n = 0; n < 7; ++n) CHECK(std::isnan(z(n)) == (n == 2));
}

TEST_CASE("a loop with factorisations in a branch runs point by point, and says so") {
  constexpr auto loss = [](auto xs) {
    return map(
        [](auto x) {
          return cond(
              x(0) > 0.0,
              [](auto a) { return repeat<2>([](auto m) { return cholesky(m * m); }, reshape<2, 2>(a))(1, 1); },
              [](auto a) { return 10.0 * a(3); }, x);
        },
        xs);
  };
  tensor<double, 4, 7> xs;
  for (int n = 0; n < 7; ++n) xs(0, n) = n % 2 == 0 ? 4 : -4, xs(3, n) = 1 + n;
  static auto p = compile<wrt<>>(loss, xs);
  using program = std::remove_reference_t<decltype(p)>;
  static_assert(program::facts.point_loops == 1 && program::facts.point_loops_in_lanes == 0);
  if (register_bytes > 0)
    CHECK(to_text(p).find(
              "points in lanes: no, because `cholesky` stands in a loop within steps that run at some points") !=
          std::string::npos);
  auto const& y = p(xs);
  CHECK(p.status() == status::ok);
  for (int n = 0; n < 7; ++n) CHECK(y(n) == doctest::Approx(n % 2 == 0 ? 1.0 + n : 10.0 * (1 + n)));
}
