// libtorch: its own GRU over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

bench::rival<gru> const here("torch", [](gru::inputs const& i, gru::gradient& g) {
  at::Tensor const zero = at::zeros({gru::layers, gru::batch, gru::width});

  std::vector<at::Tensor> leaves, weights;
  for (auto const& l : i.weights) {
    for (at::Tensor const& t : {bench::parameter(l.input), bench::parameter(l.recurrent),
                                bench::parameter(l.input_bias), bench::parameter(l.recurrent_bias)})
      leaves.push_back(t);
    std::size_t const n = leaves.size();
    weights.insert(weights.end(), {leaves[n - 4].t(), leaves[n - 3].t(), leaves[n - 2], leaves[n - 1]});
  }
  at::Tensor const h = std::get<0>(at::gru(bench::given(i.x), zero, weights, true, gru::layers, 0, true, false, false));
  return bench::differentiate((h * h).sum(), leaves, g[0].input, g[0].recurrent, g[0].input_bias, g[0].recurrent_bias,
                              g[1].input, g[1].recurrent, g[1].input_bias, g[1].recurrent_bias);
});

}  // namespace
