// Loops that keep few carries, in every stage: to the graph they are loops that keep their carries.
#include <etch/transform/scan.hpp>

#include "transform/stages.hpp"

#include <doctest/doctest.h>

using namespace etch;
using namespace loops;
using stages::check_under;

namespace {

auto const series = series_of<5>();
constexpr std::int64_t vector_bytes = 3 * 8;
using one_and_more = policies<keep_recursive_t<vector_bytes>, keep_recursive_t<3 * vector_bytes>>;

}  // namespace

TEST_CASE("a carry that a gradient does not read, but computes another one from") {
  check_under(
      policies<keep_recursive_t<2 * vector_bytes + 8>>{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const last = loop.scan(
            [&](auto carry, auto x) {
              auto const [q, p, n] = carry;
              auto const half = p - 0.1 * sin(w * q);
              return std::tuple{q + half, half + x, n + 1};
            },
            std::tuple{init, zeros<3>(), 0.0}, xs);
        return sum(square(std::get<0>(last))) + sum(std::get<1>(last)) * std::get<2>(last);
      },
      weights, start, series);
}

TEST_CASE("a loop in a loop") {
  check_under(
      one_and_more{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.scan(
            [&](auto h, auto x) {
              return loop.scan([&](auto k, auto z) { return tanh(w * k + x + cwise_product(h, z)); }, h, xs);
            },
            init, xs)));
      },
      weights, start, series);
}

TEST_CASE("outputs, of which one is the carry") {
  check_under(
      one_and_more{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const r = loop.scan(
            [&](auto h, auto x) {
              auto const n = tanh(w * h + x);
              return step{n, std::tuple{n, sum(square(n))}};
            },
            init, xs);
        return sum(square(r.carry)) + sum(max<0>(std::get<0>(r.y))) + sum(square(std::get<1>(r.y)));
      },
      weights, start, series);
}
