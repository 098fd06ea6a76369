// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace logistic_problem {

rival const here{"torch", [](data const& d, gradient& g) {
                   at::Tensor const w = bench::parameter(d.w), b = bench::parameter(d.b), y = bench::given(d.y);
                   at::Tensor const eta = at::matmul(w, bench::given(d.x)) + b;
                   at::Tensor const value =
                       at::dot(y, eta) - at::softplus(eta).sum() - 0.5 * at::square(w).sum() - 0.5 * at::square(b);
                   return bench::differentiate(value, {w, b}, g.w, g.b);
                 }};

}  // namespace logistic_problem
