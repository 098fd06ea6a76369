#include "problem.hpp"

#include "../adbench.hpp"

#include <etch/nn/random.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gmm_problem {

data const& instance() {
  static auto const made = [] {
    auto made = std::make_unique<data>();
    etch::nn::generator random(1);
    std::vector<double> const file = bench::adbench_file("gmm_d10_K5.txt");
    std::size_t at = 3;
    auto const fill = [&](auto& t, double scale) {
      for (double& e : t) e = file.empty() ? scale * random.normal() : file[at++];
    };
    fill(made->model.alpha, 1), fill(made->model.means, 1), fill(made->model.icf, 0.3), fill(made->x, 1);
    if (!file.empty()) made->gamma = file[at], made->m = file[at + 1];
    double const half = 0.5 * (d + made->m + 1);
    double log_gamma = 0.25 * d * (d - 1) * std::log(std::numbers::pi);
    for (int j = 1; j <= d; ++j) log_gamma += std::lgamma(half + 0.5 * (1 - j));
    made->constant = k * (2 * half * d * (std::log(made->gamma) - 0.5 * std::numbers::ln2) - log_gamma);
    return made;
  }();
  return *made;
}

double disagreement(rival const& a, rival const& b) {
  parameters g, h;
  double const values[] = {a.run(instance(), g), b.run(instance(), h)};
  double worst = std::abs(values[0] - values[1]) / std::abs(values[0]);
  auto const compare = [&](auto const& x, auto const& y) {
    double scale = 0, distance = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      scale = std::max(scale, std::abs(x[i]));
      distance = std::isfinite(x[i] - y[i]) ? std::max(distance, std::abs(x[i] - y[i])) : INFINITY;
    }
    worst = std::max(worst, distance / scale);
  };
  compare(g.alpha, h.alpha), compare(g.means, h.means), compare(g.icf, h.icf);
  return worst;
}

}  // namespace gmm_problem
