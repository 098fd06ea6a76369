#include <etch/machine/lane_kernel.hpp>

#include "transform/values.hpp"

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;
using values::filled_with;

namespace {

// Products of many rows, of batches, of captured and of varying operands; reductions along
// each axis; positions; constants.
constexpr auto lanes_of_points = [](auto w, auto b, auto xs) {
  return sum_map(
      [&](auto x) {
        auto const r = w * etch::reshape<3, 1, 2>(x);  // 11 x 3 for each of two
        auto const flat = etch::reshape<11, 2>(r);
        auto const outer = tanh(flat) * transpose(b - flat);  // 11 x 11
        auto const largest = etch::max<1>(outer);
        return sum(etch::sum<0>(outer)) + sum(square(largest)) + sum(exp(0.1 * etch::sum<0>(flat)));
      },
      xs);
};
constexpr auto point_by_point = [](auto w, auto b, auto xs) {
  return etch::scan(
      [&](auto total, auto x) {
        auto const r = w * etch::reshape<3, 1, 2>(x);
        auto const flat = etch::reshape<11, 2>(r);
        auto const outer = tanh(flat) * transpose(b - flat);
        auto const largest = etch::max<1>(outer);
        return total + sum(etch::sum<0>(outer)) + sum(square(largest)) + sum(exp(0.1 * etch::sum<0>(flat)));
      },
      0.0, xs);
};

}  // namespace

TEST_CASE("kernels over registers do what kernels over numbers do") {
  auto const w = filled_with<tensor<double, 11, 3, 2>>(1);
  auto const b = filled_with<tensor<double, 11, 2>>(2);
  auto const xs = filled_with<tensor<double, 3, 2, 10>>(3);
  static auto p = compile<wrt<0, 1, 2>>(lanes_of_points, w, b, xs);
  static auto q = compile<wrt<0, 1, 2>>(point_by_point, w, b, xs);
  CHECK(p(w, b, xs) == doctest::Approx(q(w, b, xs)).epsilon(1e-12));
  auto const check = [](auto const& x, auto const& y) {
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == doctest::Approx(y[i]).epsilon(1e-11));
  };
  check(p.grad<0>(), q.grad<0>());
  check(p.grad<1>(), q.grad<1>());
  check(p.grad<2>(), q.grad<2>());
}
