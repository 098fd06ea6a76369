// implicit, fixed_point: functions given by an equation, solved by iteration and differentiated at the solution alone.
#pragma once

#include <etch/op/converged.hpp>
#include <etch/op/linear.hpp>
#include <etch/transform/control.hpp>
#include <etch/transform/custom.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class X, class R>
constexpr auto equations_are_not_as_many_as_unknowns() {
  static_assert(never<X, R>,
                "etch: the equations that give an unknown are as many as its entries: a residual, or the next iterate "
                "of a fixed point, has as many entries as the guess");
  return mistake{};
}
template <class Guess>
constexpr auto guess_has_no_floating_entries() {
  static_assert(never<Guess>,
                "etch: a guess is a number of floating type (1.0 instead of 1), a tensor or matrix of such, or a tuple "
                "or struct of these");
  return mistake{};
}
}  // namespace error

namespace detail {

/// `r`, which a function of `x` returned, as a vector of its entries.
template <class R, class X>
constexpr auto entries_beside(X const& x, R const& r) {
  return as_vector(joined_structure<element_among<X>>(without_places(whole_on_graph(r)), *graph_around(x)));
}
/// All entries of `x` as one plain vector.
template <class X>
constexpr auto unknowns(X const& x) {
  auto const v = as_vector(x);
  using V = std::remove_const_t<decltype(v)>;
  return make_expr<typename V::scalar_type, V::extent>(v.owner, v.id);
}

/// The last of the iterates x, x', ... of `step`, of which there are `Max` at most. `step(x)` returns x' and the change
/// that says how far x is from rest. It rests where the change is within rounding of x, or (at 0) nothing beside what x
/// was; or where it is small, and has been no smaller for some steps: that is what rounding leaves of it. If it never
/// rests: NaN, and `status::not_converged`.
template <int Max, class X>
constexpr X at_rest(auto const& step, X const& x) {
  using T = typename X::scalar_type;
  constexpr double rounding = 2 * static_cast<double>(std::numeric_limits<T>::epsilon());
  constexpr double small = sizeof(T) == sizeof(float) ? 5e-3 : 2e-7;  // some roots of the rounding error
  constexpr double most = static_cast<double>(std::numeric_limits<T>::max());
  auto const number = [&](double value) {
    return make_expr<T, shape{}>(x.owner, constant(*x.owner, element_of<T>, value).id);
  };
  auto const iterate = [&](auto const& carry) {
    auto const next = step(std::get<0>(carry));
    auto const change = max(abs(std::get<1>(next))), size = max(abs(std::get<0>(next)));
    auto const largest = max(std::get<2>(carry), size);
    auto const since_least = select(change < std::get<1>(carry), 0.0, std::get<3>(carry) + 1.0);
    auto const within_rounding = (change <= rounding * size) + (change <= rounding * rounding * largest);
    auto const is_small = (change <= small * size) + (change <= rounding * largest);
    auto const rests = within_rounding + is_small * (since_least >= 5.0);
    // 1 while it moves, 0 at rest, -1 where it is lost.
    auto const state = select(rests > 0.0, 0.0, 2.0 * (change <= most) - 1.0);
    return std::tuple(std::get<0>(next), min(change, std::get<1>(carry)), largest, since_least, state);
  };
  auto const last = while_loop<Max>([](auto const& carry) { return std::get<4>(carry) > 0.0; }, iterate,
                                    std::tuple(x, number(most), max(abs(x)), number(0), number(1)));
  auto const result = apply<op::converged>(std::get<0>(last), std::get<4>(last));
  return make_expr<T, X::extent>(result.owner, result.id);
}

/// Newton's steps for residual(x, params...) = 0.
template <int Max, class Residual>
struct newton_iteration {
  [[no_unique_address]] Residual residual;

  template <class X, class... P>
  constexpr X operator()(X const& guess, P const&... params) const {
    auto const of_vector = [&](auto const& v) {
      auto const x = in_structure_of(guess, v);
      return entries_beside(x, residual(x, params...));
    };
    auto const step = [&](auto const& v) {
      auto const change = solve(jacobian(of_vector)(v), of_vector(v));
      return std::tuple(v - change, change);
    };
    return in_structure_of(guess, at_rest<Max>(step, unknowns(guess)));
  }
};

/// The steps x = g(x, params...).
template <int Max, class G>
struct fixed_point_iteration {
  [[no_unique_address]] G g;

  template <class X, class... P>
  constexpr X operator()(X const& guess, P const&... params) const {
    auto const step = [&](auto const& v) {
      auto const x = in_structure_of(guess, v);
      auto const next = unknowns(entries_beside(x, g(x, params...)));
      return std::tuple(next, next - v);
    };
    return in_structure_of(guess, at_rest<Max>(step, unknowns(guess)));
  }
};
/// x - g(x, params...).
template <class G>
struct fixed_point_residual {
  [[no_unique_address]] G g;

