// libtorch: gradients of gradients, and gradients, of all points at once.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace laplacian_problem {

namespace {

/// u at all points.
at::Tensor value_at(network<double> const& u, at::Tensor const& x) {
  auto const layer = [](auto const& l, at::Tensor const& in) {
    return at::addmm(bench::given(l.bias), in, bench::given(l.weight));
  };
  return layer(u.last, at::tanh(layer(u.second, at::tanh(layer(u.first, x)))));
}

at::Tensor gradient_of(at::Tensor const& y, at::Tensor const& x, bool again) {
  return torch::autograd::grad({y.sum()}, {x}, {}, again, again)[0];
}

/// The state that the last call has left.
template <int Rows>
double keep(at::Tensor const& result, at_points<Rows>& g) {
  static at::Tensor kept;
  kept = result.contiguous();
  g.entries = kept.data_ptr<double>();
  return g.entries[0];
}

}  // namespace

rival const here{"torch", [](data const& d, auto& g) {
                   at::Tensor const x = bench::parameter(d.x), slopes = gradient_of(value_at(d.u, x), x, true);
                   at::Tensor trace;
                   for (int i = 0; i < inputs; ++i) {
                     at::Tensor const second = gradient_of(slopes.select(1, i), x, true).select(1, i);
                     trace = i == 0 ? second : trace + second;
                   }
                   return keep(trace.detach(), g);
                 }};
gradient_rival const gradient{"torch", [](data const& d, auto& g) {
                                at::Tensor const x = bench::parameter(d.x);
                                return keep(gradient_of(value_at(d.u, x), x, false), g);
                              }};

}  // namespace laplacian_problem
