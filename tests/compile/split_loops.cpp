// Functions with loops inside, compiled in halves.
#include <etch/compile/split_program.hpp>

#include "compile/both_parts.hpp"

#include <etch/etch.hpp>

namespace {

using namespace etch;
using both_halves::distance_from_one_program;
using both_halves::halves_of;
using both_halves::some;
using both_halves::within;

constexpr auto layer = [](auto w, auto u, auto h, auto xs) {
  auto const run = scan(
      [&](auto state, auto x) {
        auto const next = tanh(w * state + u * x);
        return step{next, square(next)};
      },
      h, xs);
  return std::tuple(run.carry, run.y);
};

TEST_CASE("a scan keeps its carries; what it collects is a result") {
  using halves = halves_of<decltype(layer), wrt<0, 1, 2, 3>, tensor<double, 5, 5>, tensor<double, 5, 3>,
                           tensor<double, 5, 2>, tensor<double, 3, 2, 7>>;
  static_assert(halves::saved_count == 1 && halves::saved_bytes >= 5 * 2 * 7 * 8 &&
                halves::saved_bytes < 5 * 2 * 7 * 8 + 64);
  CHECK(within(
      8,
      distance_from_one_program(wrt<0, 1, 2, 3>{}, layer, some<tensor<double, 5, 5>>(1), some<tensor<double, 5, 3>>(2),
                                some<tensor<double, 5, 2>>(3), some<tensor<double, 3, 2, 7>>(4)),
      16));
}

constexpr auto sequence_of = [](auto cell, auto h, auto c, auto xs) {
  auto const run = nn::unroll(cell, std::tuple(h, c), xs);
  return std::tuple(run.y, std::get<1>(run.carry));
};

TEST_CASE("an LSTM over a sequence") {
  CHECK(within(64,
               distance_from_one_program(wrt<0, 1, 2>{}, sequence_of, some<nn::lstm_cell<float, 3, 4>>(1),
                                         some<tensor<float, 4, 2>>(2), some<tensor<float, 4, 2>>(3),
                                         some<tensor<float, 3, 2, 5>>(4)),
               64));
}

constexpr auto again = [](auto w, auto x) { return checkpoint([&](auto v) { return tanh(w * tanh(w * v)); })(x); };

TEST_CASE("what a checkpoint computes again, the backward half computes") {
  using halves = halves_of<decltype(again), wrt<0, 1>, tensor<double, 4, 4>, tensor<double, 4>>;
  static_assert(halves::saved_bytes == 0);
  CHECK(within(
      8, distance_from_one_program(wrt<0, 1>{}, again, some<tensor<double, 4, 4>>(1), some<tensor<double, 4>>(2)), 16));
}

constexpr auto bumps = [](auto k, auto xs) {
  return map([&](auto x) { return sin(k * x) * exp(-sum(square(x))); }, xs);
};

TEST_CASE("points one by one") {
  CHECK(within(8, distance_from_one_program(wrt<0, 1>{}, bumps, 1.5, some<tensor<double, 2, 11>>(1)), 16));
}

}  // namespace
