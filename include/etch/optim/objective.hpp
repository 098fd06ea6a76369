// objective: a compiled program as a function of one vector of numbers; outcome: how a minimisation ended.
#pragma once

#include <etch/base/exception.hpp>
#include <etch/optim/flat.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn]] inline void optimiser_failed(std::string const& optimiser, std::string const& reason) {
  raise(optimiser + ": " + reason);
}
[[noreturn]] inline void no_finite_value_to_begin_with(std::string const& optimiser, double value) {
  raise(optimiser + ": the value at the model given is " + std::to_string(value) +
        "; a minimisation begins at a finite one");
}
[[noreturn]] inline void bounds_exclude_each_other(std::string const& optimiser) {
  raise(optimiser + ": a lower bound is not below its upper bound");
}
[[noreturn]] inline void sizes_of_model_and_optimiser_differ(std::string const& optimiser, std::size_t model,
                                                             std::size_t size) {
  raise(optimiser + ": the model has " + std::to_string(model) + " entries, the optimiser was made for " +
        std::to_string(size));
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace optim {

/// How a minimisation ended.
struct outcome {
  double value;        ///< of the loss at the model as it is now
  int iterations;      ///< as the optimiser counts them
  int evaluations;     ///< calls of the program
  bool converged;      ///< false where a limit of iterations, evaluations or time ended it
  char const* reason;  ///< in words
};

namespace detail {

/// Whether the program's gradient at position 0 has an entry for each floating-point one of the model.
template <class Program, class Model>
inline constexpr bool has_whole_gradient = false;
template <class Program, class Model>
  requires requires(Program& program) { program.template grad<0>(); }
inline constexpr bool has_whole_gradient<Program, Model> =
    flat_size<std::remove_cvref_t<decltype(std::declval<Program&>().template grad<0>())>> == flat_size<Model>;

}  // namespace detail

/// A program with its model and data as f(x), with x and the gradient vectors of `flat_size<Model>`
/// numbers. The model is where trial points are written to; an evaluation allocates nothing. Remembers the
/// lowest finite value met, and where.
template <class Program, class Model, class... Data>
class objective {
 public:
  static constexpr std::size_t size = flat_size<Model>;
  static_assert(
      detail::has_whole_gradient<Program, Model>,
      "etch: an optimiser needs the gradient of the whole model, entry by entry: compile with wrt<0>, not with "
      "wrt_members; a manifold has gradients along tangent vectors");

  objective(Program& program, Model& model, Data const&... data)
      : program_(program), model_(model), data_(data...), start_(size), best_(size), best_value_(HUGE_VAL) {
    flatten(model, std::span<double, size>(start_));
    best_ = start_;
  }

  /// The value at `x`; its gradient is written to `gradient` unless that is null.
  double operator()(double const* x, double* gradient) {
    std::span<double const, size> const at(x, size);
    unflatten(at, model_);
    ++evaluations_;
    double const value =
        std::apply([&](Data const&... data) { return static_cast<double>(program_(model_, data...)); }, data_);
    if constexpr (detail::has_whole_gradient<Program, Model>)
      if (gradient != nullptr) flatten(program_.template grad<0>(), std::span<double, size>(gradient, size));
    if (std::isfinite(value) && value < best_value_) {
      best_value_ = value;
      std::copy(at.begin(), at.end(), best_.begin());
    }
    return value;
  }

  /// Evaluates the model as it was given, and refuses one whose value is not finite.
  double begin(char const* optimiser) {
    double const value = (*this)(start_.data(), nullptr);
    if (!std::isfinite(value)) error::no_finite_value_to_begin_with(optimiser, value);
    return value;
  }

  /// Leaves the model at the best point that was evaluated: as it was given where none was better.
  void keep_best() { unflatten(std::span<double const, size>(best_), model_); }

  std::vector<double> const& start() const { return start_; }
  int evaluations() const { return evaluations_; }

 private:
  Program& program_;
  Model& model_;
  std::tuple<Data const&...> data_;
  std::vector<double> start_;
  std::vector<double> best_;
  double best_value_;
  int evaluations_ = 0;
};

}  // namespace optim
ETCH_NAMESPACE_END
