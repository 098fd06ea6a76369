// recurrence: an optimiser against its published recurrence for one weight, on every kind
// of leaf that a model may have.
#pragma once

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <array>

namespace recurrence {

using namespace etch;

template <class T>
struct pair_of {
  param<T, 2> first;
  T second;
  ETCH_MEMBERS(pair_of, first, second)
};
struct mixed {
  tensor<float, 2> narrow;
  double wide;
  tensor<int, 3> labels;
  pair_of<double> deep;
  int count;
  ETCH_MEMBERS(mixed, narrow, wide, labels, deep, count)
};

/// Every floating entry `x`, signs as below: rules that are odd in the gradient and the weight together keep them.
inline mixed filled(double x) {
  float const narrow = static_cast<float>(x);
  return {{narrow, -narrow}, x, {1, 2, 3}, {{-x, x}, x}, 7};
}

inline constexpr std::array<double, 6> gradients{1.0, -2.0, 0.5, 3.0, 0.25, -0.125};

/// Six steps from 1 on; `rule(w, g)` is the published step in long double, with a state of its own.
void check(auto optimiser, auto rule) {
  mixed m = filled(1);
  long double w = 1;
  for (double g : gradients) {
    optimiser.update(m, filled(g));
    w = rule(w, static_cast<long double>(g));
    double const expected = static_cast<double>(w);
    for (double each : {m.wide, -m.deep.first(0), m.deep.first(1), m.deep.second})
      CHECK(each == doctest::Approx(expected).epsilon(1e-13));
    for (float each : {m.narrow(0), -m.narrow(1)})
      CHECK(static_cast<double>(each) == doctest::Approx(expected).epsilon(2e-6));
    CHECK(m.labels == tensor<int, 3>{1, 2, 3});
    CHECK(m.count == 7);
  }
}

}  // namespace recurrence
