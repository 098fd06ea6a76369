// vmap: a function of one sample as a function of a batch.
#pragma once

#include <etch/transform/map.hpp>
#include <etch/transform/plain_call.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// xs... -> f of every entry of their last axes, side by side along a new last axis.
template <class F>
struct batched_function {
  [[no_unique_address]] F f;

  template <class... A>
  using values = plain_result_of<batched_function, A...>;

  template <class... X>
  constexpr auto operator()(X const&... xs) const {
    if constexpr (!(holds_traced<X>() || ...)) return plain_call(*this, xs...);
    else return map(f, xs...);
  }
};

}  // namespace detail

/// The function xs... -> f(x...) for every entry x... of the last axes of xs..., its results side by side along a new
/// last axis: `map` as a function of functions, so that `vmap(grad(f))` gives the gradient of every sample. What f
/// captures is the same for all. Docs: derivatives.md.
template <class F>
constexpr detail::batched_function<F> vmap(F const& f) {
  return {f};
}

ETCH_NAMESPACE_END
