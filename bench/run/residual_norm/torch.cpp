// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

bench::rival<residual_norm> const here("torch", [](residual_norm::inputs const& i, residual_norm::gradient& g) {
  std::vector<at::Tensor> p;
  etch::visit_leaves([&](auto const& leaf) { p.push_back(bench::parameter(leaf)); }, i.model);
  auto const convolved = [&](at::Tensor const& h, std::size_t layer) {
    return at::batch_norm(at::conv2d(h, p[3 * layer], {}, 1, 1), p[3 * layer + 1], p[3 * layer + 2], {}, {}, true, 0.1,
                          1e-5, false);
  };
  at::Tensor h = bench::given(i.x);
  for (std::size_t layer = 0; layer < residual_norm::layers; layer += 2)
    h = h + convolved(at::relu(convolved(h, layer)), layer + 1);
  return bench::differentiate((h * h).sum(), p, g);
});

}  // namespace
