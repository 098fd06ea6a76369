// The price alone, by the plain loop over numbers.
#include "problem.hpp"

namespace greeks_heston {

price_rival const here{"plain", [](data const& in, bench::price_alone& g) { return g.price = plain_price(in); }};

}  // namespace greeks_heston
