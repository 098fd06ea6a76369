#include "problem.hpp"

#include <etch/nn/random.hpp>

#include <algorithm>
#include <cmath>

namespace lenet_problem {

data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    auto const fill = [&](auto& t, double scale) {
      for (float& e : t) e = static_cast<float>(scale * random.normal());
    };
    fill(d->model.k1, 0.2), fill(d->model.c1, 0.1), fill(d->model.k2, 0.1), fill(d->model.c2, 0.1);
    fill(d->model.w1, 0.1), fill(d->model.b1, 0.1), fill(d->model.w2, 0.1), fill(d->model.b2, 0.1);
    fill(d->model.w3, 0.1), fill(d->model.b3, 0.1), fill(d->x, 1);
    return d;
  }();
  return *made;
}

double disagreement(rival const& a, rival const& b) {
  auto const g = std::make_unique<parameters>(), h = std::make_unique<parameters>();
  float const values[] = {a.run(instance(), *g), b.run(instance(), *h)};
  double worst = std::abs(values[0] - values[1]) / std::abs(values[0]);
  auto const compare = [&](auto const& x, auto const& y) {
    double scale = 0, distance = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      scale = std::max<double>(scale, std::abs(x[i]));
      distance = std::max<double>(distance, std::abs(x[i] - y[i]));
    }
    worst = std::max(worst, distance / scale);
  };
  compare(g->k1, h->k1), compare(g->c1, h->c1), compare(g->k2, h->k2), compare(g->c2, h->c2), compare(g->w1, h->w1);
  compare(g->b1, h->b1), compare(g->w2, h->w2), compare(g->b2, h->b2), compare(g->w3, h->w3), compare(g->b3, h->b3);
  return worst;
}

}  // namespace lenet_problem
