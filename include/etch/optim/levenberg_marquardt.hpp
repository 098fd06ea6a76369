// levenberg_marquardt: the steps of Levenberg and Marquardt's method, whatever solves its linear systems.
#pragma once

#include <etch/optim/clip.hpp>
#include <etch/optim/steps.hpp>
#include <etch/transform/jacobian.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// When a minimisation of squares ends.
struct least_squares_options {
  int most_iterations = 100;
  double gradient_tolerance = 1e-10;  ///< of its largest entry
  double step_tolerance = 1e-12;      ///< of the length of a step, relative to the model's
  double value_tolerance = 1e-15;     ///< of the decrease that a step predicts, relative to the value
  double damping = 1e-3;  ///< to begin with, relative to the diagonal of J^T J; 0 is the method of Gauss and Newton
};

namespace detail {

/// x, data... -> half the squared norm of the residuals.
template <class F>
struct half_squared_norm {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return 0.5 * squared_norm(etch::detail::as_vector(F{}(x...)));
  }
};

/// The norm of a vector, and the largest size of its entries, in double: programs like these are compiled with warnings
/// that g++ 12 gives for Eigen's reductions.
template <class T>
double norm_of(const_span<T> v) {
  double squares = 0;
  for (T each : v) squares += static_cast<double>(each) * static_cast<double>(each);
  return std::sqrt(squares);
}
template <class T>
double largest_of(const_span<T> v) {
  double largest = 0;
  for (T each : v)
    if (double const size = std::abs(static_cast<double>(each)); !(size <= largest) && largest == largest)
      largest = size;  // NaN is the largest
  return largest;
}

/// Moves `x` to a minimum of half the squared norm of the residuals, as far as the options allow. Where a step leads to
/// a larger or no finite value, it is taken back, and the next one is shorter. (K. Madsen, H. B. Nielsen, O. Tingleff,
/// Methods for non-linear least squares problems, 2004, algorithm 3.16, with the scaling of D. Marquardt, 1963.)
/// After `system.linearise(x, data...)` it has a `gradient()`; `system.step_for(damping)` solves the damped normal
/// equations, after which it has a `step()`, and the decrease that is `predicted()`; `system.value_at(x, data...)`
/// gives the value. Both vectors are spans. Values that are compared come from `value_at` alone: by another rounding a
/// step could seem to lower the value for ever.
template <class System, class X, class... Data>
outcome levenberg_marquardt(System& system, char const* name, least_squares_options const& o, X& x,
                            Data const&... data) {
  outcome result{system.value_at(x, data...), 0, 1, false, "the most iterations"};
  if (!std::isfinite(result.value)) error::no_finite_value_to_begin_with(name, result.value);
  system.linearise(x, data...);
  double damping = o.damping, factor = 2;
  for (; result.iterations < o.most_iterations; ++result.iterations) {
    if (largest_of(system.gradient()) <= o.gradient_tolerance) return ended(result, true, "the gradient is zero");
    X const before = x;
    double refused = 0;  // the value of the last step that was taken back
    for (;;) {           // until a step is taken
      system.step_for(damping);
      double const predicted = system.predicted(), size = norm_of(system.step());
      if (size <= o.step_tolerance * (optim::norm(x) + o.step_tolerance))
        return std::isfinite(refused) ? ended(result, true, "the step is zero")
                                      : ended(result, false, "no step leads to a finite value");
      if (predicted >= 0 && predicted <= o.value_tolerance * result.value)
        return ended(result, true, "the value stays");
      double value = result.value, gain = 0;
      if (predicted > 0) {  // else the equations are too near to singular ones for this damping, or NaN
        move(x, system.step(), 1);
        value = system.value_at(x, data...);
        ++result.evaluations;
        gain = (result.value - value) / predicted;
      }
      if (gain > 0) {  // NaN is none
        double const excess = 2 * gain - 1;
        damping *= std::max(1.0 / 3, 1 - excess * excess * excess);
        factor = 2;
        result.value = value;
        break;
      }
      x = before;
      refused = value;
      damping = std::max(damping, 1e-12) * factor;
      factor *= 2;
      if (!(damping < 1e30)) return ended(result, false, "no step lowers the value");
    }
    system.linearise(x, data...);
  }
  return result;
}

}  // namespace detail
}  // namespace optim
ETCH_NAMESPACE_END
