// step.hpp: what the rest of the project sees. It includes nothing of etch.
#pragma once

#include <cstddef>

inline constexpr int batch = 16;
inline constexpr std::size_t model_floats = 32;  // step.cpp asserts it

/// The loss of a line through points `x` [2, batch] and `y` [1, batch], and its gradient. All memory
/// begins at multiples of 64 bytes.
float step(float const* model, float const* x, float const* y, float* gradient);
/// The slopes, 2 floats.
float const* slope(float const* model);
