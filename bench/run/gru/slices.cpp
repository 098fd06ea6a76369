// Deliberately naive: Eigen's products as in eigen.cpp, but every gate is copied out of them, and on the way back put
// into a matrix of zeros of the whole size.
#include "problem.hpp"

#include "../by_eigen.hpp"
#include "../sliced.hpp"

#include <vector>

namespace {

using namespace bench::sliced;
constexpr int width = gru::width, gates = gru::gates, batch = gru::batch, steps = gru::steps;
constexpr bench::by_eigen product;

/// The values that a step leaves for the way back.
struct kept_step {
  matrix r, z, n, hn, h;
};

struct kept {
  matrix states = matrix(width, batch* steps);
  std::vector<kept_step> at = std::vector<kept_step>(steps);
};

kept forward(gru::layer<float> const& l, float const* x) {
  kept k;
  matrix a(gates, batch * steps), b(gates, batch * steps);
  a.colwise() = l.input_bias.flat();
  b.colwise() = l.recurrent_bias.flat();
  product(gates, batch * steps, width, l.input.data(), false, x, false, 1.0f, a.data());
  matrix h = matrix::Zero(width, batch);
  for (int t = 0; t < steps; ++t) {
    if (t > 0)
      product(gates, batch, width, l.recurrent.data(), false, h.data(), false, 1.0f, b.data() + t * batch * gates);
    part const of_x = a.middleCols(t * batch, batch), of_h = b.middleCols(t * batch, batch);
    kept_step& s = k.at[static_cast<std::size_t>(t)];
    s.r = logistic(plus(slice(of_x, 0, width), slice(of_h, 0, width)));
    s.z = logistic(plus(slice(of_x, 1, width), slice(of_h, 1, width)));
    s.hn = slice(of_h, 2, width);
    s.n = tanh(plus(slice(of_x, 2, width), times(s.r, s.hn)));
    h = s.h = plus(times(one_minus(s.z), s.n), times(s.z, h));
    k.states.middleCols(t * batch, batch) = h;
  }
  return k;
}

void backward(kept const& k, gru::layer<float> const& l, float const* x, matrix const& above, float* dx,
              gru::layer<float>& to) {
  matrix const zero = matrix::Zero(width, batch);
  matrix da(gates, batch * steps), db(gates, batch * steps), carry = zero;
  for (int t = steps - 1; t >= 0; --t) {
    kept_step const& s = k.at[static_cast<std::size_t>(t)];
    matrix const dh = plus(above.middleCols(t * batch, batch), carry);
    matrix const before = t > 0 ? k.at[static_cast<std::size_t>(t - 1)].h : zero;
    matrix const dn = tanh_back(times(dh, one_minus(s.z)), s.n);
    matrix const dz = logistic_back(times(dh, minus(before, s.n)), s.z);
    matrix const dr = logistic_back(times(dn, s.hn), s.r);
    matrix of_x = embed(dr, 0, 3), of_h = embed(dr, 0, 3);
    of_x = plus(of_x, embed(dz, 1, 3)), of_h = plus(of_h, embed(dz, 1, 3));
    of_x = plus(of_x, embed(dn, 2, 3)), of_h = plus(of_h, embed(times(dn, s.r), 2, 3));
    carry = times(dh, s.z);
    da.middleCols(t * batch, batch) = of_x, db.middleCols(t * batch, batch) = of_h;
    if (t > 0) product(width, batch, gates, l.recurrent.data(), true, of_h.data(), false, 1.0f, carry.data());
  }
  product(gates, width, batch * steps, da.data(), false, x, true, 0.0f, to.input.data());
  product(gates, width, batch * (steps - 1), db.data() + batch * gates, false, k.states.data(), true, 0.0f,
          to.recurrent.data());
  to.input_bias.flat() = da.rowwise().sum();
  to.recurrent_bias.flat() = db.rowwise().sum();
  if (dx != nullptr) product(width, batch * steps, gates, l.input.data(), true, da.data(), false, 0.0f, dx);
}

float compute(gru::inputs const& in, gru::gradient& g) {
  kept const first = forward(in.weights[0], in.x.data()), second = forward(in.weights[1], first.states.data());
  float const value = second.states.squaredNorm();
  matrix const above = 2 * second.states;
  matrix between(width, batch * steps);
  backward(second, in.weights[1], first.states.data(), above, between.data(), g[1]);
  backward(first, in.weights[0], in.x.data(), between, nullptr, g[0]);
  return value;
}

bench::rival<gru> const here("slices", [](gru::inputs const& in, gru::gradient& g) { return compute(in, g); });

}  // namespace
