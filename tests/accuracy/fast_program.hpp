// fast_program: the price of a European call (F. Black, M. Scholes, 1973) and its derivative, from
// a unit compiled with -ffast-math.
#pragma once

#include <array>

namespace option {
inline constexpr double strike = 100, rate = 0.03, volatility = 0.25, years = 1.5;
}

/// Price and derivative by a compiled program, on a tape, and, for a spot price of 100, from constant evaluation.
std::array<double, 2> fast_program(double spot);
std::array<double, 2> fast_tape(double spot);
std::array<double, 2> fast_constant(double spot);
