// Three and four loops within each other that begin with constants.
#include "transform/nested_constants.hpp"

using namespace nested_constants;

TEST_CASE("three and four levels") {
  check([](auto loop, auto w) {
    return loop.template repeat<3>(
        [&](auto h) {
          return loop.template repeat<2>(
              [&](auto k) { return loop.template repeat<2>([&](auto l) { return l * w + h + k; }, 0.0); }, 1.0);
        },
        0.5);
  });
  check([](auto loop, auto w) {
    return loop.template repeat<2>(
        [&](auto a) {
          return a + loop.template repeat<2>(
                         [&](auto b) {
                           return loop.template repeat<2>(
                               [&](auto c) {
                                 return loop.template repeat<2>(
                                     [&](auto d) { return a * 0.5 + b * 0.25 + c * 0.125 + d * 0.2 * w; }, 0.1);
                               },
                               0.2);
                         },
                         0.3);
        },
        0.4);
  });
}
