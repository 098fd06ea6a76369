// Bayesian linear regression: the posterior of slopes and offset under Gaussian noise and a Gaussian prior. The
// log posterior is a lambda over a struct; its gradient gives the most probable model by L-BFGS and, since a
// Gaussian's gradient is linear, the covariance.
#include "counted.hpp"

#include <etch/etch.hpp>
#include <etch/optim/lbfgs.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr int features = 3, observations = 60, entries = features + 1;
constexpr double noise = 0.5, prior_width = 2;

template <class T>
struct line {
  etch::param<T, 1, features> slope;
  T offset;
  ETCH_MEMBERS(line, slope, offset)

  constexpr auto operator()(auto x) const { return slope * x + offset; }
};

/// -log p(model | x, y) but for a constant.
constexpr auto minus_log_posterior = [](auto model, auto x, auto y) {
  auto const likelihood = squared_norm(y - model(x)) / (2 * noise * noise);
  auto const prior = (squared_norm(model.slope) + square(model.offset)) / (2 * prior_width * prior_width);
  return likelihood + prior;
};

using vector = Eigen::Matrix<double, entries, 1>;
using matrix = Eigen::Matrix<double, entries, entries>;

}  // namespace

int main() {
  etch::tensor<double, features, observations> x;
  etch::tensor<double, 1, observations> y;
  etch::nn::generator random(8);
  for (int i = 0; i < observations; ++i) {
    for (int k = 0; k < features; ++k) x(k, i) = random.normal();
    y(0, i) = 1.5 * x(0, i) - 0.7 * x(1, i) + 0.3 + noise * random.normal();
  }

  line<double> model{};
  static auto step = etch::compile<etch::wrt<0>>(minus_log_posterior, model, x, y);
  counted counting(step);
  LBFGSpp::LBFGSParam<double> parameters;
  parameters.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
  parameters.epsilon = 1e-6;  // below it a value falls by less than its rounding error
  parameters.epsilon_rel = 0;
  etch::optim::outcome const end = etch::optim::minimise(parameters, counting, model, x, y);
  std::printf("after %d iterations %s\n", end.iterations, end.reason);

  // The Hessian's columns are the changes of the gradient along each entry: exact, for the posterior is Gaussian.
  vector mean;
  etch::optim::flatten(model, std::span<double, entries>(mean.data(), entries));
  auto const gradient_at = [&](vector const& w) {
    vector gradient;
    etch::optim::unflatten(std::span<double const, entries>(w.data(), entries), model);
    counting(model, x, y);
    etch::optim::flatten(step.grad<0>(), std::span<double, entries>(gradient.data(), entries));
    return gradient;
  };
  matrix precision;
  for (int k = 0; k < entries; ++k) precision.col(k) = gradient_at(mean + vector::Unit(k)) - gradient_at(mean);
  matrix const covariance = precision.ldlt().solve(matrix::Identity());

  // The closed form: precision A Aᵀ / noise² + 1 / prior², A the features and ones.
  Eigen::Matrix<double, entries, Eigen::Dynamic> a(entries, observations);
  a << x.matrix(), Eigen::RowVectorXd::Ones(observations);
  matrix const known_precision = a * a.transpose() / (noise * noise) + matrix::Identity() / (prior_width * prior_width);
  vector const known_mean = known_precision.ldlt().solve(a * y.matrix().transpose() / (noise * noise));
  matrix const known_covariance = known_precision.ldlt().solve(matrix::Identity());

  char const* const names[] = {"slope 0", "slope 1", "slope 2", "offset"};
  std::printf("%-8s %18s %27s\n", "", "posterior", "closed form");
  for (int k = 0; k < entries; ++k)
    std::printf("%-8s %12.6f +- %.6f %15.6f +- %.6f\n", names[k], mean(k), std::sqrt(covariance(k, k)), known_mean(k),
                std::sqrt(known_covariance(k, k)));
  double const error =
      std::max((mean - known_mean).cwiseAbs().maxCoeff(), (covariance - known_covariance).cwiseAbs().maxCoeff());
  std::printf("largest difference %.1e; %ld heap allocations in etch's part; workspace %lld bytes\n", error,
              counting.allocations, static_cast<long long>(decltype(step)::facts.workspace_bytes));
  return end.converged && error < 1e-8 && counting.allocations == 0 ? 0 : 1;
}
