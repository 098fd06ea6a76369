// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace product_problem {

rival const here{"torch", [](data const& d, gradient& g) {
                   double total = 0;
                   bench::one_by_one(calls, [&](int) {
                     at::Tensor const x = bench::parameter(d.x);
                     total += bench::differentiate(at::prod(x), {x}, g.x);
                   });
                   return total;
                 }};

}  // namespace product_problem
