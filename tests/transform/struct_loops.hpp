// struct_loops: a struct of series, and a struct that steps hand on.
#pragma once

#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

namespace struct_loops {

using namespace etch;
using values::filled_with;

/// What a vehicle is told at every step: a struct over its number type.
template <class T, int Steps>
struct commands {
  param<T, 2, Steps> force;
  param<T, Steps> turn;
  ETCH_MEMBERS(commands, force, turn)
};
/// The state that the steps hand on.
template <class T>
struct vehicle {
  param<T, 2> at;
  T heading;
  ETCH_MEMBERS(vehicle, at, heading)
};

template <class Keep>
constexpr auto driven = [](auto start, auto told, auto w) {
  auto const [last, seen] = scan(
      [&](auto v, auto u) {
        auto next = v;
        next.heading = v.heading + sin(u.turn) * w(0);
        next.at = v.at + tanh(u.force + w) * cos(next.heading);
        return step{next, next};
      },
      start, told, Keep{});
  return sum(last.at) * last.heading + sum(square(seen.at)) + sum(cube(seen.heading)) + sum(seen.at * seen.heading);
};
constexpr auto unrolled = [](auto start, auto told, auto w) {
  auto at = start.at;
  auto heading = start.heading + 0;
  auto total = 0 * heading;
  for (int t = 0; t < 5; ++t) {
    heading = heading + sin(told.turn(t)) * w(0);
    at = at + tanh(told.force.col(t) + w) * cos(heading);
    total = total + sum(square(at)) + cube(heading) + sum(at) * heading;
  }
  return total + sum(at) * heading;
};

template <class T>
struct arguments {
  vehicle<T> start{{T(0.3), T(-0.2)}, T(0.4)};
  commands<T, 5> told{filled_with<tensor<T, 2, 5>>(1), filled_with<tensor<T, 5>>(2)};
  tensor<T, 2> w{T(0.5), T(0.7)};
};

template <class T>
inline constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-12;

/// `found` is `expected`, in every leaf.
template <class T, class S>
void check_leaves(S const& found, S const& expected) {
  visit_leaves(
      [](auto const& a, auto const& b) {
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(a)>>)
          CHECK(a == doctest::Approx(b).epsilon(tolerance<T>));
        else CHECK(same::distance(a, b) < tolerance<T>);
      },
      found, expected);
}

/// Value and all gradients of `f` as a program, on a tape and as a block of a tape are those of the program `g`.
template <class T>
void check_everywhere(auto f, auto g, auto const&... x) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    using all = wrt<I...>;
    auto const expected = value_and_grad<all>(g)(x...);
    auto const found = value_and_grad<all>(f)(x...), taped = dynamic::value_and_grad<all>(f)(x...);
    CHECK(found.value == doctest::Approx(expected.value).epsilon(tolerance<T>));
    CHECK(taped.value == doctest::Approx(expected.value).epsilon(tolerance<T>));
    check_leaves<T>(found.grad, expected.grad);
    check_leaves<T>(taped.grad, expected.grad);
  }(std::make_integer_sequence<int, sizeof...(x)>{});
}

}  // namespace struct_loops
