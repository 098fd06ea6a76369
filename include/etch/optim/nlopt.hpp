// minimise: full-batch minimisation by the algorithms of NLopt. Needs NLopt (libnlopt-cxx-dev); not part of etch.hpp.
#pragma once

#include <etch/optim/objective.hpp>

#include <nlopt.hpp>

namespace etch::inline ETCH_ABI::optim {

namespace detail {

constexpr char const* in_words(::nlopt::result result) {
  switch (result) {
    case ::nlopt::SUCCESS:
      return "the optimum was found";
    case ::nlopt::STOPVAL_REACHED:
      return "the value to stop at was reached";
    case ::nlopt::FTOL_REACHED:
      return "the value changes no more within the tolerance";
    case ::nlopt::XTOL_REACHED:
      return "the model changes no more within the tolerance";
    case ::nlopt::MAXEVAL_REACHED:
      return "the limit of evaluations was reached";
    case ::nlopt::MAXTIME_REACHED:
      return "the limit of time was reached";
    case ::nlopt::ROUNDOFF_LIMITED:
      return "rounding errors leave no progress";
    default:
      return "failed";
  }
}

/// Put in the place of the objective when it ends, so that the optimiser refers to nothing that is gone.
inline double no_objective(unsigned, double const*, double*, void*) { throw std::invalid_argument("the objective is gone"); }

struct without_objective {
  ::nlopt::opt& optimiser;
  ~without_objective() { optimiser.set_min_objective(no_objective, nullptr); }
};

}  // namespace detail

/// Minimises the loss that `step` computes, a program that differentiates its position 0, over `model` by `optimiser`: any algorithm of
/// NLopt, made for `flat_size<Model>` numbers, with its tolerances, limits, bounds and constraints set; the objective is set here. `model`
/// then is NLopt's answer. What NLopt throws comes as `etch::exception`, where `model` is the point that NLopt had reached; so does a value
/// that is not finite at the model given, which then stays as it is. (The counts of iterations are those of evaluations: NLopt tells no
/// others.)
template <class Program, class Model, class... Data>
outcome minimise(::nlopt::opt& optimiser, Program& step, Model& model, Data const&... data) {
  using function = objective<Program, Model, Data...>;
  char const* const name = optimiser.get_algorithm_name();
  if (optimiser.get_dimension() != function::size)
    error::sizes_of_model_and_optimiser_differ(name, function::size, optimiser.get_dimension());
  function at(step, model, data...);
  at.begin(name);
  std::vector<double> x = at.start();
  double value = 0;
  ::nlopt::result result = ::nlopt::FAILURE;
  {
    detail::without_objective const afterwards{optimiser};
    std::string failure;
    try {
      optimiser.set_min_objective(
          [](unsigned, double const* point, double* gradient, void* self) { return (*static_cast<function*>(self))(point, gradient); },
          &at);
      result = optimiser.optimize(x, value);
    } catch (::nlopt::roundoff_limited const&) {  // its answer is useful all the same
      result = ::nlopt::ROUNDOFF_LIMITED;
    } catch (std::exception const& thrown) {
      failure = thrown.what();
    }
    unflatten(std::span<double const, function::size>(x), model);
    if (!failure.empty()) error::optimiser_failed(name, failure);
  }
  bool const converged = result != ::nlopt::MAXEVAL_REACHED && result != ::nlopt::MAXTIME_REACHED;
  return {value, at.evaluations(), at.evaluations(), converged, detail::in_words(result)};
}

}  // namespace etch::inline ETCH_ABI::optim
