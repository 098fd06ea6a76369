// The digits network, its batch of 128 in two.
#include "cores.hpp"

#include "../mlp/loss.hpp"
#include "../mlp/problem.hpp"

namespace {

using p = mlp::parameters;
using all = etch::wrt<0, 1, 2, 3>;
constinit auto step = etch::compile<all>(mlp_loss, decltype(p::w1){}, decltype(p::b1){}, decltype(p::w2){},
                                         decltype(p::b2){}, decltype(mlp::inputs::x){});
constinit decltype(step) beside{};
constinit auto shared = etch::parallel<2>(etch::compile<all>(
    mlp_loss, decltype(p::w1){}, decltype(p::b1){}, decltype(p::w2){}, decltype(p::b2){}, decltype(mlp::inputs::x){}));
mlp::inputs const in = [] {
  mlp::inputs made;
  mlp::fill(made);
  return made;
}();
double call(auto& program) { return program(in.model.w1, in.model.b1, in.model.w2, in.model.b2, in.x); }

cores::entered const here(
    "mlp", [] { return call(step); }, [] { return call(beside); }, [] { return call(shared); },
    [] { return cores::distance(step.grad<0>(), shared.grad<0>()); });

}  // namespace
