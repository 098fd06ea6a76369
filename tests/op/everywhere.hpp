// everywhere: one loss in a compiled program, on a tape, as a block of a tape and in constant evaluation. All
// four agree; the gradient agrees with differences of the value, and the derivative of the derivative along a
// direction with differences of the gradient.
#pragma once

#include <etch/etch.hpp>
#include <etch/tape/dynamic.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace everywhere {

using namespace etch;
using numbers = std::vector<double>;

/// All entries of the tensors and numbers in a tuple, or of one.
template <class X>
numbers entries(X const& x) {
  numbers all;
  if constexpr (scalar<X>) all.push_back(static_cast<double>(x));
  else if constexpr (requires { std::tuple_size<X>::value; })
    std::apply(
        [&](auto const&... each) {
          (
              [&] {
                for (double e : entries(each)) all.push_back(e);
              }(),
              ...);
        },
        x);
  else
    for (auto const& e : x) all.push_back(static_cast<double>(e));
  return all;
}

/// Equal up to `tolerance`, in units of the largest entry or 1; NaN and infinities in the same places.
[[gnu::noinline]] inline void check_equal(numbers const& got, numbers const& expected, double tolerance,
                                          char const* where) {
  CAPTURE(where);
  REQUIRE(got.size() == expected.size());
  double scale = 1;
  for (double e : expected)
    if (std::isfinite(e)) scale = std::max(scale, std::abs(e));
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(expected[i])) CHECK(std::isnan(got[i]));
    else if (got[i] != expected[i]) CHECK(std::abs(got[i] - expected[i]) <= tolerance * scale);
  }
}

/// Value and gradients of `f` at run time, one after the other: by the program, on a tape, and
/// (`AsBlock`) as a block there; they agree.
template <bool AsBlock = true, class F, class... X>
numbers derivatives(F f, double tolerance, X const&... x) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using all = wrt<static_cast<int>(I)...>;
    auto const flat = [](auto const& result) {
      numbers both{static_cast<double>(result.value)};
      for (double e : entries(result.grad)) both.push_back(e);
      return both;
    };
    numbers const compiled = flat(value_and_grad<all, allow_unused>(f)(x...));
    check_equal(flat(dynamic::value_and_grad<all>(f)(x...)), compiled, tolerance, "on a tape");
    if constexpr (AsBlock) {
      tape<double> t;
      auto const vars = std::make_tuple(t.watch(x)...);
      numbers block{t.backward(t.apply(f, std::get<I>(vars)...))};
      (
          [&] {
            for (double e : entries(t.grad(std::get<I>(vars)))) block.push_back(e);
          }(),
          ...);
      check_equal(block, compiled, tolerance, "as a block on a tape");
    }
    return compiled;
  }(std::index_sequence_for<X...>{});
}

/// The derivative of `F` in a direction: arguments, then directions.
template <class F>
struct along {
  constexpr auto operator()(auto const&... all) const { return std::get<1>(jvp(F{})(all...)); }
};

/// Checks `f` at the tensors that `make` gives as a tuple; first and second derivatives too if it is smooth there.
template <class Make, class F>
void check(Make, F f, bool smooth = true, double tolerance = 1e-12) {
  static constexpr auto constants = Make{}();
  auto x = constants;
  numbers const here = std::apply([&](auto const&... each) { return derivatives(f, tolerance, each...); }, x);
  constexpr auto early = std::apply(
      [](auto const&... each) {
        return []<std::size_t... I>(std::index_sequence<I...>, auto const&... a) {
          return value_and_grad<wrt<static_cast<int>(I)...>, allow_unused>(F{})(a...);
        }(std::index_sequence_for<decltype(each)...>{}, each...);
      },
      constants);
  numbers constant = entries(early.grad);
  constant.insert(constant.begin(), early.value);
  check_equal(constant, here, tolerance, "in constant evaluation");
  if (!smooth) return;

  auto direction = x;
  double next = 0.3;
  auto const each_entry = [](auto& all, auto call) {
    std::apply(
        [&](auto&... t) {
          (
              [&] {
                for (double& e : t) call(e);
              }(),
              ...);
        },
        all);
  };
  each_entry(direction, [&](double& e) { e = next, next = next > 0 ? -0.7 * next - 0.1 : 0.4 - next; });
  // Fourth-order differences: of the value along each entry, and of the gradient along the direction.
  double const h = 1e-3;
  auto const value_at = [&] {
    return std::apply([&](auto const&... each) { return derivatives(f, tolerance, each...)[0]; }, x);
  };
  numbers slopes{here[0]};
  each_entry(x, [&](double& e) {
    double const at = e;
    auto const moved = [&](double by) { return e = at + by, value_at(); };
    slopes.push_back((8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h));
    e = at;
  });
  check_equal(here, slopes, 1e-8, "against differences of the value");

  numbers const bend =
      std::apply([&](auto const&... all) { return derivatives<false>(along<F>{}, 100 * tolerance, all...); },
                 std::tuple_cat(x, direction));
  auto const gradient_at = [&](double by) {
    auto moved = x;
    numbers const v = entries(direction);
    std::size_t i = 0;
    each_entry(moved, [&](double& e) { e += by * v[i++]; });
    return std::apply([&](auto const&... each) { return derivatives(f, tolerance, each...); }, moved);
  };
  numbers const a = gradient_at(h), b = gradient_at(-h), c = gradient_at(2 * h), d = gradient_at(-2 * h);
  numbers expected;
  for (std::size_t i = 0; i < a.size(); ++i) expected.push_back((8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * h));
  for (std::size_t i = 1; i < here.size(); ++i) expected.push_back(here[i]);  // with respect to the direction
  check_equal(bend, expected, 1e-8, "against differences of the gradient");
}

/// Entries between 0.5 and 1.5, no two equal, another sequence for each seed.
template <int... Dims>
constexpr auto sample(unsigned seed = 1) {
  std::uint32_t state = 12345 + 7919 * seed;
  tensor<double, Dims...> x;
  for (double& e : x) {
    state = state * 1664525u + 1013904223u;
    e = 0.5 + (state >> 8) * 0x1p-24;
  }
  return x;
}

}  // namespace everywhere
