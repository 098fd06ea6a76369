#include <etch/core/capture.hpp>

#include "transform/stages.hpp"

#include <doctest/doctest.h>

using namespace etch;
using namespace loops;
using stages::check_under;

namespace {

auto const series = series_of<3>();

}  // namespace

TEST_CASE("a loop may learn late in what it lies") {
  // The inner loop begins with constants, and meets first a value of the outermost graph,
  // then one of the body around it.
  check_under(
      three_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const root = loop.template repeat<3>([&](auto k) { return sin(w * k + x + h); }, zeros<3>());
              return step{root, root};
            },
            zeros<3>(), xs);
        return sum(square(r.carry)) + sum(r.y * transpose(xs)) + sum(init);
      },
      weights, start, series);
}

TEST_CASE("three loops, whatever each meets first") {
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan(
                   [&](auto h, auto x) {
                     return loop.template repeat<2>(
                         [&](auto k) {
                           return loop.template repeat<3>([&](auto l) { return sin(cwise_product(l, k) + x); }, k) +
                                  cwise_product(h, k);
                         },
                         init);
                   },
                   init, xs))) +
               sum(w);
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan(
            [&](auto h, auto x) {
              return loop.template repeat<2>(
                  [&](auto k) {
                    return loop.template repeat<3>([&](auto l) { return sin(w * l + x); }, init) + cwise_product(h, k);
                  },
                  w * init);
            },
            init, xs)));
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan(
                   [&](auto h, auto x) {
                     return loop.template repeat<2>(
                         [&](auto k) {
                           // Both begin with constants: the outer has to meet a value of its
                           // surroundings before the inner does.
                           auto const around = cwise_product(k, h);
                           return loop.template repeat<3>([&](auto l) { return sin(w * l + around); }, zeros<3>()) + x;
                         },
                         zeros<3>());
                   },
                   zeros<3>(), xs))) +
               sum(init);
      },
      weights, start, series);
}

TEST_CASE("a loop that depends on nothing of the loop around it stands outside") {
  constexpr auto loss = [](auto loop, auto w, auto init, auto xs) {
    return sum(square(loop.scan(
        [&](auto h, auto x) {
          return loop.template repeat<2>([&](auto k) { return sin(w * k); }, init) + cwise_product(h, x);
        },
        init, xs)));
  };
  check_under(three_policies{}, loss, weights, start, series);
  using subject = with<std::remove_const_t<decltype(loss)>, looped<keep_all_t>>;
  graph const g = pass::trace<subject, tensor<double, 3, 3>, tensor<double, 3>, tensor<double, 3, 3>>(subject{});
  int found = 0;
  for (int id = 0; id < g.size(); ++id) found += facts_of(g[id]).is_loop;
  CHECK(found == 2);
}

TEST_CASE("views of what is captured are made inside") {
  check_under(
      three_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const turned = transpose(w);
        auto const row = slice<0, 0, 1>(w);
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = tanh(turned * h + x + etch::reshape<3>(row) * sum(slice<0, 1, 2>(w)));
              return step{n, slice<0, 1, 2>(n)};
            },
            init, xs);
        return sum(square(r.carry)) + sum(r.y);
      },
      weights, start, series);
}

TEST_CASE("values of two traces do not meet") {
  graph a, b;
  auto const x = make_expr<double, make_shape(3)>(&a, input(a, element::f64, make_shape(3), 0).id);
  auto const y = make_expr<double, make_shape(3)>(&b, input(b, element::f64, make_shape(3), 0).id);
  CHECK_THROWS_WITH_AS(static_cast<void>(etch::repeat<2>([&](auto h) { return h + y; }, x)),
                       "etch: the operands of one operation belong to different graphs", exception);
}
