// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "layers_by_torch.hpp"

namespace {

bench::rival<transformer> const one("torch", [](transformer::inputs const& i, transformer::gradient& g) {
  bench::parameters p(i.model);
  at::Tensor const y = bench::block_of(bench::given(i.x), transformer::heads, p);
  return bench::differentiate((y * y).sum(), p.all, g);
});
bench::rival<small_gpt> const all("torch", [](small_gpt::inputs const& i, small_gpt::gradient& g) {
  return bench::differentiate_gpt(i.model, i.text, i.following, g);
});

}  // namespace
