#include <etch/op/misuse_of_std.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using etch::tensor;

namespace {

// Code for numbers and traced values alike says `using std::exp`. A number beside a traced value in a
// choice that is made while tracing is one.
constexpr auto loss = [](auto x, auto y) {
  using std::abs, std::clamp, std::exp, std::max, std::min, std::pow;
  bool const chosen = true;
  auto const z = chosen ? x(0) : 0.0;
  return exp(x(0)) + pow(x(1), 2) + max(x(0), 0.5) + min(x(1), 0.5) + abs(y(0)) + pow(x(1), y(1)) +
         clamp(y(1), 0.0, 3.0) + z;
};
constexpr tensor<double, 2> x{1, 2}, y{-3, 4};
constexpr double expected = 2.718281828459045 + 4 + 1 + 0.5 + 3 + 16 + 3 + 1;

}  // namespace

TEST_CASE("behind using std::exp the functions of traced values are found, and those of numbers remain") {
  CHECK(etch::value_and_grad(loss)(x, y).value == doctest::Approx(expected));
  CHECK(etch::dynamic::value_and_grad(loss)(x, y).value == doctest::Approx(expected));
  CHECK(etch::grad(loss)(x, y)(1) == doctest::Approx(4 + 4 * 8));
  CHECK(std::exp(0.0) == 1);
  CHECK(std::max(2, 3) == 3);
  CHECK(std::clamp(5.0, 0.0, 3.0) == 3);
}
