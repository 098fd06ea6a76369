// argmin, quadratic_program: functions given by a minimum, differentiated at the minimum alone.
#pragma once

#include <etch/op/constants.hpp>
#include <etch/transform/implicit.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class Q, class C, class A, class B>
constexpr auto quadratic_program_does_not_fit() {
  static_assert(never<Q, C, A, B>,
                "etch: quadratic_program(Q, c, A, b) takes a matrix [n, n], a vector [n], a matrix [m, n] with a row "
                "for each constraint, and a vector [m]");
  return mistake{};
}
}  // namespace error

namespace detail {

/// (x, params...) -> the gradient of the objective by x.
template <class Objective>
struct gradient_by_first {
  [[no_unique_address]] Objective objective;

  template <class... X>
    requires(std::is_invocable_v<Objective const&, X const&...>)
  constexpr auto operator()(X const&... x) const {
    return etch::grad(objective)(x...);
  }
};

/// Newton's steps towards a minimum, each halved until it does not raise the objective, 40 times at most.
template <int Max, class Objective>
struct descent {
  [[no_unique_address]] Objective objective;

  template <class X, class... P>
  constexpr X operator()(X const& guess, P const&... params) const {
    auto const of_vector = [&](auto const& v) {
      return value_of_result(objective(in_structure_of(guess, v), params...));
    };
    auto const step = [&]<class V>(V const& v) {
      using T = typename V::scalar_type;
      constexpr double rounding = 4 * static_cast<double>(std::numeric_limits<T>::epsilon());
      auto const at = value_grad_hessian(of_vector)(v);
      auto const factor = cholesky(at.hessian);
      auto const change = triangular_solve<true>(transpose(factor), triangular_solve(factor, at.grad));
      auto const bound = at.value + rounding * abs(at.value);
      auto const length = make_expr<T, shape{}>(v.owner, constant(*v.owner, element_of<T>, 1).id);
      auto const guarded = while_loop<40>([&](auto const& t) { return (of_vector(v - t * change) <= bound) == 0.0; },
                                          [](auto const& t) { return 0.5 * t; }, length);
      return std::tuple(v - guarded * change, change);
    };
    return in_structure_of(guess, at_rest<Max>(step, unknowns(guess)));
  }
};

/// (Q, c, A, b) -> the minimum and the multipliers.
struct quadratic_program_function {
  template <class Q, class C, class A, class B>
  using values = std::tuple<typename argument<C>::gradient, typename argument<B>::gradient>;

  template <class Q, class C, class A, class B>
  constexpr auto operator()(Q const& q, C const& c, A const& a, B const& b) const {
    if constexpr (!(holds_traced<Q>() || holds_traced<C>() || holds_traced<A>() || holds_traced<B>())) {
      return plain_call(*this, q, c, a, b);
    } else if constexpr (!fits<Q, C, A, B>()) {
      error::quadratic_program_does_not_fit<Q, C, A, B>();
      note_mistake_in(c, b);
      return std::tuple(c, b);
    } else {
      constexpr int constraints = B::extent[0];
      auto const above = concat<1>(0.5 * (q + transpose(q)), transpose(a));
      auto const below = concat<1>(a, zeros<constraints, constraints>());
      auto const both = solve(concat<0>(above, below), concat<0>(-c, b));
      return in_structure_of(std::tuple(c, b), both);
    }
  }

 private:
  template <class Q, class C, class A, class B>
  static consteval bool fits() {
    if constexpr (static_handle<Q> && static_handle<C> && static_handle<A> && static_handle<B>) {
      return C::extent.rank == 1 && B::extent.rank == 1 && Q::extent == make_shape(C::extent[0], C::extent[0]) &&
             A::extent == make_shape(B::extent[0], C::extent[0]);
    } else {
      return false;
    }
  }
};

}  // namespace detail

/// The function (guess, params...) -> the x that minimises objective(x, params...), of the type of the guess, for an
/// objective that is strongly convex in x. Newton's method with the exact Hessian, factored as L Lᵀ; a step that would
/// raise the objective, or leave its domain, is halved. Gradients flow to the parameters as for `implicit` of the
/// gradient: one linear solve. Where a Hessian on the way is not positive definite: NaN and
/// `status::not_positive_definite`; otherwise as `implicit`. Docs: implicit.md.
template <int MaxSteps = 50, class Objective>
  requires(std::is_class_v<Objective> && !static_handle<Objective> && !tape_scalar<Objective> &&
           !requires(Objective const& x) { x.data(); })
constexpr auto argmin(Objective const& objective) {
  static_assert(MaxSteps > 0, "etch: an equation is solved by at least one step");
  using residual = detail::gradient_by_first<Objective>;
  return detail::implicit_function<residual, detail::descent<MaxSteps, Objective>>{{objective}, {objective}};
}

/// `std::tuple(x, multipliers)`: the x [n] that minimises ½ xᵀ Q x + cᵀ x subject to A x = b, where A is [m, n], and
/// the λ [m] of these constraints, with Q x + c + Aᵀ λ = 0 (of Q the symmetric part is taken). One linear system
/// (Karush, Kuhn and Tucker's), through which gradients flow to all four. Where it is singular, as for dependent
/// constraints: NaN and `status::singular`. (B. Amos, J. Z. Kolter, OptNet, 2017.)
template <class Q, class C, class A, class B>
constexpr auto quadratic_program(Q const& q, C const& c, A const& a, B const& b) {
  return detail::quadratic_program_function{}(q, c, a, b);
}

ETCH_NAMESPACE_END
