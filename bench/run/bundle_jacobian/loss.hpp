// Where a camera sees a point, as a pinhole; a camera's pose is a rigid motion from the scene to the camera.
#pragma once

#include <etch/manifold/se3.hpp>
#include <etch/op/concat.hpp>

namespace bundle {

inline constexpr double focal = 500;

/// The error of one observation: the pose is an `se3`, whose derivatives are taken along its tangent vectors.
inline constexpr auto reprojection = [](auto pose, auto point, auto seen) {
  auto const at = act(pose, point);
  auto const scale = focal / at(2);
  return etch::stack<0>(scale * at(0), scale * at(1)) - seen;
};

}  // namespace bundle
