// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../gpt/layers_by_torch.hpp"

namespace {

bench::rival<gpt2> const here("torch", [](gpt2::inputs const& i, gpt2::gradient& g) {
  return bench::differentiate_gpt(i.model, i.text, i.following, g);
});

}  // namespace
