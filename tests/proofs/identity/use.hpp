// use: one call of a loss's program.
#pragma once

#include "problem.hpp"

#include <etch/etch.hpp>

template <class Loss>
void use(Loss loss, network<float> const& model, inputs const& x, targets const& y) {
  static network<float> gradient;
  auto step = etch::compile(loss, model, x, y);
  float const value = step(model, x, y, etch::into(gradient));
  print(value, gradient);
}
