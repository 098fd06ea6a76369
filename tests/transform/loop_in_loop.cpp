// Loops in loops, loops that feed loops, and bodies in the terms of Eigen and of arrays.
#include <etch/core/eigen.hpp>
#include <etch/nn/loss.hpp>

#include "transform/stages.hpp"

#include <doctest/doctest.h>

using namespace etch;
using namespace loops;
using stages::check_under;

namespace {

auto const series = series_of<3>();

}  // namespace

TEST_CASE("a loop in a loop captures the carry and the slice of the outer one") {
  check_under(
      three_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan(
            [&](auto h, auto x) {
              auto const r = loop.scan(
                  [&](auto k, auto z) {
                    auto const n = tanh(w * k + x + cwise_product(h, z));
                    return step{n, sum(n)};
                  },
                  h, xs);
              return r.carry + sum(r.y) * x;
            },
            init, xs)));
      },
      weights, start, series);
}

TEST_CASE("a loop feeds another, and the loss reads outputs in parts") {
  check_under(
      three_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = tanh(w * h + x);
              return step{n, n};
            },
            init, xs);
        auto const q = loop.scan(
            [&](auto h, auto x) {
              auto const n = sin(transpose(w) * h + x);
              return step{n, n};
            },
            r.carry, r.y);
        return sum(square(q.carry)) + sum(max<0>(q.y)) + sum(transpose(q.y) * slice<1, 0, 2>(r.y));
      },
      weights, start, series);
}

TEST_CASE("two loops that are the same are one") {
  constexpr auto loss = [](auto loop, auto w, auto init, auto xs) {
    auto const once = [&] { return loop.scan([&](auto h, auto x) { return tanh(w * h + x); }, init, xs); };
    return sum(cwise_product(once(), once()));
  };
  check_under(two_policies{}, loss, weights, start, series);
  using subject = with<std::remove_const_t<decltype(loss)>, looped<keep_all_t>>;
  graph const g = pass::trace<subject, tensor<double, 3, 3>, tensor<double, 3>, tensor<double, 3, 3>>(subject{});
  int found = 0;
  for (int id = 0; id < g.size(); ++id) found += facts_of(g[id]).is_loop;
  CHECK(found == 1);
}

TEST_CASE("Eigen's words in the body") {
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = (w * h + x).array().tanh().matrix().eval();
              return step{n, n.squaredNorm()};
            },
            init, xs);
        return r.carry.sum() + r.y.sum() + r.y.dot(r.y);
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return loop.scan([&](auto h, auto x) { return (h * x.array()).sin() + h; }, init.array(), xs).square().sum() +
               w.sum();
      },
      weights, start, series);
}

TEST_CASE("integer slices") {
  check_under(
      three_policies{},
      [](auto loop, auto table, auto init, auto labels, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto slices) {
              auto const [i, x] = slices;
              auto const n = tanh(cwise_product(etch::gather<1>(table, i), h) + x);
              return step{n, sum(cwise_product(one_hot<3, double>(i), n))};
            },
            init, std::tuple{labels, xs});
        return sum(square(r.carry)) + sum(r.y);
      },
      weights, start, tensor<int, 5>{0, 2, 1, 2, 2}, values::filled_with<tensor<double, 3, 5>>(4));
}
