// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

template <class P>
bench::rival<P> rival() {
  return {"torch", [](typename P::inputs const& i, typename P::gradient& g) {
            std::vector<at::Tensor> p;
            for (auto const& each : i.model) p.push_back(bench::parameter(each));
            at::Tensor h = bench::given(i.x);
            for (auto const& each : p) h = h + at::relu(at::conv2d(h, each, {}, 1, 1));
            return bench::differentiate((h * h).sum(), p, g);
          }};
}
auto const of_four = rival<residual<4>>();
auto const of_eight = rival<residual<8>>();

}  // namespace
