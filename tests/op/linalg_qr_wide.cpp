// qr of a wide matrix, lstsq: derivatives against differences at two orders; program, tape, block and constant agree.
#include <etch/op/linalg/qr.hpp>

#include "op/everywhere.hpp"

using namespace etch;

namespace {

constexpr auto weighted = [](auto x) {
  auto const [q, r] = qr(x);
  return sum(sin(r) * r(0, 0)) + sum(q(1, 1) * exp(0.3 * q)) + sum(square(q)(0, 0) * square(q)) + r(0, 1) * r(1, 1);
};

}  // namespace

TEST_CASE("derivatives of a wide matrix") {
  everywhere::check([] { return std::tuple(tensor<double, 2, 3>{1, 0.7, -0.4, 0.3, 2.5, 0.2}); }, weighted);
}

TEST_CASE("derivatives of least squares") {
  auto const loss = [](auto a, auto b) { return sum(sin(lstsq(a, b))) + square(lstsq(a, b)(0)); };
  everywhere::check(
      [] { return std::tuple(tensor<double, 3, 2>{1, 0.7, -0.4, 0.3, 2.5, 0.2}, tensor<double, 3>{1, -2, 0.5}); },
      loss);
}
