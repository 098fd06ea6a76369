// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace tiny_problem {

rival const here{"torch", [](data const& d, gradient& g) {
                   double total = 0;
                   bench::one_by_one(calls, [&](int) {
                     at::Tensor const w = bench::parameter(d.w), b = bench::parameter(d.b);
                     at::Tensor const value =
                         at::square(at::linear(bench::given(d.x), w.t(), b) - bench::given(d.y)).mean();
                     total += bench::differentiate(value, {w, b}, g.w, g.b);
                   });
                   return total;
                 }};

}  // namespace tiny_problem
