// qr: derivatives against differences at two orders; program, tape, block and constant agree.
#include <etch/op/linalg/qr.hpp>

#include "op/everywhere.hpp"

using namespace etch;

namespace {

constexpr auto weighted = [](auto x) {
  auto const [q, r] = qr(x);
  return sum(sin(r) * r(0, 0)) + sum(q(1, 1) * exp(0.3 * q)) + sum(square(q)(0, 0) * square(q)) + r(0, 1) * r(1, 1);
};

}  // namespace

TEST_CASE("derivatives of a square matrix") {
  everywhere::check([] { return std::tuple(tensor<double, 2, 2>{1, 0.7, -0.4, 2.5}); }, weighted);
}

TEST_CASE("derivatives of a tall matrix") {
  everywhere::check([] { return std::tuple(tensor<double, 3, 2>{1, 0.7, -0.4, 0.3, 2.5, 0.2}); }, weighted);
}
