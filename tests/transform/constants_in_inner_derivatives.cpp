// Derivatives within loops that begin with constants, and of them.
#include "transform/nested_constants.hpp"

using namespace nested_constants;

TEST_CASE("derivatives inside, and around") {
  check([](auto loop, auto w) {
    return loop.template repeat<3>([&](auto h) { return h - 0.1 * grad([&](auto v) { return square(v * h - 1); })(w); },
                                   0.5);
  });
  check([](auto loop, auto w, auto at) {
    return loop.template repeat<3>(
        [&](auto h) {
          return w + grad([&](auto v) {
                   return loop.template repeat<3>([&](auto k) { return k * v + sin(v) * w; }, 0.0);
                 })(h);
        },
        at(0.25));
  });
  check([](auto loop, auto w) {
    return std::get<1>(jvp([&](auto v) {
      return loop.template repeat<3>(
          [&](auto h) { return loop.template repeat<2>([&](auto k) { return h + sin(k * v); }, 0.5); }, 1.0);
    })(w, 1.0));
  });
}
