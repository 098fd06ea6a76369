// The loss number by number, for tools that differentiate numbers.
#pragma once

#include "problem.hpp"

#include <algorithm>
#include <cmath>

struct scalars {
  using problem = sum_atan2_problem::problem;
  static constexpr int variables = sum_atan2_problem::count, calls = 1, operations = 2 * variables;

  template <class N>
  static N loss(N const* v, problem::inputs const& d) {
    static_cast<void>(d);
    using std::atan2;
    N const two = 2;
    N total = atan2(v[0], two);
    for (int i = 1; i < variables; ++i) total += atan2(v[i], two);
    return total;
  }
  static void read(problem::inputs const& d, [[maybe_unused]] int call, double* v) {
    std::copy(d.x.begin(), d.x.end(), v);
  }
  static void write(double const* v, [[maybe_unused]] int call, problem::gradient& g) {
    std::transform(v, v + variables, g.x.begin(), [](double e) { return static_cast<float>(e); });
  }
};
