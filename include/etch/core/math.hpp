// Elementary functions, written once over a number type V: a float, a double, or lanes of either.
// Scalar, vector and constant evaluation therefore run the same formulas; only contraction to fma may differ.
#pragma once

#include <etch/core/math/activation.hpp>
#include <etch/core/math/arithmetic.hpp>
#include <etch/core/math/exponential.hpp>
#include <etch/core/math/hyperbolic.hpp>
#include <etch/core/math/number.hpp>
#include <etch/core/math/power.hpp>
#include <etch/core/math/special.hpp>
#include <etch/core/math/trigonometric.hpp>
