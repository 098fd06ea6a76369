// while_loop: derivatives of every order are those of the steps that ran.
#include <etch/etch.hpp>

#include "transform/same.hpp"
#include "transform/three_steps.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;
using three_steps::counted, three_steps::three;

namespace {

// Newton's iteration for a root, until it has settled.
constexpr auto root = [](auto x) {
  return while_loop<50>([&](auto y) { return abs(y * y - x) > 1e-13; }, [&](auto y) { return 0.5 * (y + x / y); },
                        0.0 * x + 1.0);
};

constexpr auto growing = [](auto w, auto x) {
  return sum(while_loop<6>([](auto h) { return sum(square(h)) < 4.0; }, [&](auto h) { return w * h; }, x));
};
double grown(tensor<double, 2, 2> const& w, tensor<double, 2> h) {
  for (int k = 0; k < 6 && h[0] * h[0] + h[1] * h[1] < 4; ++k)
    h = {w(0, 0) * h[0] + w(0, 1) * h[1], w(1, 0) * h[0] + w(1, 1) * h[1]};
  return h[0] + h[1];
}

}  // namespace

TEST_CASE("a loop that stops: its values, and derivatives as of the loop with so many steps") {
  auto const [r, slope] = value_and_grad(root)(2.0);
  CHECK(r == doctest::Approx(std::sqrt(2.0)).epsilon(1e-12));
  CHECK(slope == doctest::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-9));
  CHECK(derivative<1>(counted)(1.3) == derivative<1>(three)(1.3));
  CHECK(derivative<2>(counted)(1.3) == doctest::Approx(derivative<2>(three)(1.3)).epsilon(1e-14));
  CHECK(derivative<3>(counted)(1.3) == doctest::Approx(derivative<3>(three)(1.3)).epsilon(1e-13));
  CHECK(std::get<1>(jvp(counted)(1.3, 1.0)) == doctest::Approx(derivative<1>(three)(1.3)).epsilon(1e-14));
  constexpr double second = derivative<2>(counted)(1.3), third = derivative<3>(counted)(1.3);
  CHECK(second == doctest::Approx(derivative<2>(three)(1.3)).epsilon(1e-13));
  CHECK(third == doctest::Approx(derivative<3>(three)(1.3)).epsilon(1e-13));
  auto const none = [](auto x) {
    return while_loop<4>([](auto c) { return c < 0.0; }, [](auto c) { return log(-1.0 * c); }, x);
  };
  CHECK(value_and_grad(none)(2.0).value == 2);
  CHECK(grad(none)(2.0) == 1);
  auto const all = [](auto x) {
    return while_loop<3>([](auto c) { return c > 0.0; }, [](auto c) { return c * c; }, x);
  };
  CHECK(value_and_grad(all)(2.0).value == 256);
  CHECK(grad(all)(2.0) == 8 * 128);
}

TEST_CASE("matrices that are captured: the gradient is that of the steps that ran") {
  tensor<double, 2> const x{0.5, 0.6};
  for (double const scale : {1.0, 0.2, 3.0}) {  // some steps, all, two
    tensor<double, 2, 2> w{1.1, 0.2, 0.3, 1.2};
    for (double& each : w) each *= scale;
    auto const [v, g] = value_and_grad<wrt<0, 1>>(growing)(w, x);
    CHECK(v == doctest::Approx(grown(w, x)));
    for (std::size_t i = 0; i < 4; ++i) {
      auto up = w, down = w;
      up[i] += 1e-6, down[i] -= 1e-6;
      CHECK(std::get<0>(g)[i] == doctest::Approx((grown(up, x) - grown(down, x)) / 2e-6).epsilon(1e-7));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      auto up = x, down = x;
      up[i] += 1e-6, down[i] -= 1e-6;
      CHECK(std::get<1>(g)[i] == doctest::Approx((grown(w, up) - grown(w, down)) / 2e-6).epsilon(1e-7));
    }
    same::check_same(
        std::integer_sequence<int, 0, 1>{}, growing, [](auto a, auto b) { return growing(a, b) + 0.0 * sum(a); }, w, x);
    auto const h = hvp([](auto b, auto a) { return growing(a, b); })(x, w, x);
    CHECK(same::distance(h, tensor<double, 2>{}) < 1e-12);  // linear in x
  }
}
