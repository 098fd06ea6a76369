// A call in Heston's model, its 8,192 paths in two.
#include "greeks.hpp"

#include "../greeks_heston/loss.hpp"

namespace greeks_heston {

cores::entered const in_two = cores::greeks<problem, loss, &data::draws>::entered("heston");

}  // namespace greeks_heston
