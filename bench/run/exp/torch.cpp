// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace exp_problem {

rival const here{"torch", [](data const& d, gradient& g) {
                   double total = 0;
                   bench::one_by_one(calls, [&](int i) {
                     at::Tensor const x = bench::parameter(d.x(i));
                     total += bench::differentiate(at::exp(x), {x}, g.x(i));
                   });
                   return total;
                 }};

}  // namespace exp_problem
