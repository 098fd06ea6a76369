#include "problem.hpp"

#include "../adbench.hpp"

#include <etch/nn/random.hpp>

#include <algorithm>
#include <cmath>

namespace lstm_problem {

data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    std::vector<double> const file = bench::adbench_file("lstm_l2_c1024.txt");
    std::size_t at = 3;
    auto const fill = [&](auto& t) {
      for (double& e : t) e = file.empty() ? random.uniform() : file[at++];
    };
    fill(d->model.main), fill(d->model.extra), fill(d->state), fill(d->sequence);
    return d;
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
  compare(g.main, h.main), compare(g.extra, h.extra);
  return worst;
}

}  // namespace lstm_problem
