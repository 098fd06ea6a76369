// derivative, laplacian: derivatives of higher order as functions of functions, in one pass forward.
#pragma once

#include <etch/transform/jacobian.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class X>
constexpr auto derivative_is_of_a_number() {
  static_assert(never<X>, "etch: derivative<N>(f)(x) is by one number x: take grad, jacobian or hessian by several");
  return mistake{};
}
}  // namespace error

namespace detail {

/// x, more... -> the `N`-th derivative of f by the number x.
template <int N, class F>
struct derivative_function {
  static_assert(N >= 0, "etch: a function has derivatives of order 0, its value, and above");
  [[no_unique_address]] F f;

  template <class First, class... More>
  using values = typename argument<First>::gradient;

  template <class X, class... More>
  constexpr auto operator()(X const& x, More const&... more) const {
    if constexpr (!(holds_traced<X>() || ... || holds_traced<More>())) return plain_call(*this, x, more...);
    else return traced(as_variable<element_among<X, More...>>(x, *graph_around(x, more...)), more...);
  }

 private:
  template <class X, class... More>
  constexpr auto traced(X const& x, More const&... more) const {
    if constexpr (operand_traits<X>::extent.rank != 0) {
      error::derivative_is_of_a_number<X>();
      note_mistake_in(x);
      return sum(x);
    } else if constexpr (N == 0) {
      return f(x, more...);
    } else {
      refuse_integers<X, More...>(wrt<0>{});
      using inner = inner_call<element_among<X, More...>, wrt<0>, X, More...>;
      inner call(graph_around(x, more...), x, more...);
      if constexpr (!inner::template is_sound<F, true>()) {
        return std::get<0>(call.stand_in());
      } else {
        int const y = call.inside.nodes_of(value_of_result(call.call(f))).entry[0];
        call.inside.template rewrite<pass::take_nth_derivative>(y, call.nodes(), N);
        return call.inside.take_like(std::get<0>(call.arguments));
      }
    }
  }
};

/// x, more... -> the trace of the Hessian of f by x.
template <class F>
struct laplacian_function {
  [[no_unique_address]] F f;

  template <class... A>
  using values = plain_result_of<laplacian_function, A...>;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr ((holds_traced<X>() || ...)) return traced(x...);
    else return plain_call(*this, x...);
  }

 private:
  template <class First, class... More>
  constexpr auto traced(First const& first, More const&... more) const {
    if constexpr (has_tangents<wrt<0>, First>)
      return at_origins<wrt<0>>(
          []<class G>(G const& of_tangents, auto const&... y) { return laplacian_function<G>{of_tangents}(y...); }, f,
          first, more...);
    else return in_flat_space(first, more...);
  }
  template <class First, class... More>
  constexpr auto in_flat_space(First const& first, More const&... more) const {
    refuse_integers<First, More...>(wrt<0>{});
    using T = element_among<First, More...>;
    using inner = inner_call<T, wrt<0>, First, More...>;
    inner call(graph_around(first, more...), first, more...);
    if constexpr (!inner::template is_sound<F, true>()) {
      call.stand_in();
      return expr<T>();
    } else {
      int const y = call.inside.nodes_of(value_of_result(call.call(f))).entry[0];
      call.inside.template rewrite<pass::take_laplacian>(y, call.nodes());
      return call.inside.template take<expr<T>>();
    }
  }
};

}  // namespace detail

/// The function x, more... -> `N`-th derivative of f by the number x. Docs: derivatives.md.
template <int N = 1, class F>
constexpr detail::derivative_function<N, F> derivative(F const& f) {
  return {f};
}

/// The function x -> trace of the Hessian of the scalar f by x. Docs: derivatives.md.
template <class F>
constexpr detail::laplacian_function<F> laplacian(F const& f) {
  return {f};
}

ETCH_NAMESPACE_END
