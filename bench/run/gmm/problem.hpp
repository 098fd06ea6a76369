// ADBench's mixture of Gaussians, shared by all rivals: 1000 points, 10 dimensions, 5 components, double.
#pragma once

#include <etch/core/tensor.hpp>

#include <memory>

namespace gmm_problem {

inline constexpr int d = 10, k = 5, n = 1000;

struct parameters {
  etch::tensor<double, k> alpha;
  etch::tensor<double, d, k> means;
  etch::tensor<double, d*(d + 1) / 2, k> icf;  ///< of each component d logarithms of a diagonal, then what is below it, column by column
};

struct data {
  parameters model;
  etch::tensor<double, d, n> x;
  double gamma = 1, m = 0;
  double constant = 0;  ///< k C of ADBench's definition
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

}  // namespace gmm_problem
