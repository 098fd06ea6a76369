// The price alone.
#include "loss.hpp"

namespace greeks_heston {

price_rival const price_only{"etch", [](data const& in, bench::price_alone& g) {
                               static auto program = etch::compile<etch::wrt<>>(loss, in.model, in.draws);
                               return g.price = program(in.model, in.draws);
                             }};

}  // namespace greeks_heston
