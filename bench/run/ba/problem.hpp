// ADBench's bundle adjustment: 49 cameras, 7776 points, 31843 observations; the Jacobian of each observation's error, 2
// by 15, with respect to its camera, its point and its weight, and the derivative of its weight's error 1 - w². double.
#pragma once

#include "../adbench.hpp"
#include "../rival.hpp"

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <iterator>

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
  double const* error = nullptr;         ///< 2 by 15 for each observation; columns: camera, point, weight
  double const* weight_error = nullptr;  ///< one for each
};

struct problem {
  static constexpr char name[] = "ba";
  static constexpr auto unit = benchmark::kMicrosecond;
  /// Each observation has 31 derivatives, three numbers and two indices.
  static constexpr double tolerance = 1e-9, bytes = observations * (34.0 * sizeof(double) + 2.0 * sizeof(int));
  using scalar = double;
  using inputs = data;
  using gradient = jacobians;

  /// Column by column, since their sizes differ by orders of magnitude.
  static void visit(jacobians const& g, auto f) {
    if (g.error == nullptr) return;
    std::vector<double> column(2 * observations);
    for (int c = 0; c < 15; ++c) {
      for (int i = 0; i < observations; ++i)
        for (int row = 0; row < 2; ++row) column[2 * i + row] = g.error[row + 2 * c + 30 * i];
      f(const_cast<double const*>(column.data()), column.size());
    }
    f(g.weight_error, std::size_t{observations});
  }

  /// ADBench's instance where `../shared/data/adbench` or `$ETCH_SHARED/data/adbench` is
  /// present, else one of random numbers.
  static void fill(data& made) {
    etch::nn::generator random(1);
    double one[17] = {-0.8, -1.1, -0.8, 35, 40, 54, 419, 6, -8, 0.09, 0.003, 7, 0, 3, 0.4, 272, 834};
    bench::adbench_numbers numbers("ba1_n49_m7776_p31843.txt", std::size(one));
    for (double& number : one) number = numbers.next_or(number);
    // ADBench repeats one camera, one point and one observation; without its file they differ.
    auto const entry = [&](int i) { return one[i] * (numbers.are_present() ? 1 : 1 + 0.01 * random.normal()); };
    for (int c = 0; c < cameras; ++c)
      for (int i = 0; i < 11; ++i) made.camera(i, c) = entry(i);
    for (int p = 0; p < points; ++p)
      for (int i = 0; i < 3; ++i) made.point(i, p) = entry(11 + i);
    for (int o = 0; o < observations; ++o) {
      made.weight(o) = entry(14);
      for (int i = 0; i < 2; ++i) made.feature(i, o) = entry(15 + i);
      made.camera_of(o) = o % cameras;
      made.point_of(o) = o % points;
    }
  }
};
using rival = bench::rival<problem>;

}  // namespace ba_problem
