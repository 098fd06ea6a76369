// Errors of reprojection and their Jacobian in tangent coordinates, 2 by 9 for each observation: by a pose, a rigid
// motion with tangent vectors of six entries, and by a point. 49 poses, 7776 points, 31843 observations. double.
#pragma once

#include "../rival.hpp"

#include <etch/core/tensor.hpp>
#include <etch/manifold/se3.hpp>
#include <etch/nn/random.hpp>

#include "loss.hpp"

namespace bundle {

inline constexpr int cameras = 49, points = 7776, observations = 31843, ambient = 7, tangent = 6, columns = tangent + 3;

struct data {
  etch::tensor<double, ambient, cameras> pose;  ///< translation, quaternion x, y, z, w: as the members of an se3
  etch::tensor<double, 3, points> point;
  etch::tensor<double, 2, observations> seen;
  etch::tensor<int, observations> camera_of, point_of;
};

/// Where a rival has left its results.
struct linearised {
  double const* error = nullptr;     ///< 2 for each observation
  double const* jacobian = nullptr;  ///< 2 by 9, column by column: along the translation, the turn, the point
};

struct problem {
  static constexpr char name[] = "bundle_jacobian";
  static constexpr auto unit = benchmark::kMicrosecond;
  /// Each observation has 20 results, two numbers and two indices.
  static constexpr double tolerance = 1e-11, bytes = observations * (22.0 * sizeof(double) + 2.0 * sizeof(int));
  using scalar = double;
  using inputs = data;
  using gradient = linearised;

  static void visit(linearised const& l, auto f) {
    if (l.jacobian == nullptr) return;
    f(l.error, std::size_t{2 * observations});
    f(l.jacobian, std::size_t{2 * columns * observations});
  }
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (int c = 0; c < cameras; ++c) {
      etch::tensor<double, tangent> v;
      for (double& each : v) each = random.uniform(-0.5, 0.5);
      auto const pose = etch::manifold::se3<double>::exp(v);
      double const numbers[] = {pose.x,          pose.y,          pose.z + 6,     pose.rotation.x,
                                pose.rotation.y, pose.rotation.z, pose.rotation.w};
      for (int i = 0; i < ambient; ++i) d.pose(i, c) = numbers[i];
    }
    for (double& each : d.point) each = random.uniform(-2, 2);
    for (double& each : d.seen) each = random.uniform(-200, 200);
    for (int o = 0; o < observations; ++o) d.camera_of(o) = o % cameras, d.point_of(o) = o % points;
  }
};
using rival = bench::rival<problem>;

}  // namespace bundle
