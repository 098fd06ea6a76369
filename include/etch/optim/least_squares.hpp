// least_squares: minimises half the squared norm of residuals by Levenberg and Marquardt's method. Everything large is
// a compiled program, so a minimisation allocates nothing.
#pragma once

#include <etch/optim/levenberg_marquardt.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

namespace detail {

/// x, data... -> the gradient J^T r and J^T J of half the squared norm of the residuals.
template <class F>
struct normal_equations {
  template <class X, class... Data>
  constexpr auto operator()(X const& x, Data const&... data) const {
    auto const residuals = [&](auto const& at) { return etch::detail::as_vector(F{}(at, data...)); };
    auto const r = residuals(x);
    auto const j = jacobian(residuals)(x);
    return std::tuple(transpose(j) * r, transpose(j) * j);
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
  using vector = std::remove_cvref_t<decltype(std::declval<normal_program&>().template result<0>())>;
  using matrix = std::remove_cvref_t<decltype(std::declval<normal_program&>().template result<1>())>;
  using T = typename vector::scalar_type;

  normal_program normal_{};
  program_of<detail::half_squared_norm<F>, X, Data...> value_{};
  program_of<detail::damped_step, vector, matrix, T> step_{};

  /// The linear systems of the steps.
  struct system {
    least_squares_problem& of;

    void linearise(X const& x, Data const&... data) { of.normal_(x, data...); }
    double value_at(X const& x, Data const&... data) { return static_cast<double>(of.value_(x, data...)); }
    const_span<T> gradient() const { return {of.gradient().data(), vector::count}; }
    void step_for(double damping) { of.step_(of.gradient(), of.information(), static_cast<T>(damping)); }
    const_span<T> step() const { return {of.step_.template result<0>().data(), vector::count}; }
    double predicted() const { return static_cast<double>(of.step_.template result<1>()); }
  };

 public:
  /// Moves `x` to a minimum, as far as the options allow.
  outcome minimise(X& x, Data const&... data) { return minimise(least_squares_options{}, x, data...); }
  outcome minimise(least_squares_options const& o, X& x, Data const&... data) {
    system of{*this};
    return detail::levenberg_marquardt(of, "least_squares", o, x, data...);
  }

  /// The gradient J^T r and the matrix J^T J where the last step began, or at the end.
  vector const& gradient() const { return normal_.template result<0>(); }
  matrix const& information() const { return normal_.template result<1>(); }
};

/// The problem of making the residuals `f(x, data...)` small in the sense of least squares, for arguments of these
/// types: `minimise(x, data...)` solves it without allocation. x may be a number, a tensor, a struct, manifolds or
/// tuples of them; the residuals are numbers or tensors. J^T J is dense: for some tens of unknowns. The object is as
/// large as its programs.
template <class F, class X, class... Data>
auto least_squares(F, X const&, Data const&...) {
  static_assert(!detail::stored_by_rows<X>, "etch: least_squares takes matrices that are stored by columns");
  if constexpr (detail::is_function_of_types<F>()) return least_squares_problem<F, X, Data...>();
  else return detail::no_problem();
}

}  // namespace optim
ETCH_NAMESPACE_END
