// The loss as a lambda, compiled.
#include "loss.hpp"
#include "problem.hpp"

namespace {

constinit auto step = etch::compile<etch::wrt<0, 1, 2, 3>>(
    mlp_loss, decltype(mlp::parameters::w1){}, decltype(mlp::parameters::b1){}, decltype(mlp::parameters::w2){},
    decltype(mlp::parameters::b2){}, decltype(mlp::inputs::x){});

bench::rival<mlp> const here(
    "etch",
    [](mlp::inputs const& i, mlp::gradient& g) {
      return step(i.model.w1, i.model.b1, i.model.w2, i.model.b2, i.x, etch::into(g.w1, g.b1, g.w2, g.b2));
    },
    decltype(step)::facts.workspace_bytes);

}  // namespace
