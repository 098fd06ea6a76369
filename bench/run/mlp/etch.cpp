// The loss as a lambda, compiled.
#include "loss.hpp"
#include "problem.hpp"

namespace {

template <class P>
constinit auto step = etch::compile<etch::wrt<0, 1, 2, 3>>(mlp_loss, decltype(P::parameters::w1){},
                                                           decltype(P::parameters::b1){}, decltype(P::parameters::w2){},
                                                           decltype(P::parameters::b2){}, decltype(P::inputs::x){});

template <class P>
struct compiled {
  static constexpr double workspace = decltype(step<P>)::facts.workspace_bytes;
  static double compute(typename P::inputs const& i, typename P::gradient& g) {
    return step<P>(i.model.w1, i.model.b1, i.model.w2, i.model.b2, i.x, etch::into(g.w1, g.b1, g.w2, g.b2));
  }
};
enter_all<compiled> const here("etch");

}  // namespace
