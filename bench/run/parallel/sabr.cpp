// The book of 4,096 calls at volatilities of the SABR model, in two.
#include "cores.hpp"

#include "../greeks_sabr/loss.hpp"

namespace greeks_sabr {
namespace {

constinit auto step = etch::compile<etch::wrt<0>>(loss, sabr<double>{}, decltype(data::strike){},
                                                  decltype(data::time){}, decltype(data::quantity){});
constinit decltype(step) beside{};
constinit auto shared = etch::parallel<2>(etch::compile<etch::wrt<0>>(
    loss, sabr<double>{}, decltype(data::strike){}, decltype(data::time){}, decltype(data::quantity){}));
data const in = [] {
  data made;
  problem::fill(made);
  return made;
}();
double call(auto& program) { return program(in.model, in.strike, in.time, in.quantity); }

cores::entered const here(
    "sabr", [] { return call(step); }, [] { return call(beside); }, [] { return call(shared); },
    [] { return cores::distance(step.grad<0>(), shared.grad<0>()); });

}  // namespace
}  // namespace greeks_sabr
