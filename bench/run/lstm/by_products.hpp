// by_products: the LSTM on somebody else's matrix product, Eigen for what is between; the products of
// all steps as one where they can be.
#pragma once

#include "problem.hpp"

namespace lstm_by_products {

inline constexpr int width = lstm::width, gates = lstm::gates, batch = lstm::batch, steps = lstm::steps;
using matrix = Eigen::MatrixXf;
using map = Eigen::Map<matrix>;

struct kept {
  matrix z{gates, batch* steps};                             // gates, then their adjoints
  matrix h = matrix::Zero(width, batch*(steps + 1)), c = h;  // from the step before the first
  matrix dh{width, batch* steps}, carry{width, batch}, dc{width, batch};
};

inline auto part(matrix& m, int t, int gate) { return m.block(gate * width, t * batch, width, batch).array(); }
inline auto logistic(auto const& x) { return 0.5f + 0.5f * (0.5f * x).tanh(); }

/// `product(a, transpose a, b, transpose b, beta, c)`: c = beta c + op(a) op(b), all column by column.
void forward(kept& k, lstm::layer<float> const& l, float const* x, auto product) {
  map(k.z.data(), gates, batch * steps).colwise() = l.bias.flat();
  product(gates, batch * steps, width, l.input.data(), false, x, false, 1.0f, k.z.data());
  for (int t = 0; t < steps; ++t) {
    if (t > 0)
      product(gates, batch, width, l.recurrent.data(), false, k.h.data() + t * batch * width, false, 1.0f,
              k.z.data() + t * batch * gates);
    auto i = part(k.z, t, 0), f = part(k.z, t, 1), g = part(k.z, t, 2), o = part(k.z, t, 3);
    i = logistic(i), f = logistic(f), g = g.tanh(), o = logistic(o);
    part(k.c, t + 1, 0) = f * part(k.c, t, 0) + i * g;
    part(k.h, t + 1, 0) = o * part(k.c, t + 1, 0).tanh();
  }
}

/// From `dh`, the adjoints of the states from above.
void backward(kept& k, lstm::layer<float> const& l, float const* x, float* dx, lstm::layer<float>& to, auto product) {
  k.carry.setZero(), k.dc.setZero();
  for (int t = steps - 1; t >= 0; --t) {
    auto i = part(k.z, t, 0), f = part(k.z, t, 1), g = part(k.z, t, 2), o = part(k.z, t, 3);
    auto dh = part(k.dh, t, 0), dc = part(k.dc, 0, 0);
    dh += k.carry.array();
    for (int j = 0; j < batch; ++j) {  // column by column, where everything is in the first cache
      auto const tc = part(k.c, t + 1, 0).col(j).tanh().eval();
      dc.col(j) += dh.col(j) * o.col(j) * (1 - tc.square());
      o.col(j) = dh.col(j) * tc * o.col(j) * (1 - o.col(j));
      auto const di = (dc.col(j) * g.col(j) * i.col(j) * (1 - i.col(j))).eval();
      g.col(j) = dc.col(j) * i.col(j) * (1 - g.col(j).square());
      i.col(j) = di;
      auto const dnext = (dc.col(j) * f.col(j)).eval();
      f.col(j) = dc.col(j) * part(k.c, t, 0).col(j) * f.col(j) * (1 - f.col(j));
      dc.col(j) = dnext;
    }
    if (t > 0)
      product(width, batch, gates, l.recurrent.data(), true, k.z.data() + t * batch * gates, false, 0.0f,
              k.carry.data());
  }
  product(gates, width, batch * steps, k.z.data(), false, x, true, 0.0f, to.input.data());
  product(gates, width, batch * (steps - 1), k.z.data() + batch * gates, false, k.h.data() + batch * width, true, 0.0f,
          to.recurrent.data());
  to.bias.flat() = k.z.rowwise().sum();
  if (dx != nullptr) product(width, batch * steps, gates, l.input.data(), true, k.z.data(), false, 0.0f, dx);
}

float compute(lstm::inputs const& in, lstm::gradient& g, auto product) {
  static kept first, second;
  forward(first, in.weights[0], in.x.data(), product);
  float const* const states = first.h.data() + batch * width;
  forward(second, in.weights[1], states, product);
  auto const out = second.h.rightCols(batch * steps);
  float const value = out.squaredNorm();
  second.dh = 2 * out;
  backward(second, in.weights[1], states, first.dh.data(), g[1], product);
  backward(first, in.weights[0], in.x.data(), nullptr, g[0], product);
  return value;
}

}  // namespace lstm_by_products
