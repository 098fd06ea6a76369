// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

bench::rival<resnet> const here("torch", [](resnet::inputs const& i, resnet::gradient& g) {
  std::vector<at::Tensor> p;
  etch::visit_leaves([&](auto const& leaf) { p.push_back(bench::parameter(leaf)); }, i.model);
  std::size_t next = 0;
  auto const convolved = [&](at::Tensor const& x, int stride, int padding) {
    at::Tensor const y = at::conv2d(x, p[next], {}, stride, padding);
    next += 3;
    return at::batch_norm(y, p[next - 2], p[next - 1], {}, {}, true, 0.1, 1e-5, false);
  };
  at::Tensor x = at::relu(convolved(bench::given(i.images), 1, 1));
  for (int block = 0; block < 8; ++block) {
    bool const halves = block > 0 && block % 2 == 0;
    at::Tensor y = at::relu(convolved(x, halves ? 2 : 1, 1));
    y = convolved(y, 1, 1);
    x = at::relu(y + (halves ? convolved(x, 2, 0) : x));
  }
  at::Tensor const scores = at::linear(x.mean({2, 3}), p[next].t(), p[next + 1]);
  return bench::differentiate(at::cross_entropy_loss(scores, bench::given(i.labels).to(at::kLong)), p, g);
});

}  // namespace
