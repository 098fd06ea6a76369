// The loss number by number, for tools that differentiate numbers.
#pragma once

#include "problem.hpp"

#include <algorithm>
#include <cmath>

struct scalars {
  using problem = normal_problem::problem;
  static constexpr int variables = normal_problem::count + 2, calls = 1, operations = 6 * variables;

  template <class N>
  static N loss(N const* v, problem::inputs const& d) {
    static_cast<void>(d);
    using std::log;
    constexpr int n = normal_problem::count;
    N const scale = 1 / v[n + 1];
    N total = 0;
    for (int i = 0; i < n; ++i) {
      N const miss = (v[i] - v[n]) * scale;
      total += miss * miss;
    }
    return -0.5 * total - n * (log(v[n + 1]) + 0.91893853320467274178);
  }
  static void read(problem::inputs const& d, [[maybe_unused]] int call, double* v) {
    std::copy(d.x.begin(), d.x.end(), v);
    v[normal_problem::count] = d.mu, v[normal_problem::count + 1] = d.sigma;
  }
  static void write(double const* v, [[maybe_unused]] int call, problem::gradient& g) {
    std::copy(v, v + normal_problem::count, g.x.begin());
    g.mu = v[normal_problem::count], g.sigma = v[normal_problem::count + 1];
  }
};
