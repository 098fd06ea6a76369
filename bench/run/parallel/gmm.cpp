// ADBench's mixture of Gaussians, its 1000 points in two.
#include "cores.hpp"

#include "../gmm/loss.hpp"
#include "../gmm/problem.hpp"

namespace {

using gmm_problem::data;
using gmm_problem::parameters;
constinit auto step =
    etch::compile<etch::wrt<0, 1, 2>>(gmm_problem::loss, decltype(parameters::alpha){}, decltype(parameters::means){},
                                      decltype(parameters::icf){}, decltype(data::x){}, 1.0, 1.0, 1.0);
constinit decltype(step) beside{};
constinit auto shared = etch::parallel<2, etch::over<3>>(
    etch::compile<etch::wrt<0, 1, 2>>(gmm_problem::loss, decltype(parameters::alpha){}, decltype(parameters::means){},
                                      decltype(parameters::icf){}, decltype(data::x){}, 1.0, 1.0, 1.0));
data const in = [] {
  data made;
  gmm_problem::problem::fill(made);
  return made;
}();
double call(auto& program) {
  return program(in.model.alpha, in.model.means, in.model.icf, in.x, in.gamma, in.m, in.constant);
}

cores::entered const here(
    "gmm", [] { return call(step); }, [] { return call(beside); }, [] { return call(shared); },
    [] { return cores::distance(step.grad<1>(), shared.grad<1>()); });

}  // namespace
