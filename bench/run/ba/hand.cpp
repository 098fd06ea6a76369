// The same by hand: eight observations to a register, everything between loads and stores in registers.
#include "problem.hpp"

#include "../gathered.hpp"

namespace ba_problem {

namespace {

using number = etch::lanes<double>;
constexpr int width = number::width;

number constant(double x) { return number(x); }

etch::tensor<double, 30, observations> errors;
etch::tensor<double, observations> weight_errors;

void group(data const& d, int first, int count) {
  number camera[11], point[3], weight, feature[2];
  int own[width];
  for (int lane = 0; lane < width; ++lane) own[lane] = first + (lane < count ? lane : 0);
  bench::load_columns<11>(d.camera.data(), &d.camera_of.data()[first], count, camera);
  bench::load_columns<3>(d.point.data(), &d.point_of.data()[first], count, point);
  bench::load_columns<1>(d.weight.data(), own, count, &weight);
  bench::load_columns<2>(d.feature.data(), own, count, feature);

  number const r[3] = {camera[0], camera[1], camera[2]};
  number const x[3] = {point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]};
  number const one = constant(1), zero = constant(0);
  number const squared = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  auto const none = squared == zero;
  number const s = select(none, one, squared), t = root(s), over = one / s;
  number c = etch::math::cos(t), a = etch::math::sin(t) / t, b = (one - c) * over;
  number da = (c - a) * over, db = (a - b - b) * over;
  c = select(none, one, c), a = select(none, one, a), b = select(none, constant(0.5), b);
  da = select(none, zero, da), db = select(none, zero, db);
  number const cross[3] = {r[1] * x[2] - r[2] * x[1], r[2] * x[0] - r[0] * x[2], r[0] * x[1] - r[1] * x[0]};
  number const along = r[0] * x[0] + r[1] * x[1] + r[2] * x[2];
  number seen[3], v[3];
  for (int i = 0; i < 3; ++i) {
    seen[i] = c * x[i] + a * cross[i] + b * along * r[i];
    v[i] = da * cross[i] + db * along * r[i] - a * x[i];  // of the coefficients, by |r|
  }
  number const depth = one / seen[2], p = seen[0] * depth, q = seen[1] * depth;
  number const radius = p * p + q * q, k1 = camera[9], k2 = camera[10], f = camera[6];
  number const scale = one + radius * (k1 + k2 * radius), slope = k1 + constant(2) * k2 * radius;
  number const wf = weight * f, twice = constant(2) * slope;
  number const pp = wf * (scale + twice * p * p), pq = wf * twice * p * q, qq = wf * (scale + twice * q * q);
  number const m[2][3] = {{pp * depth, pq * depth, -(pp * p + pq * q) * depth},
                          {pq * depth, qq * depth, -(pq * p + qq * q) * depth}};

  number out[30];
  for (int row = 0; row < 2; ++row) {
    number const* const n = m[row];
    auto const at = [&](int column) -> number& { return out[row + 2 * column]; };
    number const by_length = n[0] * v[0] + n[1] * v[1] + n[2] * v[2], on_r = n[0] * r[0] + n[1] * r[1] + n[2] * r[2];
    number const around[3] = {x[1] * n[2] - x[2] * n[1], x[2] * n[0] - x[0] * n[2], x[0] * n[1] - x[1] * n[0]};
    number const turned[3] = {r[2] * n[1] - r[1] * n[2], r[0] * n[2] - r[2] * n[0], r[1] * n[0] - r[0] * n[1]};
    for (int j = 0; j < 3; ++j) {
      at(j) = by_length * r[j] + a * around[j] + b * (along * n[j] + on_r * x[j]);
      number const by_point = c * n[j] + a * turned[j] + b * on_r * r[j];
      at(3 + j) = -by_point;
      at(11 + j) = by_point;
    }
    number const here = row == 0 ? p : q;
    at(6) = weight * scale * here;
    at(7) = row == 0 ? weight : zero;
    at(8) = row == 0 ? zero : weight;
    at(9) = wf * here * radius;
    at(10) = at(9) * radius;
    at(14) = f * scale * here + camera[7 + row] - feature[row];
  }
  double* const error = errors.data() + static_cast<std::ptrdiff_t>(first) * 30;
  alignas(64) double strip[30 * width];
  for (int i = 0; i < 30; ++i) out[i].store(strip + i * width);
  alignas(64) double slopes[width];
  (constant(-2) * weight).store(slopes);
  if (count == width) {
    etch::run::store_points<30, width, false>(error, strip);
    number::load(slopes).store(weight_errors.data() + first);
  } else {
    etch::run::store_some_points<30, width, false>(error, strip, count);
    for (int lane = 0; lane < count; ++lane) weight_errors.data()[first + lane] = slopes[lane];
  }
}

}  // namespace

rival const here{"hand", [](data const& d, jacobians& g) {
                   int first = 0;
                   for (; first + width <= observations; first += width) group(d, first, width);
                   if (first < observations) group(d, first, observations - first);
                   g = {errors.data(), weight_errors.data()};
                   return g.error[0];
                 }};

}  // namespace ba_problem
