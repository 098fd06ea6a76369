#include "problem.hpp"

#include "../adbench.hpp"

#include <etch/nn/random.hpp>

#include <algorithm>
#include <cmath>

namespace ba_problem {

data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    std::vector<double> file = bench::adbench_file("ba1_n49_m7776_p31843.txt");
    bool const present = file.size() == 3 + 11 + 3 + 1 + 2;
    double one[17] = {-0.8, -1.1, -0.8, 35, 40, 54, 419, 6, -8, 0.09, 0.003, 7, 0, 3, 0.4, 272, 834};
    if (present) std::copy(file.begin() + 3, file.end(), one);
    // ADBench repeats one camera, one point and one observation; without its file they differ.
    auto const entry = [&](int k) { return one[k] * (present ? 1 : 1 + 0.01 * random.normal()); };
    for (int c = 0; c < cameras; ++c)
      for (int k = 0; k < 11; ++k) d->camera(k, c) = entry(k);
    for (int p = 0; p < points; ++p)
      for (int k = 0; k < 3; ++k) d->point(k, p) = entry(11 + k);
    for (int i = 0; i < observations; ++i) {
      d->weight(i) = entry(14);
      for (int k = 0; k < 2; ++k) d->feature(k, i) = entry(15 + k);
      d->camera_of(i) = i % cameras;
      d->point_of(i) = i % points;
    }
    return d;
  }();
  return *made;
}

double disagreement(rival const& a, rival const& b) {
  jacobians const g = a.run(instance()), h = b.run(instance());
  double worst = 0;
  for (int column = 0; column < 15; ++column) {
    double scale = 0, distance = 0;
    for (int i = 0; i < observations; ++i)
      for (int row = 0; row < 2; ++row) {
        int const at = row + 2 * column + 30 * i;
        double const x = g.error[at], y = h.error[at];
        scale = std::max(scale, std::abs(x));
        distance = std::isfinite(x - y) ? std::max(distance, std::abs(x - y)) : INFINITY;
      }
    worst = std::max(worst, distance / scale);
  }
  for (int i = 0; i < observations; ++i) worst = std::max(worst, std::abs(g.weight_error[i] - h.weight_error[i]));
  return worst;
}

}  // namespace ba_problem
