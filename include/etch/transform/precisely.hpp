// precisely: the accurate form of derivatives, for functions that take some.
#pragma once

#include <etch/transform/plain_call.hpp>

#include <utility>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// What `F` hands out for plain arguments: as it says itself, or as it returns them.
template <class F, class... A>
struct handed_out {
  using type = plain_result_of<F, A...>;
};
template <class F, class... A>
  requires(transformation<F, A...>)
struct handed_out<F, A...> {
  using type = typename F::template values<A...>;
};

/// x... -> f(x...), where derivatives that f takes are precise.
template <class F>
struct precise_function {
  [[no_unique_address]] F f;

  template <class... A>
  using values = typename handed_out<F, A...>::type;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr ((holds_traced<X>() || ...)) {
      graph aside, *const known = graph_around(x...);  // none where all are constants
      graph& around = known != nullptr ? *known : aside;
      bool const before = std::exchange(around.precise, true);
      auto const y = f(x...);
      around.precise = before;
      return y;
    } else if constexpr (requires { f.whole(plain_call(*this, x...)); }) {
      return f.whole(plain_call(*this, x...));
    } else {
      return plain_call(*this, x...);
    }
  }
};

}  // namespace detail

/// The function x... -> f(x...), where all derivatives that `f` takes, as `hessian(g)` does or a loss with a
/// transformation in it, are by rules within 4 ulp everywhere, as a `grad` with the option `precise` takes its own and
/// a program compiled with it all. Docs: derivatives.md.
template <class F>
constexpr detail::precise_function<F> precisely(F const& f) {
  return {f};
}
template <class F, class Wrt, class... Options>
constexpr auto precisely(detail::value_and_gradient<F, Wrt, detail::settings<Options...>> const& g) {
  return detail::value_and_gradient<F, Wrt, detail::settings<Options..., precise>>{g.f};
}

ETCH_NAMESPACE_END
