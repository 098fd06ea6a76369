// Points in lanes whose loops keep few of their carries for the way back, and compute the others again.
#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;
using values::filled_with;

namespace {

constexpr int steps = 20, points = 7;

/// Two carries of each column, the second of which counts in steps that are the same at all points.
template <class Keep>
constexpr auto loss(Keep) {
  return [](auto p, auto xs) {
    return sum_map(
        [&](auto x) {
          auto const last = scan(
              [&](auto const& c, auto each) {
                auto const& [h, t] = c;
                return std::tuple(tanh(p(0) * h + p(1) * each + 0.1 * t), t * p(2));
              },
              std::tuple(p(3), p(2)), x, Keep{});
          return square(std::get<0>(last)) * std::get<1>(last);
        },
        xs);
  };
}

double in_numbers(tensor<double, 4> const& p, tensor<double, steps, points> const& xs) {
  double all = 0;
  for (int n = 0; n < points; ++n) {
    double h = p(3), t = p(2);
    for (int k = 0; k < steps; ++k) h = std::tanh(p(0) * h + p(1) * xs(k, n) + 0.1 * t), t *= p(2);
    all += h * h * t;
  }
  return all;
}

template <class Keep>
void check(Keep keep) {
  tensor<double, 4> const p{0.8, 0.6, 0.97, 0.3};
  auto const xs = filled_with<tensor<double, steps, points>>(2);
  static auto step = compile<wrt<0, 1>>(loss(keep), p, xs);
  using program = std::remove_reference_t<decltype(step)>;
  static_assert(program::facts.point_loops == 1 && (register_bytes == 0 || program::facts.point_loops_in_lanes == 1));
  CHECK(step(p, xs) == doctest::Approx(in_numbers(p, xs)).epsilon(1e-13));
  double const h = 1e-6;
  for (int i = 0; i < 4; ++i) {
    auto up = p, down = p;
    up(i) += h, down(i) -= h;
    CHECK(step.template grad<0>()(i) ==
          doctest::Approx((in_numbers(up, xs) - in_numbers(down, xs)) / (2 * h)).epsilon(1e-7));
  }
  for (std::size_t i = 0; i < xs.size(); i += 3) {
    auto up = xs, down = xs;
    up.data()[i] += h, down.data()[i] -= h;
    CHECK(step.template grad<1>().data()[i] ==
          doctest::Approx((in_numbers(p, up) - in_numbers(p, down)) / (2 * h)).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("whatever is kept, values and gradients are those of plain loops") {
  check(keep_all);
  check(keep_carries);
  check(keep_every<6>);
  check(keep_recursive<3 * 8>);
}
