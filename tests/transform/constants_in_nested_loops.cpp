// Loops within loops that begin with constants alone, so that none of them knows at first what lies around it.
#include "transform/nested_constants.hpp"

using namespace nested_constants;

TEST_CASE("the inner loop meets the carry of the outer one first, or last, or before its own") {
  check([](auto loop, auto w) {
    return loop.template repeat<3>(
        [&](auto h) { return h * w + loop.template repeat<2>([&](auto k) { return k + h; }, 0.5); }, 0.25);
  });
  check([](auto loop, auto w) {
    return loop.template repeat<3>(
        [&](auto h) { return loop.template repeat<2>([&](auto k) { return k * w + h; }, 1); }, 0.5);
  });
  check([](auto loop, auto w) {
    return loop.template repeat<3>(
        [&](auto h) { return w + loop.template repeat<2>([&](auto k) { return h * k + w; }, 1.0); }, 0.0);
  });
  check([](auto loop, auto w) {
    return loop.template repeat<2>(
        [&](auto h) { return loop.template repeat<2>([&](auto) { return 2 * h; }, 0.0) + w; }, 1.0);
  });
}

TEST_CASE("one loop after the other, and the surroundings last of all") {
  check([](auto loop, auto w) {
    return w * loop.template repeat<2>(
                   [&](auto a) {
                     auto const s = loop.template repeat<2>([&](auto b) { return a + b; }, 1.0);
                     auto const t = loop.template repeat<2>([&](auto c) { return s * c + a; }, 2.0);
                     return t * w + s;
                   },
                   0.5);
  });
}

TEST_CASE("constant tensors, tuples, slices and outputs") {
  check([](auto loop, auto w) {
    return sum(loop.template repeat<3>(
        [&](auto h) { return loop.template repeat<2>([&](auto k) { return h + k * w; }, zeros<2>()); }, ones<2>()));
  });
  check([](auto loop, auto w) {
    auto const [a, b] = loop.template repeat<3>(
        [&](auto h) {
          auto const x = std::get<0>(h);
          auto const y = std::get<1>(h);
          auto const [c, d] =
              loop.template repeat<2>([&](auto k) { return std::tuple(y + std::get<0>(k) * w, x + std::get<1>(k)); },
                                      std::tuple(0.5, ones<2>()));
          return std::tuple(d, c);
        },
        std::tuple(ones<2>(), 1));
    return sum(a) + b;
  });
  check([](auto loop, auto w, auto at) {
    auto const r = loop.scan(
        [&](auto h, auto x) {
          auto const q =
              loop.scan([&](auto k, auto y) { return step{h * k + y * x, h}; }, at(0.0), at(concat<0>(1.0, 2.0, 3.0)));
          return step{q.carry * w, q.y};
        },
        at(0.25), at(concat<0>(0.5, -0.25)));
    return r.carry + sum(r.y);
  });
}
