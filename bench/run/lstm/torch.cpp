// libtorch: its own LSTM over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

bench::rival<lstm> const here("torch", [](lstm::inputs const& i, lstm::gradient& g) {
  at::Tensor const zero = at::zeros({lstm::layers, lstm::batch, lstm::width});
  at::Tensor const none = at::zeros({lstm::gates});  // torch has two biases

  std::vector<at::Tensor> leaves, weights;
  for (auto const& l : i.weights) {
    for (at::Tensor const& t : {bench::parameter(l.input), bench::parameter(l.recurrent), bench::parameter(l.bias)})
      leaves.push_back(t);
    std::size_t const n = leaves.size();
    weights.insert(weights.end(), {leaves[n - 3].t(), leaves[n - 2].t(), leaves[n - 1], none});
  }
  at::Tensor const h =
      std::get<0>(at::lstm(bench::given(i.x), {zero, zero}, weights, true, lstm::layers, 0, true, false, false));
  return bench::differentiate((h * h).sum(), leaves, g[0].input, g[0].recurrent, g[0].bias, g[1].input, g[1].recurrent,
                              g[1].bias);
});

}  // namespace
