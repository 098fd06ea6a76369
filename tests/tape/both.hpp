// both: one lambda as a compiled program and on a tape; each is the other's oracle.
#pragma once

#include <etch/etch.hpp>
#include <etch/tape/dynamic.hpp>

#include "laws/agree.hpp"
#include "tape/close.hpp"

#include <memory>

namespace tapes {

using namespace etch;
using laws::randomise;

/// Entries in units of the epsilon of `T` at the largest of 1 and all of them; NaN and infinities in the same places.
template <class T>
[[gnu::noinline]] void check_numbers(double steps, run::numbers const& got, run::numbers const& expected) {
  REQUIRE(got.size() == expected.size());
  double scale = 1, worst = 0;
  for (double each : expected)
    if (std::isfinite(each)) scale = std::max(scale, std::abs(each));
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const a = got[i], b = expected[i];
    if (std::isnan(a) && std::isnan(b)) continue;
    if (a == b) continue;
    worst = std::isfinite(a) && std::isfinite(b) ? std::max(worst, std::abs(a - b) / scale) : 1e30;
  }
  CHECK(worst <= steps * static_cast<double>(std::numeric_limits<T>::epsilon()));
}

/// Value and gradient of `f` by the compiled program and on a tape, twice, since a tape is used again.
template <class T, class Wrt, class F, class... A>
[[gnu::noinline]] void check_both(double steps, F f, A const&... x) {
  auto const compiled = std::make_unique<decltype(value_and_grad<Wrt, allow_unused>(f)(x...))>(
      value_and_grad<Wrt, allow_unused>(f)(x...));
  auto on_tape = dynamic::value_and_grad<Wrt>(f);
  for (int round = 0; round < 2; ++round) {
    auto const dynamically = std::make_unique<decltype(on_tape(x...))>(on_tape(x...));
    check_numbers<T>(steps, {static_cast<double>(dynamically->value)}, {static_cast<double>(compiled->value)});
    check_numbers<T>(steps, laws::entries_of(dynamically->grad), laws::entries_of(compiled->grad));
  }
}
/// With respect to either argument of two, and to both.
template <class T, class F, class A, class B>
void check_every_mask(double steps, F f, A const& a, B const& b) {
  check_both<T, wrt<0>>(steps, f, a, b);
  check_both<T, wrt<1>>(steps, f, a, b);
  check_both<T, wrt<1, 0>>(steps, f, a, b);
}

template <class A>
A random(std::uint64_t seed, double low = 0.25, double high = 1.75) {
  A a;
  randomise(a, low, high, seed);
  return a;
}

}  // namespace tapes
