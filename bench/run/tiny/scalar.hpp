// The loss number by number, for tools that differentiate numbers.
#pragma once

#include "problem.hpp"

#include <algorithm>
#include <cmath>

struct scalars {
  using problem = tiny_problem::problem;
  static constexpr int variables = tiny_problem::in + 1, calls = tiny_problem::calls, operations = 64;

  template <class N>
  static N loss(N const* v, problem::inputs const& d) {
    N total = 0;
    for (int j = 0; j < tiny_problem::batch; ++j) {
      N miss = v[tiny_problem::in] - double{d.y(0, j)};
      for (int k = 0; k < tiny_problem::in; ++k) miss += v[k] * double{d.x(k, j)};
      total += miss * miss;
    }
    return total * (1.0 / tiny_problem::batch);
  }
  static void read(problem::inputs const& d, [[maybe_unused]] int call, double* v) {
    std::copy(d.w.begin(), d.w.end(), v);
    v[tiny_problem::in] = d.b(0);
  }
  static void write(double const* v, [[maybe_unused]] int call, problem::gradient& g) {
    std::transform(v, v + tiny_problem::in, g.w.begin(), [](double e) { return static_cast<float>(e); });
    g.b(0) = static_cast<float>(v[tiny_problem::in]);
  }
};
