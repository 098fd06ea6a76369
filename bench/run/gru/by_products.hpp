// by_products: the GRU on somebody else's matrix product, Eigen for what is between; the products of
// all steps as one where they can be.
#pragma once

#include "problem.hpp"

namespace gru_by_products {

inline constexpr int width = gru::width, gates = gru::gates, batch = gru::batch, steps = gru::steps;
using matrix = Eigen::MatrixXf;

struct kept {
  matrix a{gates, batch* steps}, b{gates, batch* steps};  // gates by x and by h, then their adjoints
  matrix h = matrix::Zero(width, batch*(steps + 1));      // from the step before the first
  matrix dh{width, batch* steps}, carry{width, batch};
};

inline auto part(matrix& m, int t, int gate) { return m.block(gate * width, t * batch, width, batch).array(); }
inline auto logistic(auto const& x) { return 0.5f + 0.5f * (0.5f * x).tanh(); }

/// `product(m, n, k, a, transpose a, b, transpose b, beta, c)`: c = beta c + op(a) op(b), all column by column.
void forward(kept& k, gru::layer<float> const& l, float const* x, auto product) {
  k.a.colwise() = l.input_bias.flat();
  k.b.colwise() = l.recurrent_bias.flat();
  product(gates, batch * steps, width, l.input.data(), false, x, false, 1.0f, k.a.data());
  for (int t = 0; t < steps; ++t) {
    if (t > 0)
      product(gates, batch, width, l.recurrent.data(), false, k.h.data() + t * batch * width, false, 1.0f,
              k.b.data() + t * batch * gates);
    auto r = part(k.a, t, 0), z = part(k.a, t, 1), n = part(k.a, t, 2);
    r = logistic(r + part(k.b, t, 0)), z = logistic(z + part(k.b, t, 1)), n = (n + r * part(k.b, t, 2)).tanh();
    part(k.h, t + 1, 0) = n + z * (part(k.h, t, 0) - n);
  }
}

/// From `dh`, the adjoints of the states from above.
void backward(kept& k, gru::layer<float> const& l, float const* x, float* dx, gru::layer<float>& to, auto product) {
  k.carry.setZero();
  for (int t = steps - 1; t >= 0; --t) {
    auto r = part(k.a, t, 0), z = part(k.a, t, 1), n = part(k.a, t, 2), hr = part(k.b, t, 0), hz = part(k.b, t, 1),
         hn = part(k.b, t, 2);
    auto dh = part(k.dh, t, 0), before = part(k.h, t, 0), carry = part(k.carry, 0, 0);
    dh += carry;
    for (int j = 0; j < batch; ++j) {  // column by column, where everything is in the first cache
      auto const dn = (dh.col(j) * (1 - z.col(j)) * (1 - n.col(j).square())).eval();
      carry.col(j) = dh.col(j) * z.col(j);
      z.col(j) = dh.col(j) * (before.col(j) - n.col(j)) * z.col(j) * (1 - z.col(j));
      n.col(j) = dn;
      auto const reset = (dn * hn.col(j) * r.col(j) * (1 - r.col(j))).eval();
      hn.col(j) = dn * r.col(j);
      r.col(j) = reset;
      hr.col(j) = reset, hz.col(j) = z.col(j);
    }
    if (t > 0)
      product(width, batch, gates, l.recurrent.data(), true, k.b.data() + t * batch * gates, false, 1.0f,
              k.carry.data());
  }
  product(gates, width, batch * steps, k.a.data(), false, x, true, 0.0f, to.input.data());
  product(gates, width, batch * (steps - 1), k.b.data() + batch * gates, false, k.h.data() + batch * width, true, 0.0f,
          to.recurrent.data());
  to.input_bias.flat() = k.a.rowwise().sum();
  to.recurrent_bias.flat() = k.b.rowwise().sum();
  if (dx != nullptr) product(width, batch * steps, gates, l.input.data(), true, k.a.data(), false, 0.0f, dx);
}

float compute(gru::inputs const& in, gru::gradient& g, auto product) {
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

}  // namespace gru_by_products
