// The same gradient by hand: of every step its state and what the heads read of it are kept. On the way back
// the adjoint of the step's sum is written over its state, and those of the heads over what they read; all
// that read the state add to one adjoint.
#include "network.hpp"

namespace fan_out {

namespace {

using in_place = Eigen::Map<Eigen::MatrixXd, Eigen::Aligned64>;
using given = Eigen::Map<Eigen::MatrixXd const, Eigen::Aligned64>;

constinit struct {
  std::array<etch::tensor<double, hidden, batch>, steps> h;
  std::array<std::array<etch::tensor<double, outputs, batch>, heads>, steps> y;
  etch::tensor<double, hidden, batch> dh;
} kept{};

template <class T, int Rows, int Columns>
in_place map(etch::tensor<T, Rows, Columns>& m) {
  return {m.data(), Rows, Columns};
}
template <class T, int Rows, int Columns>
given map(etch::tensor<T, Rows, Columns> const& m) {
  return {m.data(), Rows, Columns};
}

}  // namespace

double by_hand(parameters const& p, series const& xs, parameters& g) {
  auto const x = [&](std::size_t t) { return given(xs.data() + t * inputs * batch, inputs, batch); };
  given const w = map(p.w), u = map(p.u);
  in_place dw = map(g.w), du = map(g.u), dh = map(kept.dh);
  double value = 0;
  for (std::size_t t = 0; t < steps; ++t) {
    in_place h = map(kept.h[t]);
    h.noalias() = u * x(t);
    if (t > 0) h.noalias() += w * map(kept.h[t - 1]);
    h = h.array().tanh();
    for (std::size_t k = 0; k < heads; ++k) {
      in_place y = map(kept.y[t][k]);
      y.noalias() = map(p.v[k]) * h;
      value += y.squaredNorm();
    }
  }
  dw.setZero(), du.setZero(), dh.setZero();
  for (auto& dv : g.v) map(dv).setZero();
  for (std::size_t t = steps; t-- > 0;) {
    in_place h = map(kept.h[t]);
    for (std::size_t k = 0; k < heads; ++k) {
      in_place dy = map(kept.y[t][k]);
      dy *= 2;
      map(g.v[k]).noalias() += dy * h.transpose();
      dh.noalias() += map(p.v[k]).transpose() * dy;
    }
    h = dh.array() * (1 - h.array().square());  // the adjoint of W h + U x
    du.noalias() += h * x(t).transpose();
    if (t == 0) break;
    dw.noalias() += h * map(kept.h[t - 1]).transpose();
    dh.noalias() = w.transpose() * h;
  }
  return value;
}

}  // namespace fan_out
