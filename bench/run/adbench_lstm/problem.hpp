// ADBench's LSTM, shared by all rivals: 2 layers, 1024 characters of 14 bits, double; gradient with respect to all parameters.
#pragma once

#include <etch/core/tensor.hpp>

#include <memory>

namespace lstm_problem {

inline constexpr int layers = 2, bits = 14, characters = 1024;

struct parameters {
  etch::tensor<double, bits, 4, 2, layers> main;  ///< weights of the gates forget, input, output, change, then their biases
  etch::tensor<double, bits, 3> extra;            ///< weights of the input and of the output, bias of the output
};

struct data {
  parameters model;
  etch::tensor<double, bits, 2, layers> state;  ///< hidden, cell
  etch::tensor<double, bits, characters> sequence;
};

/// ADBench's instance where `../shared/data/adbench` or `$ETCH_SHARED/data/adbench` is present, else one of random numbers.
data const& instance();

/// A rival: computes value and gradient. Each keeps its own buffers.
struct rival {
  char const* name;
  double (*run)(data const&, parameters& gradient);
  double flops;  ///< of one call, counted alike for all
};

rival etch_rival();
rival hand_rival();

/// Largest difference between the gradients of two rivals, relative to the largest entry.
double disagreement(rival const& a, rival const& b);

}  // namespace lstm_problem
