// The price and all its derivatives.
#include "loss.hpp"

namespace greeks_sabr {

rival const here{"etch", [](data const& in, sabr<double>& g) {
                   static auto program = etch::compile<etch::wrt<0>>(loss, in.model, in.strike, in.time, in.quantity);
                   return program(in.model, in.strike, in.time, in.quantity, etch::into(g));
                 }};

}  // namespace greeks_sabr
