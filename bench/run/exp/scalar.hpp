// The loss number by number, for tools that differentiate numbers.
#pragma once

#include "problem.hpp"

#include <algorithm>
#include <cmath>

struct scalars {
  using problem = exp_problem::problem;
  static constexpr int variables = 1, calls = exp_problem::calls, operations = 1;

  template <class N>
  static N loss(N const* v, problem::inputs const& d) {
    static_cast<void>(d);
    using std::exp;
    return exp(v[0]);
  }
  static void read(problem::inputs const& d, [[maybe_unused]] int call, double* v) { v[0] = d.x(call); }
  static void write(double const* v, [[maybe_unused]] int call, problem::gradient& g) { g.x(call) = v[0]; }
};
