// least_squares: minimises half the squared norm of residuals by Levenberg and Marquardt's method. Everything large is
// a compiled program, so a minimisation allocates nothing.
#pragma once

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

/// x, data... -> half the squared norm of the residuals, the gradient J^T r, and J^T J.
template <class F>
struct normal_equations {
  template <class X, class... Data>
  constexpr auto operator()(X const& x, Data const&... data) const {
    auto const residuals = [&](auto const& at) { return etch::detail::as_vector(F{}(at, data...)); };
    auto const r = residuals(x);
    auto const j = jacobian(residuals)(x);
    return std::tuple(0.5 * squared_norm(r), transpose(j) * r, transpose(j) * j);
  }
};
template <class F>
struct half_squared_norm {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return 0.5 * squared_norm(etch::detail::as_vector(F{}(x...)));
  }
};
/// The step that solves the damped normal equations, and the decrease of the value that they predict. A number that
/// influences no residual stays as it is.
struct damped_step {
  template <class G, class A, class D>
  constexpr auto operator()(G const& gradient, A const& a, D const& damping) const {
    auto const on_diagonal = diagonal(a);
    auto const scale = select(on_diagonal > 0.0, on_diagonal, 1.0);
    auto const added = damping * scale + select(on_diagonal > 0.0, 0.0, 1.0);
    auto const step = -etch::solve(a + cwise_product(identity<G::extent[0]>(), added), gradient);
    return std::tuple(step, 0.5 * (damping * sum(cwise_product(scale, square(step))) - dot(step, gradient)));
  }
};

}  // namespace detail

/// Minimises half the squared norm of `F(x, data...)` in x; see `least_squares` below.
template <class F, class X, class... Data>
class least_squares_problem {
  template <class Loss, class... A>
  using program_of = std::remove_cvref_t<decltype(compile<wrt<>>(Loss{}, std::declval<A const&>()...))>;
  using normal_program = program_of<detail::normal_equations<F>, X, Data...>;
  using vector = std::remove_cvref_t<decltype(std::declval<normal_program&>().template result<1>())>;
  using matrix = std::remove_cvref_t<decltype(std::declval<normal_program&>().template result<2>())>;
  using T = typename normal_program::value_type;

  normal_program normal_{};
  program_of<detail::half_squared_norm<F>, X, Data...> value_{};
  program_of<detail::damped_step, vector, matrix, T> step_{};

  static double length(X const& x) {
    double squares = 0;
    argument<X>::visit(x, [&]<class U>(U const* entries, std::size_t n) {
      if constexpr (std::is_floating_point_v<U>)
        for (std::size_t i = 0; i < n; ++i)
          squares += static_cast<double>(entries[i]) * static_cast<double>(entries[i]);
    });
    return std::sqrt(squares);
  }

 public:
  /// Moves `x` to a minimum, as far as the options allow. Where a step leads to a larger or no finite value, it is
  /// taken back, and the next one is shorter. (K. Madsen, H. B. Nielsen, O. Tingleff, Methods for non-linear least
  /// squares problems, 2004, algorithm 3.16, with the scaling of D. Marquardt, 1963.)
  outcome minimise(X& x, Data const&... data) { return minimise(least_squares_options{}, x, data...); }
  outcome minimise(least_squares_options const& o, X& x, Data const&... data) {
    outcome result{static_cast<double>(normal_(x, data...)), 0, 1, false, "the most iterations"};
    if (!std::isfinite(result.value)) error::no_finite_value_to_begin_with("least_squares", result.value);
    double damping = o.damping, factor = 2;
    for (; result.iterations < o.most_iterations; ++result.iterations) {
      vector const& gradient = normal_.template result<1>();
      if (gradient.flat().cwiseAbs().maxCoeff() <= o.gradient_tolerance)
        return detail::ended(result, true, "the gradient is zero");
      X const before = x;
      for (;;) {  // until a step is taken
        vector const& step = step_(gradient, normal_.template result<2>(), static_cast<T>(damping));
        double const predicted = static_cast<double>(step_.template result<1>());
        double const size = static_cast<double>(step.flat().norm());
        if (size <= o.step_tolerance * (length(x) + o.step_tolerance))
          return detail::ended(result, true, "the step is zero");
        if (predicted <= o.value_tolerance * result.value) return detail::ended(result, true, "the value stays");
        detail::move(x, step, 1);
        double const value = static_cast<double>(value_(x, data...));
        ++result.evaluations;
        double const gain = (result.value - value) / predicted;
        if (gain > 0) {  // NaN is none
          double const excess = 2 * gain - 1;
          damping *= std::max(1.0 / 3, 1 - excess * excess * excess);
          factor = 2;
          break;
        }
        x = before;
        damping = std::max(damping, 1e-12) * factor;
        factor *= 2;
        if (!(damping < 1e30)) return detail::ended(result, false, "no step lowers the value");
      }
      result.value = static_cast<double>(normal_(x, data...));
    }
    return result;
  }

  /// The gradient J^T r and the matrix J^T J where the last step began, or at the end.
  vector const& gradient() const { return normal_.template result<1>(); }
  matrix const& information() const { return normal_.template result<2>(); }
};

/// The problem of making the residuals `f(x, data...)` small in the sense of least squares, for arguments of these
/// types: `minimise(x, data...)` solves it without allocation. x may be a number, a tensor, a struct, manifolds or
/// tuples of them; the residuals are numbers or tensors. J^T J is dense: for some tens of unknowns. The object is as
/// large as its programs.
template <class F, class X, class... Data>
least_squares_problem<F, X, Data...> least_squares(F, X const&, Data const&...) {
  static_assert(!detail::stored_by_rows<X>, "etch: least_squares takes matrices that are stored by columns");
  return {};
}

}  // namespace optim
ETCH_NAMESPACE_END
