// The loss as a lambda, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace {

constexpr auto loss = [](auto w1, auto b1, auto w2, auto b2, auto x) { return sum(square(w2 * tanh(w1 * x + b1) + b2)); };

constinit auto step =
    etch::compile<etch::wrt<0, 1, 2, 3>>(loss, decltype(mlp::parameters::w1){}, decltype(mlp::parameters::b1){},
                                         decltype(mlp::parameters::w2){}, decltype(mlp::parameters::b2){}, decltype(mlp::inputs::x){});

bench::rival<mlp> const here(
    "etch",
    [](mlp::inputs const& i, mlp::gradient& g) {
      return step(i.model.w1, i.model.b1, i.model.w2, i.model.b2, i.x, etch::into(g.w1, g.b1, g.w2, g.b2));
    },
    decltype(step)::facts.workspace_bytes);

}  // namespace
