// minimise: full-batch minimisation by the algorithms of NLopt. Needs NLopt (libnlopt-cxx-dev); not part of etch.hpp.
#pragma once

#include <etch/optim/objective.hpp>

#include <nlopt.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

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
inline double no_objective(unsigned, double const*, double*, void*) {
  throw std::invalid_argument("the objective is gone");
}

struct without_objective {
  ::nlopt::opt& optimiser;
  ~without_objective() { optimiser.set_min_objective(no_objective, nullptr); }
};

/// The objective as NLopt calls it. NLopt says of what the program throws only that it
/// failed, so the text is kept here.
template <class Objective>
struct guarded {
  Objective& at;
  std::string thrown = {};

  static double call(unsigned, double const* point, double* gradient, void* self) {
    guarded& g = *static_cast<guarded*>(self);
    if (!g.thrown.empty()) throw ::nlopt::forced_stop();  // some algorithms ask once more
    try {
      return g.at(point, gradient);
    } catch (std::exception const& failure) {
      g.thrown = failure.what();
    } catch (...) {
      g.thrown = "the program threw what is no std::exception";
    }
    throw ::nlopt::forced_stop();
  }
};

}  // namespace detail

/// Minimises the loss that `step` computes, a program that differentiates its position 0, over `model` by `optimiser`:
/// any algorithm of NLopt, made for `flat_size<Model>` numbers, with its tolerances, limits, bounds and constraints
/// set; the objective is set here. `model` then is NLopt's answer. What NLopt or the program throws comes as
/// `etch::exception`, where `model` is the point that NLopt had reached; so does a value that is not finite at the
/// model given, which then stays as it is. (The counts of iterations are those of evaluations: NLopt tells no others.)
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
    detail::guarded<function> guarded{at};
    std::string failure;
    try {
      optimiser.set_min_objective(detail::guarded<function>::call, &guarded);
      result = optimiser.optimize(x, value);
    } catch (::nlopt::roundoff_limited const&) {  // its answer is useful all the same
      result = ::nlopt::ROUNDOFF_LIMITED;
    } catch (std::exception const& thrown) {
      failure = guarded.thrown.empty() ? thrown.what() : guarded.thrown;
    }
    unflatten(std::span<double const, function::size>(x), model);
    if (!failure.empty()) error::optimiser_failed(name, failure);
  }
  bool const converged = result != ::nlopt::MAXEVAL_REACHED && result != ::nlopt::MAXTIME_REACHED;
  return {value, at.evaluations(), at.evaluations(), converged, detail::in_words(result)};
}

}  // namespace optim
ETCH_NAMESPACE_END
