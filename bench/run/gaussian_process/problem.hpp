// A Gaussian process: y ~ N(0, K), K_ij = s² exp(-|x_i - x_j|² / (2 l²)) + t² of i = j, for 256 points of three
// coordinates; the negative logarithm of its density, but for a constant, by l, s and t, double (C. Rasmussen,
// C. Williams, Gaussian processes for machine learning, 2006, eq. 2.30 and 5.9).
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

namespace gaussian_process {

inline constexpr int points = 256, coordinates = 3;

struct data {
  etch::tensor<double, coordinates, points> x;
  etch::tensor<double, points> y;
  double length = 0.8, scale = 1.3, noise = 0.3;
};
struct gradient {
  double length = 0, scale = 0, noise = 0;
  auto entries() const { return std::tie(length, scale, noise); }
};
struct problem {
  static constexpr char name[] = "gaussian_process";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-9, flops = 1.0 * points * points * points;  // factor, and inverse by it
  using inputs = data;
  using gradient = gaussian_process::gradient;
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (double& e : d.x) e = random.normal();
    for (double& e : d.y) e = random.normal();
  }
};
using rival = bench::rival<problem>;

}  // namespace gaussian_process
