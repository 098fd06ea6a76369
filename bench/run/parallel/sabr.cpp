// The book of 4,096 calls at volatilities of the SABR model, in two.
#include "greeks.hpp"

#include "../greeks_sabr/loss.hpp"

namespace greeks_sabr {

cores::entered const in_two =
    cores::greeks<problem, loss, &data::strike, &data::time, &data::quantity>::entered("sabr");

}  // namespace greeks_sabr
