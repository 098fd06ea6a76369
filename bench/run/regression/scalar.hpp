// The loss number by number, for tools that differentiate numbers.
#pragma once

#include "problem.hpp"

#include <algorithm>
#include <cmath>

struct scalars {
  using problem = regression_problem::problem;
  static constexpr int variables = regression_problem::features + 2, calls = 1,
                       operations = 24 * regression_problem::rows;

  template <class N>
  static N loss(N const* v, problem::inputs const& d) {
    using std::log;
    constexpr int rows = regression_problem::rows, features = regression_problem::features;
    N const scale = 1 / v[features + 1];
    N squares = 0;
    for (int i = 0; i < rows; ++i) {
      N miss = d.y(i) - v[features];
      for (int f = 0; f < features; ++f) miss -= d.x(i, f) * v[f];
      miss *= scale;
      squares += miss * miss;
    }
    N norm = v[features] * v[features];
    for (int f = 0; f < features; ++f) norm += v[f] * v[f];
    return -0.5 * (squares + norm) - rows * log(v[features + 1]);
  }
  static void read(problem::inputs const& d, [[maybe_unused]] int call, double* v) {
    std::copy(d.w.begin(), d.w.end(), v);
    v[variables - 2] = d.b, v[variables - 1] = d.sigma;
  }
  static void write(double const* v, [[maybe_unused]] int call, problem::gradient& g) {
    std::copy(v, v + variables - 2, g.w.begin());
    g.b = v[variables - 2], g.sigma = v[variables - 1];
  }
};
