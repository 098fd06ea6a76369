// ADBench's bundle adjustment: a point seen by a camera, through a lens that distorts radially.
#pragma once

#include <array>

namespace ba_problem {

/// The error of one observation, two numbers. A camera is a rotation vector (3), a centre (3), a focal length, a
/// principal point (2) and two coefficients of distortion.
inline constexpr auto error_of = [](auto camera, auto point, auto weight, auto feature) {
  // X' = cos t X + sin t / t (r x X) + (1 - cos t) / t² r (r·X), with X seen from the centre and
  // t = |r|; where t = 0, the limit.
  auto const x = point(0) - camera(3), y = point(1) - camera(4), z = point(2) - camera(5);
  auto const squared = square(camera(0)) + square(camera(1)) + square(camera(2));
  auto const none = equal_to(squared, 0.0);
  auto const t = sqrt(select(none, 1.0, squared));
  auto const c = select(none, 1.0, cos(t)), a = select(none, 1.0, sin(t) / t),
             b = select(none, 0.5, (1.0 - cos(t)) / square(t));
  auto const along = b * (camera(0) * x + camera(1) * y + camera(2) * z);
  auto const u = c * x + a * (camera(1) * z - camera(2) * y) + along * camera(0);
  auto const v = c * y + a * (camera(2) * x - camera(0) * z) + along * camera(1);
  auto const w = c * z + a * (camera(0) * y - camera(1) * x) + along * camera(2);
  auto const p = u / w, q = v / w;
  auto const radius = square(p) + square(q);
  auto const scale = camera(6) * (1.0 + camera(9) * radius + camera(10) * square(radius));
  return concat<0>(weight * (scale * p + camera(7) - feature(0)), weight * (scale * q + camera(8) - feature(1)));
};

}  // namespace ba_problem
