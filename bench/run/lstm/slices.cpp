// Deliberately naive: Eigen's products as in eigen.cpp, but every gate is copied out of them, and on the way back put
// into a matrix of zeros of the whole size.
#include "problem.hpp"

#include "../by_eigen.hpp"
#include "../sliced.hpp"

#include <vector>

namespace {

using namespace bench::sliced;
constexpr int width = lstm::width, gates = lstm::gates, batch = lstm::batch, steps = lstm::steps;
constexpr bench::by_eigen product;

/// The values that a step leaves for the way back.
struct kept_step {
  matrix i, f, g, o, c, tc, h;
};

struct kept {
  matrix states = matrix(width, batch* steps);
  std::vector<kept_step> at = std::vector<kept_step>(steps);
};

kept forward(lstm::layer<float> const& l, float const* x) {
  kept k;
  matrix z(gates, batch * steps);
  z.colwise() = l.bias.flat();
  product(gates, batch * steps, width, l.input.data(), false, x, false, 1.0f, z.data());
  matrix h = matrix::Zero(width, batch), c = h;
  for (int t = 0; t < steps; ++t) {
    if (t > 0)
      product(gates, batch, width, l.recurrent.data(), false, h.data(), false, 1.0f, z.data() + t * batch * gates);
    part const now = z.middleCols(t * batch, batch);
    kept_step& s = k.at[static_cast<std::size_t>(t)];
    s.i = logistic(slice(now, 0, width)), s.f = logistic(slice(now, 1, width));
    s.g = tanh(slice(now, 2, width)), s.o = logistic(slice(now, 3, width));
    c = s.c = plus(times(s.f, c), times(s.i, s.g));
    s.tc = tanh(s.c);
    h = s.h = times(s.o, s.tc);
    k.states.middleCols(t * batch, batch) = h;
  }
  return k;
}

void backward(kept const& k, lstm::layer<float> const& l, float const* x, matrix const& above, float* dx,
              lstm::layer<float>& to) {
  matrix const zero = matrix::Zero(width, batch);
  matrix dz(gates, batch * steps), carry = zero, dc = zero;
  for (int t = steps - 1; t >= 0; --t) {
    kept_step const& s = k.at[static_cast<std::size_t>(t)];
    matrix const dh = plus(above.middleCols(t * batch, batch), carry);
    dc = plus(dc, tanh_back(times(dh, s.o), s.tc));
    matrix const before = t > 0 ? k.at[static_cast<std::size_t>(t - 1)].c : zero;
    matrix now = embed(logistic_back(times(dc, s.g), s.i), 0, 4);
    now = plus(now, embed(logistic_back(times(dc, before), s.f), 1, 4));
    now = plus(now, embed(tanh_back(times(dc, s.i), s.g), 2, 4));
    now = plus(now, embed(logistic_back(times(dh, s.tc), s.o), 3, 4));
    dc = times(dc, s.f);
    dz.middleCols(t * batch, batch) = now;
    if (t > 0) product(width, batch, gates, l.recurrent.data(), true, now.data(), false, 0.0f, carry.data());
  }
  product(gates, width, batch * steps, dz.data(), false, x, true, 0.0f, to.input.data());
  product(gates, width, batch * (steps - 1), dz.data() + batch * gates, false, k.states.data(), true, 0.0f,
          to.recurrent.data());
  to.bias.flat() = dz.rowwise().sum();
  if (dx != nullptr) product(width, batch * steps, gates, l.input.data(), true, dz.data(), false, 0.0f, dx);
}

float compute(lstm::inputs const& in, lstm::gradient& g) {
  kept const first = forward(in.weights[0], in.x.data()), second = forward(in.weights[1], first.states.data());
  float const value = second.states.squaredNorm();
  matrix const above = 2 * second.states;
  matrix between(width, batch * steps);
  backward(second, in.weights[1], first.states.data(), above, between.data(), g[1]);
  backward(first, in.weights[0], in.x.data(), between, nullptr, g[0]);
  return value;
}

bench::rival<lstm> const here("slices", [](lstm::inputs const& in, lstm::gradient& g) { return compute(in, g); });

}  // namespace
