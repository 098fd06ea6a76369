// 15 swaptions in the LIBOR market model, their 1,024 paths in two.
#include "greeks.hpp"

#include "../greeks_libor/loss.hpp"

namespace greeks_libor {

cores::entered const in_two = cores::greeks<problem, loss, &data::draws>::entered("libor");

}  // namespace greeks_libor
