// The error number by number, for tools that differentiate numbers.
#pragma once

#include "problem.hpp"

namespace bundle {

/// Of a pose and a point, numbers of any kind.
template <class N, class P>
void project(N const* pose, P const* p, double const* seen, auto* error) {
  auto const &x = pose[3], &y = pose[4], &z = pose[5], &w = pose[6];
  // p + w t + u x t with t = 2 u x p, where u is the quaternion's vector
  auto const a = 2.0 * (y * p[2] - z * p[1]), b = 2.0 * (z * p[0] - x * p[2]), c = 2.0 * (x * p[1] - y * p[0]);
  auto const depth = pose[2] + p[2] + w * c + (x * b - y * a), scale = focal / depth;
  error[0] = scale * (pose[0] + p[0] + w * a + (y * c - z * b)) - seen[0];
  error[1] = scale * (pose[1] + p[1] + w * b + (z * a - x * c)) - seen[1];
}

}  // namespace bundle
