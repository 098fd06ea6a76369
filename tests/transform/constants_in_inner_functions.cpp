// Maps, checkpoints and branches within a loop that begins with a constant: they know a graph before it does.
#include "transform/nested_constants.hpp"

using namespace nested_constants;

TEST_CASE("map") {
  check([](auto loop, auto w) {
    auto const xs = concat<0>(w, 2 * w, 3 * w);
    return loop.template repeat<3>([&](auto h) { return sum_map([&](auto x) { return sin(x * h + 1); }, xs); }, 0.0);
  });
  check([](auto loop, auto w) {
    return loop.template repeat<2>(
        [&](auto h) { return sum(map([&](auto x) { return cos(h * x) + w; }, concat<0>(0.25, 0.5, 1.0))); }, 0.5);
  });
}

TEST_CASE("checkpoint, cond and while_loop") {
  check([](auto loop, auto w) {
    return loop.template repeat<3>([&](auto h) { return loop.checkpoint([&](auto v) { return sin(v * h + v); })(w); },
                                   0.5);
  });
  check([](auto loop, auto w) {
    return loop.template repeat<3>(
        [&](auto h) {
          return cond(
              w > 0, [&](auto v) { return v * h + loop.template repeat<2>([&](auto k) { return k + v; }, 0.0); },
              [&](auto v) { return v - h; }, w);
        },
        0.5);
  });
  check([](auto loop, auto w) {
    return loop.template repeat<2>(
        [&](auto h) { return while_loop<5>([&](auto k) { return k < 2; }, [&](auto k) { return k + h + w; }, 0.0); },
        0.5);
  });
}
