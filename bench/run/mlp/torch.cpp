// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

template <class P>
struct by_torch {
  static double compute(typename P::inputs const& i, typename P::gradient& g) {
    using bench::given, bench::parameter;
    at::Tensor const w1 = parameter(i.model.w1), b1 = parameter(i.model.b1), w2 = parameter(i.model.w2),
                     b2 = parameter(i.model.b2);
    at::Tensor const h =
        at::tanh(at::linear(given(i.x), w1.t(), b1));  // batch down: torch's first index is the slowest
    at::Tensor const o = at::linear(h, w2.t(), b2);
    return bench::differentiate((o * o).sum(), {w1, b1, w2, b2}, g.w1, g.b1, g.w2, g.b2);
  }
};
enter_all<by_torch> const here("torch");

}  // namespace
