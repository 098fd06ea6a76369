// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace {

template <class P>
bench::rival<P> rival() {
  return {"torch", [](typename P::inputs const& i, typename P::gradient& g) {
            at::Tensor const x = bench::parameter(i.x);
            at::Tensor z = bench::given(i.z);
            for (int n = 0; n < P::steps; ++n) z = at::matmul(z, x);  // of transposes
            return bench::differentiate(P::squares ? (z * z).sum() : z.sum(), {x}, g);
          }};
}
auto const of_sum = rival<chain_of_sum>();
auto const of_squares = rival<chain_of_squares>();

}  // namespace
