// A Gaussian mixture: three clusters with full covariances, found by maximum likelihood. Weights are a softmax,
// covariances the inverse Cholesky factors with logarithms on their diagonals, so that any numbers are a mixture, and
// NLopt needs no constraints. The density at a point is a small program, run in the lanes of a register.
#include "counted.hpp"

#include <etch/etch.hpp>
#include <etch/optim/nlopt.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr int clusters = 3, points = 1500;

template <class T>
struct mixture {
  etch::param<T, clusters> logits;
  etch::param<T, 2, clusters> mean;
  etch::param<T, 2, clusters> log_diagonal;  // of the lower triangular factor L with covariance⁻¹ = Lᵀ L
  etch::param<T, clusters> below;            // its entry under the diagonal
  ETCH_MEMBERS(mixture, logits, mean, log_diagonal, below)

  /// Logarithm of the density at a point, but for a constant; of the weights only the logits.
  constexpr auto operator()(auto point) const {
    auto const cluster = [&](int k) {
      auto const dx = point(0) - mean(0, k), dy = point(1) - mean(1, k);
      auto const a = exp(log_diagonal(0, k)) * dx, b = below(k) * dx + exp(log_diagonal(1, k)) * dy;
      return logits(k) + log_diagonal(0, k) + log_diagonal(1, k) - (square(a) + square(b)) / 2;
    };
    auto sum = cluster(0);
    for (int k = 1; k < clusters; ++k) sum = logaddexp(sum, cluster(k));
    return sum;
  }
};

/// -log likelihood, per point.
constexpr auto loss = [](auto model, auto xs) {
  return logsumexp(model.logits) - etch::sum_map([&](auto point) { return model(point); }, xs) / points;
};

constexpr double weights[] = {0.5, 0.3, 0.2}, centres[][2] = {{0, 0}, {4, 1}, {-1, 4}},
                 widths[][2] = {{1, 0.6}, {0.5, 1}, {0.8, 0.8}};

}  // namespace

int main() {
  static etch::tensor<double, 2, points> xs;
  etch::nn::generator random(9);
  for (int i = 0; i < points; ++i) {
    double const u = random.uniform(0, 1);
    int const k = u < weights[0] ? 0 : u < weights[0] + weights[1] ? 1 : 2;
    for (int d = 0; d < 2; ++d) xs(d, i) = centres[k][d] + widths[k][d] * random.normal();
  }

  mixture<double> model{};
  model.mean = {1, -1, 3, 2, 0, 3};  // not far from the clusters, as a few steps of k-means would be
  static auto step = etch::compile<etch::wrt<0>>(loss, model, xs);
  counted counting(step);
  nlopt::opt optimiser(nlopt::LD_LBFGS, etch::optim::flat_size<mixture<double>>);
  optimiser.set_ftol_rel(1e-12);
  optimiser.set_maxeval(500);
  double const first = step(model, xs);
  etch::optim::outcome const end = etch::optim::minimise(optimiser, counting, model, xs);
  std::printf("-log likelihood %.6f -> %.6f in %d evaluations: %s\n", first, end.value, end.evaluations, end.reason);

  double total = 0, error = 0;
  for (int k = 0; k < clusters; ++k) total += std::exp(model.logits(k));
  for (int k = 0; k < clusters; ++k) {
    double const weight = std::exp(model.logits(k)) / total;
    std::printf("weight %.3f (%.1f)  mean %6.3f %6.3f (%g %g)\n", weight, weights[k], model.mean(0, k),
                model.mean(1, k), centres[k][0], centres[k][1]);
    error = std::max({error, std::abs(weight - weights[k]), std::abs(model.mean(0, k) - centres[k][0]),
                      std::abs(model.mean(1, k) - centres[k][1])});
  }
  std::printf("largest error %.3f; %ld heap allocations in etch's part; workspace %lld bytes\n", error,
              counting.allocations, static_cast<long long>(decltype(step)::facts.workspace_bytes));
  return end.converged && error < 0.15 && counting.allocations == 0 ? 0 : 1;
}
