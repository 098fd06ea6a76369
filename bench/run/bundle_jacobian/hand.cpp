// By hand: eight observations to a register. With a row k of the projection's derivative by the point in the camera's
// frame, and k R, the derivatives are k R along the translation, p x k R along the turn, and k R by the point p.
#include "problem.hpp"

#include "../gathered.hpp"

namespace bundle {

namespace {

using number = etch::lanes<double>;
constexpr int width = number::width;

etch::tensor<double, 2 * columns, observations> jacobians;
etch::tensor<double, 2, observations> errors;

number constant(double x) { return number(x); }

void group(data const& d, int first, int count) {
  number pose[ambient], p[3], seen[2];
  int own[width];
  for (int lane = 0; lane < width; ++lane) own[lane] = first + (lane < count ? lane : 0);
  bench::load_columns<ambient>(d.pose.data(), &d.camera_of.data()[first], count, pose);
  bench::load_columns<3>(d.point.data(), &d.point_of.data()[first], count, p);
  bench::load_columns<2>(d.seen.data(), own, count, seen);

  number const x = pose[3], y = pose[4], z = pose[5], w = pose[6], one = constant(1);
  number const x2 = x + x, y2 = y + y, z2 = z + z;
  number const xx = x2 * x, yy = y2 * y, zz = z2 * z, xy = x2 * y, xz = x2 * z, yz = y2 * z, xw = x2 * w, yw = y2 * w,
               zw = z2 * w;
  number const r[3][3] = {
      {one - yy - zz, xy - zw, xz + yw}, {xy + zw, one - xx - zz, yz - xw}, {xz - yw, yz + xw, one - xx - yy}};
  number at[3];
  for (int i = 0; i < 3; ++i) at[i] = pose[i] + r[i][0] * p[0] + r[i][1] * p[1] + r[i][2] * p[2];
  number const over = one / at[2], scale = constant(focal) * over;

  alignas(64) double strip[2 * columns * width], error[2 * width];
  for (int row = 0; row < 2; ++row) {
    number const across = at[row] * over;
    number k[3];
    for (int j = 0; j < 3; ++j) k[j] = scale * (r[row][j] - across * r[2][j]);
    number const turn[3] = {p[1] * k[2] - p[2] * k[1], p[2] * k[0] - p[0] * k[2], p[0] * k[1] - p[1] * k[0]};
    for (int j = 0; j < 3; ++j) {
      k[j].store(strip + (row + 2 * j) * width);
      turn[j].store(strip + (row + 2 * (3 + j)) * width);
      k[j].store(strip + (row + 2 * (6 + j)) * width);
    }
    (constant(focal) * across - seen[row]).store(error + row * width);
  }
  double* const to = jacobians.data() + static_cast<std::ptrdiff_t>(first) * 2 * columns;
  if (count == width) {
    etch::run::store_points<2 * columns, width, false>(to, strip);
    etch::run::store_points<2, width, false>(errors.data() + 2 * first, error);
  } else {
    etch::run::store_some_points<2 * columns, width, false>(to, strip, count);
    etch::run::store_some_points<2, width, false>(errors.data() + 2 * first, error, count);
  }
}

}  // namespace

rival const here{"hand", [](data const& d, linearised& l) {
                   int first = 0;
                   for (; first + width <= observations; first += width) group(d, first, width);
                   if (first < observations) group(d, first, observations - first);
                   l = {errors.data(), jacobians.data()};
                   return l.error[0];
                 }};

}  // namespace bundle
