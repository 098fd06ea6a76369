// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace normal_problem {

rival const here{
    "torch", [](data const& d, gradient& g) {
      at::Tensor const x = bench::parameter(d.x), mu = bench::parameter(d.mu), sigma = bench::parameter(d.sigma);
      at::Tensor const value = (-0.5 * at::square((x - mu) / sigma) - at::log(sigma) - 0.91893853320467274178).sum();
      return bench::differentiate(value, {x, mu, sigma}, g.x, g.mu, g.sigma);
    }};

}  // namespace normal_problem
