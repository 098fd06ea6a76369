// The types of the identity proof: one network, one batch.
#pragma once

#include <etch/nn/dense.hpp>

template <class T>
struct network {
  etch::nn::dense<T, 24, 20> hidden;
  etch::nn::dense<T, 20, 8> output;
  ETCH_MEMBERS(network, hidden, output)
};
using inputs = etch::tensor<float, 24, 32>;
using targets = etch::tensor<float, 8, 32>;

/// Prints one line: value and gradient of a loss in full precision.
void print(float value, network<float> const& gradient);

/// The losses of either unit, each used once.
void use_first(network<float> const& model, inputs const& x, targets const& y);
void use_second(network<float> const& model, inputs const& x, targets const& y);
