// newton_cg: minimises a function by Newton's method, whose steps are found by conjugate gradients from products with
// the Hessian. The Hessian is never made, and a minimisation allocates nothing.
#pragma once

#include <etch/optim/steps.hpp>
#include <etch/sparse/compressed.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// When a minimisation ends.
struct newton_cg_options {
  int most_iterations = 100;
  int most_products = 200;            ///< with the Hessian, in one step
  double gradient_tolerance = 1e-10;  ///< of its largest entry
};

namespace detail {

/// (x, v, data...) -> the Hessian of F at x times the vector v.
template <class F>
struct hessian_times {
  template <class X, class V, class... Data>
  constexpr auto operator()(X const& x, V const& v, Data const&... data) const {
    return etch::detail::as_vector(hvp(F{})(x, data..., etch::detail::direction_at(x, v)));
  }
};
/// (x, data...) -> value, and the gradient as a vector.
template <class F>
struct value_and_slopes {
  template <class X, class... Data>
  constexpr auto operator()(X const& x, Data const&... data) const {
    auto const both = value_and_grad(F{})(x, data...);
    return std::tuple(both.value, etch::detail::as_vector(both.grad));
  }
};

}  // namespace detail

/// Minimises `F(x, data...)` in x; see `newton_cg` below.
template <class F, class X, class... Data>
class newton_cg_problem {
  template <class Loss, class... A>
  using program_of = std::remove_cvref_t<decltype(compile<wrt<>>(Loss{}, std::declval<A const&>()...))>;
  using slopes_program = program_of<detail::value_and_slopes<F>, X, Data...>;
  using T = typename slopes_program::value_type;
  using vector = std::remove_cvref_t<decltype(std::declval<slopes_program&>().template result<1>())>;

  slopes_program slopes_{};
  program_of<detail::hessian_times<F>, X, vector, Data...> curvature_{};
  program_of<F, X, Data...> value_{};
  vector step_{}, residual_{}, direction_{};

  /// Solves H step = -gradient by conjugate gradients, roughly where the gradient is large, as far as H is positive.
  void find_step(newton_cg_options const& o, X const& x, Data const&... data) {
    auto const g = slopes_.template result<1>().flat();
    double const size = static_cast<double>(g.norm()), enough = std::min(0.5, std::sqrt(size)) * size;
    step_.flat().setZero();
    residual_.flat() = g;
    direction_.flat() = -g;
    for (int k = 0; k < o.most_products; ++k) {
      auto const curved = curvature_(x, direction_, data...).flat();
      double const along = static_cast<double>(direction_.flat().dot(curved)),
                   squares = static_cast<double>(residual_.flat().squaredNorm());
      if (!(along > 0)) {
        if (k == 0) step_.flat() = -g;
        return;
      }
      T const length = static_cast<T>(squares / along);
      step_.flat() += length * direction_.flat();
      residual_.flat() += length * curved;
      double const left = static_cast<double>(residual_.flat().squaredNorm());
      if (left <= enough * enough) return;
      direction_.flat() = static_cast<T>(left / squares) * direction_.flat() - residual_.flat();
    }
  }

 public:
  /// Moves `x` to a minimum, as far as the options allow. (J. Nocedal, S. Wright, Numerical Optimization, 2006,
  /// algorithm 7.1.)
  outcome minimise(X& x, Data const&... data) { return minimise(newton_cg_options{}, x, data...); }
  outcome minimise(newton_cg_options const& o, X& x, Data const&... data) {
    // Values that are compared are of one program: by another rounding a step could seem to lower the value for ever.
    outcome result{static_cast<double>(value_(x, data...)), 0, 1, false, "the most iterations"};
    if (!std::isfinite(result.value)) error::no_finite_value_to_begin_with("newton_cg", result.value);
    slopes_(x, data...);
    for (; result.iterations < o.most_iterations; ++result.iterations) {
      auto const g = slopes_.template result<1>().flat();
      auto const steepest = g.cwiseAbs().maxCoeff();
      if (steepest <= o.gradient_tolerance) return detail::ended(result, true, "the gradient is zero");
      find_step(o, x, data...);
      double const slope = static_cast<double>(g.dot(step_.flat()));
      X const before = x;
      double size = 1, value = 0;
      for (;; size /= 2) {  // as long as the value falls too little
        x = before;
        detail::move(x, step_, size);
        value = static_cast<double>(value_(x, data...));
        ++result.evaluations;
        if (value <= result.value + 1e-4 * size * slope) break;  // NaN is not
        if (size < 1e-10) {
          x = before;
          return detail::ended(result, -slope <= 1e-12 * (std::abs(result.value) + 1e-300), "no step lowers the value");
        }
      }
      bool const is_lower = value < result.value;
      result.value = value;
      slopes_(x, data...);
      if (!is_lower && !(2 * g.cwiseAbs().maxCoeff() < steepest)) return detail::ended(result, true, "the value stays");
    }
    return result;
  }
};

/// The problem of minimising the scalar `f(x, data...)` in x, for arguments of these types: `minimise(x, data...)`
/// solves it without allocation, from products with the Hessian. x may be a number, a tensor, a struct, manifolds or
/// tuples of them. The object is as large as its programs.
template <class F, class X, class... Data>
auto newton_cg(F, X const&, Data const&...) {
  static_assert(!detail::stored_by_rows<X>, "etch: newton_cg takes matrices that are stored by columns");
  if constexpr (detail::is_function_of_types<F>()) return newton_cg_problem<F, X, Data...>();
  else return detail::no_problem();
}

}  // namespace optim
ETCH_NAMESPACE_END
