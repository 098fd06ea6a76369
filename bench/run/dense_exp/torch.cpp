// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

bench::rival<dense_exp> const here("torch", [](dense_exp::inputs const& i, dense_exp::gradient& g) {
  at::Tensor const w = bench::parameter(i.model.w), b = bench::parameter(i.model.b);
  at::Tensor const value = at::exp(at::linear(bench::given(i.x), w.t(), b)).sum();
  return bench::differentiate(value, {w, b}, g.w, g.b);
});

}  // namespace
