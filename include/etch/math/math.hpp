// Elementary functions, written once over a number type V: a float, a double, or lanes of either.
// Scalar, vector and constant evaluation therefore run the same formulas; only contraction to fma may differ.
#pragma once

#include <etch/math/activation.hpp>
#include <etch/math/arithmetic.hpp>
#include <etch/math/exponential.hpp>
#include <etch/math/hyperbolic.hpp>
#include <etch/math/logarithm.hpp>
#include <etch/math/number.hpp>
#include <etch/math/power.hpp>
#include <etch/math/rotation.hpp>
#include <etch/math/special.hpp>
#include <etch/math/trigonometric.hpp>
