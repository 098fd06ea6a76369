// Every function that is applied to each entry; the families in one include.
#pragma once

#include <etch/op/activation.hpp>
#include <etch/op/compare.hpp>
#include <etch/op/exponential.hpp>
#include <etch/op/extremum.hpp>
#include <etch/op/hyperbolic.hpp>
#include <etch/op/power.hpp>
#include <etch/op/rectifier.hpp>
#include <etch/op/rotation.hpp>
#include <etch/op/rounding.hpp>
#include <etch/op/special.hpp>
#include <etch/op/trigonometric.hpp>
