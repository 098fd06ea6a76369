// 15 swaptions in the LIBOR market model, their 1,024 paths in two.
#include "cores.hpp"

#include "../greeks_libor/loss.hpp"

namespace greeks_libor {
namespace {

constinit auto step = etch::compile<etch::wrt<0>>(loss, market<double>{}, decltype(data::draws){});
constinit decltype(step) beside{};
constinit auto shared = etch::parallel<2>(etch::compile<etch::wrt<0>>(loss, market<double>{}, decltype(data::draws){}));
data const in = [] {
  data made;
  problem::fill(made);
  return made;
}();
double call(auto& program) { return program(in.model, in.draws); }

cores::entered const here(
    "libor", [] { return call(step); }, [] { return call(beside); }, [] { return call(shared); },
    [] { return cores::distance(step.grad<0>(), shared.grad<0>()); });

}  // namespace
}  // namespace greeks_libor
