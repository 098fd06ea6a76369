// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace sum_squares_problem {

rival const here{"torch", [](data const& d, gradient& g) {
                   at::Tensor const x = bench::parameter(d.x);
                   return bench::differentiate((x * x).sum(), {x}, g.x);
                 }};

}  // namespace sum_squares_problem
