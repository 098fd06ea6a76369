// The price and all its derivatives.
#include "loss.hpp"

namespace greeks_heston {

rival const here{"etch", [](data const& in, heston<double>& g) {
                   static auto program = etch::compile<etch::wrt<0>>(loss, in.model, in.draws);
                   return program(in.model, in.draws, etch::into(g));
                 }};

}  // namespace greeks_heston
