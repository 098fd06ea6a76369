// Loops that keep few carries, against differences, along directions and on a tape, to second order.
#include <etch/transform/scan.hpp>

#include "transform/values.hpp"

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

using namespace etch;
using values::filled_with;

namespace {

constexpr auto loss = [](auto w, auto xs) {
  auto const last = scan(
      [&](auto carry, auto x) {
        auto const [h, c] = carry;
        auto const memory = cwise_product(sigmoid(w * h), c) + 0.5 * tanh(x + h);
        return std::tuple{tanh(memory + h), memory};
      },
      std::tuple{zeros<2>(), ones<2>()}, xs, keep_recursive<3 * 2 * 2 * 8>);
  return sum(square(std::get<0>(last))) + sum(std::get<1>(last));
};
// A branch that is not taken, whose derivative is infinite, at every step but those of positive slices.
template <class Keep>
constexpr auto guarded = [](auto xs) {
  return sum(scan([](auto h, auto x) { return 0.5 * h + cwise_product(select(x > 0, sqrt(x), 0.1 * x), cos(h)); },
                  ones<2>(), xs, Keep{}));
};

}  // namespace

TEST_CASE("first and second derivatives are those of differences") {
  auto const w = filled_with<tensor<double, 2, 2>>(1);
  auto const xs = filled_with<tensor<double, 2, 17>>(2);
  CHECK(check_gradient(loss, w, xs).ok);
  CHECK(check_gradient<2>(loss, w, xs).ok);
}

TEST_CASE("what was not taken does not arrive") {
  auto xs = filled_with<tensor<double, 2, 9>>(3);
  for (int t = 0; t < 9; t += 2) xs(0, t) = 0;
  auto program = compile(guarded<keep_recursive_t<2 * 2 * 8>>, xs);
  program(xs);
  auto const& gradient = program.grad<0>();
  for (std::size_t i = 0; i < gradient.size(); ++i) CHECK(std::isfinite(gradient.data()[i]));
  auto all = compile(guarded<keep_carries_t>, xs);
  all(xs);
  CHECK(gradient == all.grad<0>());
}
