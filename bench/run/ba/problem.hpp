// ADBench's bundle adjustment, shared by all rivals: 49 cameras, 7776 points, 31843 observations; the Jacobian of each observation's error,
// 2 by 15, with respect to its camera, its point and its weight, and the derivative of its weight's error 1 - w². double.
#pragma once

#include <etch/core/tensor.hpp>

#include <memory>

namespace ba_problem {

inline constexpr int cameras = 49, points = 7776, observations = 31843;

struct data {
  etch::tensor<double, 11, cameras> camera;
  etch::tensor<double, 3, points> point;
  etch::tensor<double, observations> weight;
  etch::tensor<double, 2, observations> feature;
  etch::tensor<int, observations> camera_of, point_of;
};

/// Where a rival has left its results.
struct jacobians {
  double const* error;         ///< 2 by 15 for each observation; columns: camera, point, weight
  double const* weight_error;  ///< one for each
};

/// ADBench's instance where `../shared/data/adbench` or `$ETCH_SHARED/data/adbench` is present, else one of random numbers.
data const& instance();

/// A rival: computes all Jacobians. Each keeps its own buffers.
struct rival {
  char const* name;
  jacobians (*run)(data const&);
  double flops;  ///< of one call, counted alike for all
};

rival etch_rival();
rival hand_rival();

/// Largest difference between the derivatives of two rivals, relative to the largest entry of a column.
double disagreement(rival const& a, rival const& b);

}  // namespace ba_problem
