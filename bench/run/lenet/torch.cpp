// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

bench::rival<lenet> const here("torch", [](lenet::inputs const& i, lenet::gradient& g) {
  using bench::given, bench::parameter;
  auto const& m = i.model;
  std::vector<at::Tensor> const p{parameter(m.k1), parameter(m.c1), parameter(m.k2), parameter(m.c2), parameter(m.w1),
                                  parameter(m.b1), parameter(m.w2), parameter(m.b2), parameter(m.w3), parameter(m.b3)};
  at::Tensor z = at::max_pool2d(at::relu(at::conv2d(given(i.x), p[0], p[1])), 2);
  z = at::max_pool2d(at::relu(at::conv2d(z, p[2], p[3])), 2).flatten(1);
  z = at::relu(at::linear(z, p[4].t(), p[5]));
  z = at::relu(at::linear(z, p[6].t(), p[7]));
  z = at::linear(z, p[8].t(), p[9]);
  return bench::differentiate((z * z).sum(), p, g.k1, g.c1, g.k2, g.c2, g.w1, g.b1, g.w2, g.b2, g.w3, g.b3);
});

}  // namespace
