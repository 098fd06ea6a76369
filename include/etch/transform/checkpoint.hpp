// checkpoint: a function whose inner values are computed again on the way back instead of being kept.
#pragma once

#include <etch/transform/loop.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

template <class F>
struct checkpointed {
  [[no_unique_address]] F f;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr ((has_tape_scalar<X>() || ...)) {
      return (*this)(whole_on_graph(x)...);
    } else if constexpr (!can_take<F, X...>()) {
      return without_steps(x...);
    } else {
      // A loop of one step without a carry: of its body the way back finds the arguments and nothing else.
      graph* outer = nullptr;
      [[maybe_unused]] auto const look_at = [&]<class Each>(Each const& each) {
        if constexpr (static_handle<Each>) outer = innermost(outer, each.owner);
      };
      (for_each_leaf(x, look_at), ...);
      return traced_in_place(outer, [&](loop_tracer& tracer) {
        using R = std::remove_cvref_t<decltype(f(tracer.inside(x)...))>;
        auto const returned = joined_structure<element_among<R, X...>>(f(tracer.inside(x)...), tracer.loop().body);
        for_each_leaf(returned, [&](auto const& y) { tracer.add_output(loop_output::sum, y); });
        tracer.end();
        tracer.finish(1, true, {});
        int r = 0;
        auto result = returned;
        for_each_leaf(result, [&]<class Y>(Y& y) { y = tracer.template take<Y>(r++); });
        return result;
      });
    }
  }
};

}  // namespace detail

/// The function `f`, of whose inner values nothing is kept for the gradient: they are computed again from the
/// arguments. What `f` captures is kept by whoever made it.
template <class F>
constexpr detail::checkpointed<F> checkpoint(F const& f) {
  return {f};
}

ETCH_NAMESPACE_END
