#include <etch/transform/loop.hpp>

#include "transform/stages.hpp"

#include <doctest/doctest.h>

using namespace etch;
using namespace loops;
using stages::check_under;

namespace {

auto const series = series_of<5>();

}  // namespace

TEST_CASE("carry and outputs") {
  check_under(
      every_policy{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const [last, ys] = loop.scan(
            [&](auto h, auto x) {
              auto const n = tanh(w * h + x);
              return step{n, n * transpose(x)};
            },
            init, xs);
        return sum(square(last)) + sum(sin(ys));
      },
      weights, start, series);
}

TEST_CASE("a carry alone") {
  check_under(
      every_policy{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan([&](auto h, auto x) { return tanh(w * h + x); }, init, xs)));
      },
      weights, start, series);
}

TEST_CASE("carries that move on, or change places") {
  check_under(
      every_policy{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan(
            [](auto carry, auto x) {
              auto const [a, b] = carry;
              return step{std::tuple{b, a + cwise_product(b, x)}, a};
            },
            std::tuple{init, w * init}, xs);
        auto const [a, b] = r.carry;
        return sum(square(a)) + sum(cwise_product(a, b)) + sum(cwise_product(r.y, r.y));
      },
      weights, start, series);
  check_under(
      every_policy{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const [a, b] =
            loop.scan([](auto carry, auto) { return std::tuple{std::get<1>(carry), std::get<0>(carry)}; },
                      std::tuple{init, w * init}, xs);
        return sum(square(a)) + sum(cwise_product(a, sin(b))) + sum(xs);
      },
      weights, start, series);
}

TEST_CASE("outputs that are the carry, the slice, what is captured, or each other") {
  check_under(
      every_policy{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = tanh(w * h + x);
              return step{n, std::tuple{h, x, w, n, n, init}};
            },
            init, xs);
        auto const [a, b, c, d, e, f] = r.y;
        return sum(square(a)) + sum(sin(b)) + sum(cwise_product(c, c)) + sum(cwise_product(d, e)) + sum(square(f));
      },
      weights, start, series);
}

TEST_CASE("a carry that is passed on, one output of three used") {
  check_under(
      every_policy{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan([&](auto h, auto x) { return step{h, std::tuple{h, tanh(w * h + x), x}}; }, init, xs);
        auto const [a, b, c] = r.y;
        return sum(square(slice<1, 1, 2>(b))) + sum(transpose(b) * w);
      },
      weights, start, series);
}

TEST_CASE("bodies that ignore the slice, the carry, or both") {
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan([&](auto h, auto) { return sin(w * h); }, init, xs))) + sum(xs);
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan([&](auto, auto x) { return sin(w * x); }, init, xs))) + sum(init);
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan([&](auto h, auto x) { return step{h, sin(w * x)}; }, init, xs);
        return sum(square(r.y)) + sum(cwise_product(r.carry, init));
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan([&](auto, auto) { return w * init; }, init, xs))) + sum(xs);
      },
      weights, start, series);
}

TEST_CASE("few steps") {
  auto const power = []<int N>(std::integral_constant<int, N>) {
    check_under(
        three_policies{},
        [](auto loop, auto w, auto init) {
          return sum(square(loop.template repeat<N>([&](auto h) { return sin(w * h + init); }, init)));
        },
        weights, start);
  };
  power(std::integral_constant<int, 1>{});
  power(std::integral_constant<int, 2>{});
  power(std::integral_constant<int, 3>{});
  power(std::integral_constant<int, 7>{});
}
