// The program whose compile time the gate watches: all families at once.
#ifndef OPERATIONS
#define OPERATIONS 12
#endif
#include "families.hpp"

auto* chain = &families::chain::call;
auto* fan_out = &families::fan_out::call;
auto* scalar = &families::scalar::call;
auto* scan = &families::scan::call;
