// closed_form: the gradient as tr((K⁻¹ - a aᵀ) dK) / 2 with a = K⁻¹ y, by whatever factors K and inverts it.
#pragma once

#include "problem.hpp"

#include <cmath>

namespace gaussian_process {

using matrix = etch::tensor<double, points, points>;

/// `factor(k)` leaves L with K = L Lᵀ in the lower triangle of `k`, and `invert(k)` from that the lower triangle of
/// K⁻¹.
double by_closed_form(data const& d, gradient& g, auto factor, auto invert) {
  static matrix k, distances;
  static etch::tensor<double, points> a;
  double const over = -0.5 / (d.length * d.length), square = d.scale * d.scale;
  for (int j = 0; j < points; ++j) {
    for (int i = j; i < points; ++i) {
      double sum = 0;
      for (int c = 0; c < coordinates; ++c) sum += (d.x(c, i) - d.x(c, j)) * (d.x(c, i) - d.x(c, j));
      distances(i, j) = sum;
    }
    for (int i = j; i < points; ++i) k(i, j) = square * std::exp(over * distances(i, j));
    k(j, j) += d.noise * d.noise;
  }
  static matrix kernel;
  kernel = k;
  factor(k);
  double value = 0;
  for (int j = 0; j < points; ++j) value += std::log(k(j, j));
  invert(k);
  auto const inverse = k.matrix().template selfadjointView<Eigen::Lower>();
  a.flat().noalias() = inverse * d.y.flat();
  value += 0.5 * d.y.flat().dot(a.flat());
  double by_length = 0, by_square = 0, by_noise = 0;
  for (int j = 0; j < points; ++j) {
    double length_here = 0, square_here = 0;
    for (int i = j + 1; i < points; ++i) {
      double const slope = k(i, j) - a(i) * a(j), part = slope * kernel(i, j);
      square_here += part;
      length_here += part * distances(i, j);
    }
    double const on_diagonal = k(j, j) - a(j) * a(j);
    by_length += length_here;
    by_square += square_here + 0.5 * on_diagonal * square;
    by_noise += on_diagonal;
  }
  g.length = by_length / (d.length * d.length * d.length);
  g.scale = 2 * by_square / d.scale;
  g.noise = by_noise * d.noise;
  return value;
}

}  // namespace gaussian_process
