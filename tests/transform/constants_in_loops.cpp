#include "transform/returned_constants.hpp"

using namespace returned_constants;

TEST_CASE_TEMPLATE("loops may begin with constants, become constants and collect them", T, float, double) {
  arguments<T> const a;
  check<T>(
      [](auto w) {
        auto const [h, y] = scan([](auto carry, auto c) { return step{carry + c, 1.5}; }, zeros<3>(), w);
        return sum(h) + sum(y);
      },
      a.xs, 8.25 + 6, 1);
  check<T>(
      [](auto w) {
        auto const [h, y] =
            scan([](auto carry, auto c) { return step{carry + sum(c), std::tuple(ones<2>(), carry, 1)}; }, 0.0, w);
        return h + sum(std::get<0>(y)) + sum(std::get<2>(y));
      },
      a.xs, 8.25 + 12, 1);
  check<T>(
      [](auto w) {
        return sum(w) + sum(scan([](auto, auto) { return 2 * ones<3>() - 1; }, concat<0>(ones<1>(), zeros<2>()), w));
      },
      a.xs, 8.25 + 3, 1);
  check<T>([](auto w) { return sum(w) + scan([](auto, auto) { return 4.0; }, 1, w); }, a.xs, 8.25 + 4, 1);
  check<T>(
      [](auto w) {
        return sum(repeat<3>([&](auto h) { return cwise_product(h, h) / h + w; }, stack<0>(1.0, 2.0, 3.0)));
      },
      a.v, 24, 3);
  check<T>([](auto w) { return sum(repeat<3>([&](auto h) { return h + sum(w) * identity<3>(); }, identity<3>() + 1)); },
           a.v, 12 + 54, 9);
  check<T>(
      [](auto w) {
        auto const h = scan([](auto carry, auto c) { return std::tuple(std::get<0>(carry) + c, 1.5); },
                            std::tuple(zeros<3>(), 0), w, keep_carries);
        return sum(std::get<0>(h)) + std::get<1>(h);
      },
      a.xs, 8.25 + 1.5, 1);
  check<T>(  // the step makes arrays of one type, as its carry has one from the beginning
      [](auto w) {
        auto const h = scan([](auto carry, auto c) { return std::array{carry[0] + c, carry[1]}; },
                            std::array{zeros<3>(), ones<3>()}, w);
        return sum(h[0]) + sum(h[1]);
      },
      a.xs, 8.25 + 3, 1);
  check<T>(
      [](auto w) {
        auto const r =
            scan([](auto carry, auto c) { return step{carry + c, 1.5}; }, concat<0>(zeros<2>(), 1), w, keep_every<2>);
        return sum(r.carry) + sum(r.y);
      },
      a.xs, 8.25 + 7, 1);
}
