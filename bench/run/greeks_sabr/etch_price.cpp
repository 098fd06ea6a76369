// The price alone.
#include "loss.hpp"

namespace greeks_sabr {

price_rival const price_only{"etch", [](data const& in, bench::price_alone& g) {
                               static auto program =
                                   etch::compile<etch::wrt<>>(loss, in.model, in.strike, in.time, in.quantity);
                               return g.price = program(in.model, in.strike, in.time, in.quantity);
                             }};

}  // namespace greeks_sabr
