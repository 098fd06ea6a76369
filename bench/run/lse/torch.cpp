// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace lse_problem {

rival const here{"torch", [](data const& d, gradient& g) {
                   at::Tensor const x = bench::parameter(d.x);
                   return bench::differentiate(at::logsumexp(x, 0), {x}, g.x);
                 }};

}  // namespace lse_problem
