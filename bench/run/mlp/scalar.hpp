// The loss number by number, for tools that differentiate numbers.
#pragma once

#include "problem.hpp"

#include <algorithm>
#include <cmath>

struct scalars {
  using problem = mlp;
  static constexpr int variables = mlp::hidden * (mlp::in + 1) + mlp::out * (mlp::hidden + 1), calls = 1,
                       operations = 2 * mlp::batch * (mlp::hidden * mlp::in + mlp::out * mlp::hidden);

  template <class N>
  static N loss(N const* v, problem::inputs const& d) {
    using std::tanh;
    constexpr int in = mlp::in, hidden = mlp::hidden, out = mlp::out;
    N const *const w1 = v, *const b1 = w1 + hidden * in, *const w2 = b1 + hidden, *const b2 = w2 + out * hidden;
    N total = 0;
    for (int j = 0; j < mlp::batch; ++j) {
      N h[hidden];
      for (int i = 0; i < hidden; ++i) {
        N z = b1[i];
        for (int k = 0; k < in; ++k) z += w1[i + k * hidden] * double{d.x(k, j)};
        h[i] = tanh(z);
      }
      for (int i = 0; i < out; ++i) {
        N o = b2[i];
        for (int k = 0; k < hidden; ++k) o += w2[i + k * out] * h[k];
        total += o * o;
      }
    }
    return total;
  }
  static void read(problem::inputs const& d, [[maybe_unused]] int call, double* v) {
    for (auto const& [from, n] : {std::pair{d.model.w1.data(), d.model.w1.size()},
                                  {d.model.b1.data(), d.model.b1.size()},
                                  {d.model.w2.data(), d.model.w2.size()},
                                  {d.model.b2.data(), d.model.b2.size()}})
      v = std::copy(from, from + n, v);
  }
  static void write(double const* v, [[maybe_unused]] int call, problem::gradient& g) {
    for (auto const& [to, n] : {std::pair{g.w1.data(), g.w1.size()},
                                {g.b1.data(), g.b1.size()},
                                {g.w2.data(), g.w2.size()},
                                {g.b2.data(), g.b2.size()}})
      for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<float>(*v++);
  }
};
