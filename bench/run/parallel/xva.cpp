// The credit valuation adjustment of a swap, its 4,096 paths in two.
#include "greeks.hpp"

#include "../greeks_xva/loss.hpp"

namespace greeks_xva {

cores::entered const in_two = cores::greeks<problem, loss, &data::draws>::entered("xva");

}  // namespace greeks_xva
