// Gradients of samples, and rules of the user's, within loops that begin with constants.
#include "transform/nested_constants.hpp"

using namespace nested_constants;

TEST_CASE("vmap(grad) and custom_vjp") {
  check([](auto loop, auto w) {
    auto const xs = concat<0>(w, 2 * w, 3 * w);
    return loop.template repeat<2>(
        [&](auto h) {
          return sum(vmap(
              grad([&](auto x) { return loop.template repeat<2>([&](auto k) { return k * x + h * x; }, 1.0); }))(xs));
        },
        0.25);
  });
  check([](auto loop, auto w) {
    return loop.template repeat<3>(
        [&](auto h) {
          return h + custom_vjp([](auto v) { return square(v); },
                                [&](auto u, auto, auto v) { return 2 * u * v + 0 * h; })(w);
        },
        0.5);
  });
}
