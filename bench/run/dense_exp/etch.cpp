// The loss as a lambda, compiled.
#include "loss.hpp"
#include "problem.hpp"

namespace {

constinit auto step =
    etch::compile<etch::wrt<0, 1>>(dense_exp_loss, decltype(dense_exp::parameters::w){},
                                   decltype(dense_exp::parameters::b){}, decltype(dense_exp::inputs::x){});

bench::rival<dense_exp> const here(
    "etch",
    [](dense_exp::inputs const& i, dense_exp::gradient& g) {
      return step(i.model.w, i.model.b, i.x, etch::into(g.w, g.b));
    },
    decltype(step)::facts.workspace_bytes);

}  // namespace