  template <class X, class... P>
    requires(std::is_invocable_v<G const&, X const&, P const&...>)
  constexpr auto operator()(X const& x, P const&... params) const {
    return unknowns(x) - unknowns(entries_beside(x, g(x, params...)));
  }
};

/// The way back through x(params...), at the solution x: with λ from (∂residual/∂x)ᵀ λ = u, the gradient by the
/// parameters is that of -λ · residual.
template <class Residual>
struct implicit_adjoint {
  [[no_unique_address]] Residual residual;

  template <class X, class... P>
  constexpr auto operator()(X const& u, X const& x, X const& guess, P const&... params) const {
    auto const of_vector = [&](auto const& v) {
      auto const y = in_structure_of(x, v);
      return entries_beside(y, residual(y, params...));
    };
    auto const of_params = [&](auto const& all) {
      return std::apply([&](auto const&... p) { return unknowns(entries_beside(x, residual(x, p...))); }, all);
    };
    std::tuple<P...> const all(params...);
    auto const multiplier = solve(transpose(jacobian(of_vector)(unknowns(x))), unknowns(u));
    if constexpr (!has_floating_leaf<std::tuple<P...>>()) return std::tuple_cat(std::tuple<X>(zeros_of(guess)), all);
    else return std::tuple_cat(std::tuple<X>(zeros_of(guess)), std::get<1>(vjp(of_params)(all, -multiplier)));
  }
};

/// (guess, params...) -> the x near it with residual(x, params...) = 0, which `iteration` finds.
template <class Residual, class Iteration>
struct implicit_function {
  [[no_unique_address]] Residual residual;
  [[no_unique_address]] Iteration iteration;

  template <class Guess, class... A>
  using values = typename argument<Guess>::gradient;

  template <class Guess, class... P>
  constexpr auto operator()(Guess const& guess, P const&... params) const {
    if constexpr ((holds_traced<Guess>() || ... || holds_traced<P>())) {
      return traced(guess, params...);
    } else if constexpr (!has_floating_leaf<typename argument<Guess>::traced>()) {
      error::guess_has_no_floating_entries<Guess>();
      return guess;
    } else {
      return plain_call(*this, guess, params...);
    }
  }

 private:
  template <class Guess, class... P>
  constexpr auto traced(Guess const& guess, P const&... params) const {
    using T = element_among<Guess, P...>;
    using X = decltype(as_variable<T>(guess, std::declval<graph&>()));
    if constexpr (!has_floating_leaf<X>()) {
      error::guess_has_no_floating_entries<Guess>();
      return without_steps(guess, params...);
    } else if constexpr (!can_take<Residual, X, decltype(as_variable<T>(params, std::declval<graph&>()))...>()) {
      return without_steps(guess, params...);
    } else {
      using R = decltype(joined_structure<T>(
          without_places(whole_on_graph(
              residual(std::declval<X const&>(),
                       std::declval<decltype(as_variable<T>(params, std::declval<graph&>())) const&>()...))),
          std::declval<graph&>()));
      if constexpr (entries_in<X>() != entries_in<R>()) {
        error::equations_are_not_as_many_as_unknowns<X, R>();
        return without_steps(guess, params...);
      } else {
        return custom_function<Iteration, implicit_adjoint<Residual>>{iteration, {residual}}(guess, params...);
      }
    }
  }
};

}  // namespace detail

/// The function (guess, params...) -> x with residual(x, params...) = 0, of the type of the guess: a number, a tensor,
/// one of Eigen's types, or a tuple or struct of these; the residual has as many entries. Newton's method from the
/// guess with the exact Jacobian, `MaxSteps` steps at most. Gradients flow to the parameters, at every order, by one
/// linear solve with the Jacobian at x; the guess has gradient 0, and of the steps nothing is kept. What the residual
/// depends on is an argument: it captures no traced values. If the steps do not come to rest: NaN,
/// `status::not_converged`; if a Jacobian is singular: NaN, and `status::singular` too. Docs: implicit.md. (A.
/// Griewank, A. Walther, Evaluating derivatives, 2008, ch. 15.)
template <int MaxSteps = 50, class Residual>
constexpr auto implicit(Residual const& residual) {
  static_assert(MaxSteps > 0, "etch: an equation is solved by at least one step");
  return detail::implicit_function<Residual, detail::newton_iteration<MaxSteps, Residual>>{residual, {residual}};
}

/// The function (guess, params...) -> x with x = g(x, params...), of the type of the guess: the limit of x = g(x) from
/// there, `MaxSteps` steps at most. Otherwise as `implicit` of x - g(x, params...). Docs: implicit.md.
template <int MaxSteps = 1000, class G>
constexpr auto fixed_point(G const& g) {
  static_assert(MaxSteps > 0, "etch: an equation is solved by at least one step");
  return detail::implicit_function<detail::fixed_point_residual<G>, detail::fixed_point_iteration<MaxSteps, G>>{{g},
                                                                                                                {g}};
}

ETCH_NAMESPACE_END
