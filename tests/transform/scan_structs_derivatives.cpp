// Derivatives of and in loops over structs.
#include "transform/struct_loops.hpp"

using namespace struct_loops;

namespace {

/// A number made of the gradient of `Loss` by the slices.
template <class Loss>
struct slope {
  constexpr auto operator()(auto start, auto told, auto w) const {
    auto const g = grad<wrt<1>>(Loss{})(start, told, w);
    return sum(square(g.force)) + dot(sin(g.turn), g.turn);
  }
};

// Each step descends along the gradient of an energy by the struct that it carries, as its slice says.
constexpr auto energy = [](auto v, auto u) { return sum(square(sin(v.at) - u.force)) * cos(v.heading * u.turn); };
constexpr auto descended = [](auto start, auto told) {
  auto const r = scan(
      [&](auto v, auto u) {
        auto const g = grad<wrt<0>>(energy)(v, u);
        return step{v - 0.1 * g, g};
      },
      start, told);
  return sum(r.carry.at) + r.carry.heading + sum(square(r.y.at)) + sum(square(r.y.heading));
};
constexpr auto descended_by_hand = [](auto start, auto told) {
  auto v = start;
  auto total = 0 * v.heading;
  for (int t = 0; t < 5; ++t) {
    auto const turn = told.turn(t);
    auto const s = sin(v.at) - told.force.col(t);
    auto const by_at = 2 * cwise_product(s, cos(v.at)) * cos(v.heading * turn);
    auto const by_heading = -turn * sin(v.heading * turn) * sum(square(s));
    total = total + sum(square(by_at)) + square(by_heading);
    v.at = v.at - 0.1 * by_at;
    v.heading = v.heading - 0.1 * by_heading;
  }
  return total + sum(v.at) + v.heading;
};

}  // namespace

TEST_CASE("second derivatives, and derivatives inside of the step") {
  arguments<double> const a;
  check_everywhere<double>(slope<std::remove_const_t<decltype(driven<keep_all_t>)>>{},
                           slope<std::remove_const_t<decltype(unrolled)>>{}, a.start, a.told, a.w);
  check_everywhere<double>(descended, descended_by_hand, a.start, a.told);
}
