// The loss as a lambda, compiled.
#include "loss.hpp"
#include "problem.hpp"

namespace {

using model = lenet::parameters;

constinit auto step = etch::compile<etch::wrt<0, 1, 2, 3, 4, 5, 6, 7, 8, 9>>(
    lenet_loss, decltype(model::k1){}, decltype(model::c1){}, decltype(model::k2){}, decltype(model::c2){},
    decltype(model::w1){}, decltype(model::b1){}, decltype(model::w2){}, decltype(model::b2){}, decltype(model::w3){},
    decltype(model::b3){}, decltype(lenet::inputs::x){});

bench::rival<lenet> const here(
    "etch",
    [](lenet::inputs const& i, lenet::gradient& g) {
      model const& p = i.model;
      return step(p.k1, p.c1, p.k2, p.c2, p.w1, p.b1, p.w2, p.b2, p.w3, p.b3, i.x,
                  etch::into(g.k1, g.c1, g.k2, g.c2, g.w1, g.b1, g.w2, g.b2, g.w3, g.b3));
    },
    decltype(step)::facts.workspace_bytes);

}  // namespace
