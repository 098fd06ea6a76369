// A call in Heston's model, its 8,192 paths in two.
#include "cores.hpp"

#include "../greeks_heston/loss.hpp"

namespace greeks_heston {
namespace {

constinit auto step = etch::compile<etch::wrt<0>>(loss, heston<double>{}, decltype(data::draws){});
constinit decltype(step) beside{};
constinit auto shared = etch::parallel<2>(etch::compile<etch::wrt<0>>(loss, heston<double>{}, decltype(data::draws){}));
data const in = [] {
  data made;
  problem::fill(made);
  return made;
}();
double call(auto& program) { return program(in.model, in.draws); }

cores::entered const here(
    "heston", [] { return call(step); }, [] { return call(beside); }, [] { return call(shared); },
    [] { return cores::distance(step.grad<0>(), shared.grad<0>()); });

}  // namespace
}  // namespace greeks_heston
