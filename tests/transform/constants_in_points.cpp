#include "transform/returned_constants.hpp"

using namespace returned_constants;

TEST_CASE_TEMPLATE("points may have results that are numbers or constants", T, float, double) {
  arguments<T> const a;
  check<T>([](auto w) { return sum(w) + sum(map([](auto) { return 1.5; }, w)); }, a.xs, 8.25 + 6, 1);
  check<T>([](auto w) { return sum(w) + sum(map([](auto) { return 2 * identity<3>() + 1.0; }, w)); }, a.xs, 8.25 + 60,
           1);
  check<T>([](auto w) { return sum(w) + sum(map([](auto) { return stack<0>(1, 2, 0.5); }, w)); }, a.xs, 8.25 + 14, 1);
  check<T>(
      [](auto w) {
        auto const [p, q, r] = map([](auto c) { return std::tuple(sum(c), 1.5, ones<2>()); }, w);
        return sum(p) + sum(q) * sum(r);
      },
      a.xs, 8.25 + 48, 1);
  check<T>(
      [](auto w) {
        auto const [p, q] = sum_map([](auto c) { return std::tuple(c, 2); }, w);
        return sum(p) * q + sum_map([](auto) { return sum(full<3>(0.5)); }, w);
      },
      a.xs, 8 * 8.25 + 6, 8);
  check<T>(
      [](auto w) {
        auto const [value, jacobian] = jacobian_map([](auto) { return 2.5; }, w);
        return sum(w) + sum(value) + sum(jacobian);
      },
      a.xs, 8.25 + 10, 1);
  check<T>(
      [](auto w) {
        auto const [value, jacobian] = jacobian_map([](auto) { return ones<3>(); }, w);
        return sum(w) + sum(value) + sum(jacobian);
      },
      a.xs, 8.25 + 12, 1);
}

TEST_CASE_TEMPLATE("columns and slices may be constants", T, float, double) {
  arguments<T> const a;
  check<T>([](auto w) { return sum(map([](auto c, auto k) { return dot(c, k); }, w, full<3, 4>(2))); }, a.xs, 16.5, 2);
  check<T>([](auto w) { return sum_map([&](auto k) { return sum(w) * k; }, concat<0>(ones<3>(), 0.5)); }, a.v, 21, 3.5);
  check<T>(
      [](auto w) {
        return sum(
            scan([](auto h, auto k) { return h + k; }, w, reverse(tile<1, 4>(reshape<3, 1>(stack<0>(1, 2, 3))))));
      },
      a.v, 30, 1);
}
