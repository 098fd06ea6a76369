// minimise: full-batch minimisation by L-BFGS and, within bounds, L-BFGS-B. Needs LBFGSpp
// (liblbfgspp-dev); not part of etch.hpp.
#pragma once

#include <etch/optim/objective.hpp>

#include <LBFGS.h>
#include <LBFGSB.h>

ETCH_NAMESPACE_BEGIN
namespace optim {

namespace detail {

/// Runs `minimise(f, x, value)`, which returns the number of iterations; `gradient_norm(x, gradient)` is what the
/// tolerances of `parameters` speak of.
template <class Parameters, class Model, class Program, class... Data>
outcome run_lbfgs(char const* optimiser, Parameters const& parameters, auto minimise, auto gradient_norm, Program& step,
                  Model& model, Data const&... data) {
  objective<Program, Model, Data...> at(step, model, data...);
  at.begin(optimiser);
  Eigen::VectorXd x = Eigen::Map<Eigen::VectorXd const>(at.start().data(), static_cast<Eigen::Index>(flat_size<Model>));
  Eigen::VectorXd last_gradient = Eigen::VectorXd::Zero(x.size());
  auto function = [&](Eigen::VectorXd const& point, Eigen::VectorXd& gradient) {
    // From such a point there is no way back, and LBFGSpp would go on forever.
    if (!point.allFinite()) throw std::runtime_error("it asks for the value at a point that is not finite");
    double const value = at(point.data(), gradient.data());
    last_gradient = gradient;
    return value;
  };
  double value = 0;
  int iterations = 0;
  try {
    iterations = minimise(function, x, value);
  } catch (std::exception const& failure) {
    at.keep_best();
    error::optimiser_failed(optimiser, failure.what());
  }
  if (!std::isfinite(value)) {
    at.keep_best();
    error::optimiser_failed(optimiser, "it ended at a value of " + std::to_string(value));
  }
  unflatten(std::span<double const, flat_size<Model>>(x.data(), flat_size<Model>), model);
  double const norm = gradient_norm(x, last_gradient);
  if (norm <= parameters.epsilon || norm <= parameters.epsilon_rel * x.norm())
    return {value, iterations, at.evaluations(), true, "the gradient vanishes within the tolerance"};
  if (parameters.max_iterations != 0 && iterations >= parameters.max_iterations)
    return {value, iterations, at.evaluations(), false, "the limit of iterations was reached"};
  return {value, iterations, at.evaluations(), true, "the value changes no more within the tolerance"};
}

}  // namespace detail

/// Minimises the loss that `step` computes, a program that differentiates its position 0, over `model` by L-BFGS (J.
/// Nocedal, Updating quasi-Newton matrices with limited storage, Math. Comp. 35, 1980) as LBFGSpp has it, with one of
/// its line searches. `model` then is the optimiser's answer. What LBFGSpp throws comes as `etch::exception`, where
/// `model` is the best point that was evaluated; so does an answer whose value is not finite, and such a value at the
/// model given, which then stays as it is. LBFGSpp 0.1 searches lines by Armijo's condition unless told otherwise, and
/// then fails where the loss is not convex: set `parameters.linesearch` to `LBFGS_LINESEARCH_BACKTRACKING_WOLFE`.
template <template <class> class LineSearch = LBFGSpp::LineSearchBacktracking, class Program, class Model,
          class... Data>
outcome minimise(LBFGSpp::LBFGSParam<double> const& parameters, Program& step, Model& model, Data const&... data) {
  return detail::run_lbfgs(
      "L-BFGS", parameters,
      [&](auto& function, Eigen::VectorXd& x, double& value) {
        LBFGSpp::LBFGSSolver<double, LineSearch> solver(parameters);
        return solver.minimize(function, x, value);
      },
      [](Eigen::VectorXd const&, Eigen::VectorXd const& gradient) { return gradient.norm(); }, step, model, data...);
}

/// Minimises with every entry of the model between those of `lower` and `upper`, models themselves (infinite where
/// there is no bound), by L-BFGS-B (R. Byrd, P. Lu, J. Nocedal, C. Zhu, SIAM J. Sci. Comput. 16, 1995). What is out
/// of bounds is first moved to the nearest one.
template <class Program, class Model, class... Data>
outcome minimise(LBFGSpp::LBFGSBParam<double> const& parameters, Model const& lower, Model const& upper, Program& step,
                 Model& model, Data const&... data) {
  constexpr std::size_t size = flat_size<Model>;
  Eigen::VectorXd least(static_cast<Eigen::Index>(size)), most(static_cast<Eigen::Index>(size));
  flatten(lower, std::span<double, size>(least.data(), size));
  flatten(upper, std::span<double, size>(most.data(), size));
  if (!(least.array() <= most.array()).all()) error::bounds_exclude_each_other("L-BFGS-B");
  Eigen::VectorXd inside(static_cast<Eigen::Index>(size));
  flatten(model, std::span<double, size>(inside.data(), size));
  inside = inside.cwiseMax(least).cwiseMin(most).eval();
  unflatten(std::span<double const, size>(inside.data(), size), model);
  return detail::run_lbfgs(
      "L-BFGS-B", parameters,
      [&](auto& function, Eigen::VectorXd& x, double& value) {
        LBFGSpp::LBFGSBSolver<double> solver(parameters);
        return solver.minimize(function, x, value, least, most);
      },
      [&](Eigen::VectorXd const& x, Eigen::VectorXd const& gradient) {
        return ((x - gradient).cwiseMax(least).cwiseMin(most) - x).template lpNorm<Eigen::Infinity>();
      },
      step, model, data...);
}

}  // namespace optim
ETCH_NAMESPACE_END
