// The 27 nonlinear regressions of NIST's Statistical Reference Datasets: their files, and their
// models as cost functions for Ceres.
#pragma once

#include <etch/etch.hpp>
#include <etch/optim/ceres.hpp>

#include <memory>
#include <string>
#include <vector>

namespace nist {

/// The contents of a file. (https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml)
struct dataset {
  std::string level;  // of difficulty: Lower, Average or Higher
  std::vector<double> start[2], certified,
      deviation;  // of each parameter: both starting values, the value, its standard deviation
  double squares = 0, residual_deviation = 0;  // certified: sum of squared residuals, residual standard deviation
  std::vector<double> y, x;                    // observations; predictors, those of one observation side by side
};
/// Reads `text`, of which `name` is said in errors.
dataset parse(std::string text, std::string const& name);

struct problem {
  char const* name;
  std::size_t parameters, observations, predictors;
  std::int64_t workspace_bytes;  // that a value with its Jacobian takes
  std::unique_ptr<ceres::CostFunction> (*cost)(dataset const&);
};

/// Residuals of `Model(b, x)`, with the numbers of parameters, observations and predictors part of the program.
template <class Model, bool OfLogarithm>
struct residual {
  constexpr auto operator()(auto b, auto x, auto y) const {
    if constexpr (OfLogarithm) return log(y) - Model{}(b, x);
    else return y - Model{}(b, x);
  }
};

/// The problem `name`: y = model(b, x) + e, or log(y) = model(b, x) + e.
template <std::size_t Parameters, int Observations, int Predictors = 1, bool OfLogarithm = false, class Model>
problem regression(char const* name, Model) {
  using b = std::array<double, Parameters>;
  using y = etch::tensor<double, Observations>;
  using x = std::conditional_t<Predictors == 1, y, etch::tensor<double, Predictors, Observations>>;
  using function = residual<Model, OfLogarithm>;
  using cost = typename decltype(etch::optim::ceres_cost(function{}, b{}, x{}, y{}))::element_type;
  return {
      name, Parameters, Observations, Predictors, cost::jacobian_program::facts.workspace_bytes, [](dataset const& d) {
        auto const columns_x = std::make_unique<x>();
        auto const columns_y = std::make_unique<y>();
        std::copy(d.x.begin(), d.x.end(), columns_x->begin());
        std::copy(d.y.begin(), d.y.end(), columns_y->begin());
        return std::unique_ptr<ceres::CostFunction>(etch::optim::ceres_cost(function{}, b{}, *columns_x, *columns_y));
      }};
}

/// The problems by their kind: of one exponential; sums of exponentials, bells and waves; fractions and powers.
std::vector<problem> exponential();
std::vector<problem> sums();
std::vector<problem> rational();

}  // namespace nist
