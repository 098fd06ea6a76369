// scalar: 50 steps of x' = sin(x) exp(-p x²) from x, double; the gradient of where they end in x and p.
#pragma once

#include "form.hpp"

#include <etch/etch.hpp>

namespace choosing {

constexpr int trips = 50, most_trips = 60;
constexpr double begin = 0.5, parameter = 0.1;

/// The next x; of numbers, of what is traced, or of variables.
constexpr auto next = [](auto const& x, auto const& p) { return x + 0.02 * sin(x) * exp(-p * x * x); };

form scalar_unrolled();
form scalar_repeat();
form scalar_bounded();
form scalar_blocks();
form scalar_tensors();
form scalar_scalars();

}  // namespace choosing
