#include <etch/transform/structure.hpp>

#include <etch/nn/dense.hpp>

#include "transform/stages.hpp"

#include <doctest/doctest.h>

using namespace etch;
using namespace loops;
using stages::check_under;

namespace {

auto const series = series_of<5>();

}  // namespace

TEST_CASE("scalars") {
  check_under(
      every_policy{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = sin(h * w + x);
              return step{n, n * x};
            },
            init, xs);
        return r.carry + sum(square(r.y));
      },
      0.7, 0.3, values::filled_with<tensor<double, 7>>(3));
  check_under(
      three_policies{},
      [](auto loop, auto w, auto xs) { return loop.scan([&](auto h, auto x) { return h * w + x; }, 0.0, xs); }, 0.7,
      values::filled_with<tensor<double, 7>>(3));
  check_under(
      three_policies{},
      [](auto loop, auto w, auto xs) { return loop.scan([&](auto h, auto x) { return sin(h * w + x); }, 1, xs); }, 0.7,
      values::filled_with<tensor<double, 1>>(3));
}

TEST_CASE("more axes") {
  check_under(
      three_policies{},
      [](auto loop, auto w, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = tanh(w * h + x);
              return step{n, n};
            },
            zeros<3, 2>(), xs);
        return sum(square(r.carry)) + sum(r.y);
      },
      weights, values::filled_with<tensor<double, 3, 2, 5>>(3));
  check_under(
      three_policies{},
      [](auto loop, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = sin(h + x);
              return step{n, sum<2>(n)};
            },
            init, xs);
        return sum(square(r.carry)) + sum(r.y);
      },
      values::filled_with<tensor<double, 2, 2, 2>>(3), values::filled_with<tensor<double, 2, 2, 2, 5>>(3));
  check_under(
      three_policies{},
      [](auto loop, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = sin(h * x);
              return step{n, sum(n)};
            },
            init, xs);
        return sum(square(r.carry)) + sum(r.y);
      },
      values::filled_with<tensor<double, 2, 2, 2, 1>>(3), values::filled_with<tensor<double, 5>>(3));
}

TEST_CASE("arrays of carries, slices and outputs") {
  check_under(
      three_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto c, auto x) {
              auto const a = tanh(w * c[0] + x[1]);
              return step{std::array{c[1], a}, std::array{a, c[0]}};
            },
            std::array{init, 2 * init}, std::array{xs, xs});
        return sum(square(r.carry[0])) + sum(r.carry[1]) + sum(cwise_product(r.y[0], r.y[1]));
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan([&](auto c, auto x) { return std::array{c[1], tanh(w * c[0] + x)}; },
                                 std::array{zeros<3>(), ones<3>()}, xs);
        return sum(square(r[0])) + sum(cwise_product(r[1], init));
      },
      weights, start, series);
}

TEST_CASE("structs, captured and as a carry") {
  nn::dense<double, 3, 3> const some_layer{weights, start};
  check_under(
      three_policies{},
      [](auto loop, auto layer, auto init, auto xs) {
        return sum(square(loop.scan([&](auto h, auto x) { return tanh(layer(h) + x); }, init, xs)));
      },
      some_layer, start, series);
  check_under(
      three_policies{},
      [](auto loop, auto layer, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto l, auto x) {
              auto const e = l(x) - init;
              auto next = l;
              next.weight = l.weight - 0.1 * e * transpose(x);
              next.bias = l.bias - 0.1 * e;
              return step{next, sum(square(e))};
            },
            layer, xs);
        return sum(r.y) + sum(r.carry.bias);
      },
      some_layer, start, series);
}

TEST_CASE("constants take the element type of what the loop reads, or of what they become") {
  check_under(
      three_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.template repeat<3>([&](auto m) { return w * m; }, etch::identity<3>()) * init)) +
               sum(xs);
      },
      weights, start, series);
  check_under(
      three_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const [m, n] = loop.template repeat<4>(
            [&](auto carry) {
              auto const [a, b] = carry;
              return std::tuple{w * a, b + sum(w * a)};
            },
            std::tuple{etch::identity<3>(), 1.0});
        return sum(square(m * init)) * n + sum(xs);
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const [h, n] = loop.scan(
            [&](auto carry, auto x) {
              auto const [a, b] = carry;
              return std::tuple{tanh(w * a + x) * b, 0.5 * sum(a + x)};
            },
            std::tuple{ones<3>(), 1}, xs);
        return sum(h) * n + sum(init);
      },
      weights, start, series);
}
