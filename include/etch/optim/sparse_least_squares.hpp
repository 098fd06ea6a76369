// sparse_least_squares: minimises half the squared norm of many residuals each of which depends on few numbers, by
// Levenberg and Marquardt's method with a sparse Jacobian. After the start nothing is allocated.
#pragma once

#include <etch/optim/levenberg_marquardt.hpp>
#include <etch/optim/sparse_normal_equations.hpp>
#include <etch/sparse/jacobian.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// Minimises half the squared norm of `F(x, data...)` in x; see `sparse_least_squares` below.
template <class Jacobian, class F, class X, class... Data>
class sparse_least_squares_problem {
  using matrix = std::remove_cvref_t<decltype(std::declval<Jacobian const&>().matrix())>;
  using T = typename matrix::Scalar;
  using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  using value_program = std::remove_cvref_t<decltype(compile<wrt<>>(
      detail::half_squared_norm<F>{}, std::declval<X const&>(), std::declval<Data const&>()...))>;

  Jacobian jacobian_{};
  value_program value_{};
  detail::sparse_normal_equations<T> equations_{jacobian_.matrix()};

  /// The linear systems of the steps.
  struct system {
    sparse_least_squares_problem& of;

    void linearise(X const& x, Data const&... data) {
      auto const& j = of.jacobian_(x, data...);
      of.equations_.set(j, of.jacobian_.value().data());
    }
    double value_at(X const& x, Data const&... data) { return static_cast<double>(of.value_(x, data...)); }
    const_span<T> gradient() const { return spanned(of.equations_.gradient()); }
    void step_for(double damping) { of.equations_.solve(static_cast<T>(damping)); }
    const_span<T> step() const { return spanned(of.equations_.step()); }
    double predicted() const { return of.equations_.predicted(); }
    static const_span<T> spanned(vector const& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
  };

 public:
  /// Those of the Jacobian: `rows`, `columns`, `nonzeros`, `colours` and more.
  static constexpr sparse_facts facts = Jacobian::facts;

  /// Moves `x` to a minimum, as far as the options allow.
  outcome minimise(X& x, Data const&... data) { return minimise(least_squares_options{}, x, data...); }
  outcome minimise(least_squares_options const& o, X& x, Data const&... data) {
    system of{*this};
    return detail::levenberg_marquardt(of, "sparse_least_squares", o, x, data...);
  }

  /// The gradient J^T r and the Jacobian where the last step began, or at the end.
  vector const& gradient() const { return equations_.gradient(); }
  matrix const& jacobian() const { return jacobian_.matrix(); }
};

/// The problem of `least_squares` where residuals are many and each depends on few of the unknowns: the Jacobian is
/// that of `sparse_jacobian`, the normal equations are solved by Eigen's sparse L D L^T, whose order and structure are
/// found once, when the object is made. The object allocates then; `minimise(x, data...)` does not.
template <class F, class X, class... Data>
auto sparse_least_squares(F, X const&, Data const&...) {
  static_assert(!detail::stored_by_rows<X>, "etch: sparse_least_squares takes matrices that are stored by columns");
  if constexpr (detail::is_function_of_types<F>()) {
    using jacobian = decltype(sparse_jacobian(F{}, std::declval<X const&>(), std::declval<Data const&>()...));
    if constexpr (requires { jacobian::facts.nonzeros; })
      return sparse_least_squares_problem<jacobian, F, X, Data...>();
    else return detail::no_problem();  // the mistake in F has its sentence
  } else {
    return detail::no_problem();
  }
}

}  // namespace optim
ETCH_NAMESPACE_END
