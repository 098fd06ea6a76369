// svd: derivatives against differences at two orders; program, tape, block and constant agree.
#include <etch/op/linalg/svd.hpp>

#include "op/everywhere.hpp"

using namespace etch;

namespace {

constexpr auto weighted = [](auto x) {
  auto const [u, s, v] = svd(x);
  return sum(sin(s) * s(0)) + sum(square(u)(0, 0) * exp(0.3 * u)) + sum(u(1, 1) * v(0, 1) * s) + sum(v(1, 0) * v);
};

}  // namespace

TEST_CASE("derivatives of a square matrix") {
  everywhere::check([] { return std::tuple(tensor<double, 2, 2>{1, 0.7, -0.4, 2.5}); }, weighted);
}

TEST_CASE("derivatives of a tall matrix") {
  everywhere::check([] { return std::tuple(tensor<double, 3, 2>{1, 0.7, -0.4, 0.3, 2.5, 0.2}); }, weighted);
}
