// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace gaussian_process {

rival const here{"torch", [](data const& d, gradient& g) {
                   at::Tensor const length = bench::parameter(d.length), scale = bench::parameter(d.scale),
                                    noise = bench::parameter(d.noise);
                   at::Tensor const x = bench::given(d.x), squares = at::square(x).sum(1, true);
                   at::Tensor const distances = squares + squares.t() - 2 * at::matmul(x, x.t());
                   at::Tensor const covariance = at::square(scale) * at::exp(-0.5 * distances / at::square(length)) +
                                                 at::square(noise) * at::eye(points, at::kDouble);
                   at::Tensor const factor = at::linalg_cholesky(covariance);
                   at::Tensor const solved =
                       at::linalg_solve_triangular(factor, bench::given(d.y).unsqueeze(1), /*upper=*/false);
                   at::Tensor const value = 0.5 * at::square(solved).sum() + at::log(at::diagonal(factor)).sum();
                   return bench::differentiate(value, {length, scale, noise}, g.length, g.scale, g.noise);
                 }};

}  // namespace gaussian_process
