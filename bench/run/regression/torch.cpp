// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace regression_problem {

rival const here{"torch", [](data const& d, gradient& g) {
                   at::Tensor const w = bench::parameter(d.w), b = bench::parameter(d.b),
                                    sigma = bench::parameter(d.sigma);
                   at::Tensor const miss = (bench::given(d.y) - at::matmul(w, bench::given(d.x)) - b) / sigma;
                   at::Tensor const value = -0.5 * at::square(miss).sum() - rows * at::log(sigma) -
                                            0.5 * at::square(w).sum() - 0.5 * at::square(b);
                   return bench::differentiate(value, {w, b, sigma}, g.w, g.b, g.sigma);
                 }};

}  // namespace regression_problem
