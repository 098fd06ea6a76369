// lamb: Adam whose steps have, tensor by tensor, the size of the weights.
#pragma once

#include <etch/optim/leaves.hpp>

#include <cmath>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// LAMB (Y. You et al., Large batch optimization for deep learning, ICLR 2020): with Adam's bias-corrected moments,
/// u = m̂ / (sqrt(v̂) + epsilon) + weight_decay w;  w -= learning_rate (|w| / |u|) u, the norms of each tensor on its
/// own, their ratio 1 where either is 0. One more pass over memory than others, for the norms.
template <class Model>
struct lamb {
  double learning_rate = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-6;
  double weight_decay = 0.01;
  gradient_of<Model> first_moment{};
  gradient_of<Model> second_moment{};
  long step = 0;

  void update(Model& model, gradient_of<Model> const& gradient) {
    ++step;
    double const count = static_cast<double>(step);
    double const first_correction = 1 / (1 - std::pow(beta1, count)),
                 second_correction = 1 / (1 - std::pow(beta2, count));
    for_each_leaf(
        model,
        [&]<class T>(std::size_t n, T* w, T const* g, T* m, T* v) {
          T const b1 = static_cast<T>(beta1), b2 = static_cast<T>(beta2), c1 = static_cast<T>(1 - beta1),
                  c2 = static_cast<T>(1 - beta2);
          T const of_m = static_cast<T>(first_correction), of_v = static_cast<T>(std::sqrt(second_correction));
          T const tiny = static_cast<T>(epsilon), decay = static_cast<T>(weight_decay);
          auto const direction = [&](std::size_t i) {
            return of_m * m[i] / (of_v * std::sqrt(v[i]) + tiny) + decay * w[i];
          };
          double of_weights = 0, of_direction = 0;
          for (std::size_t i = 0; i < n; ++i) {
            m[i] = b1 * m[i] + c1 * g[i];
            v[i] = b2 * v[i] + c2 * (g[i] * g[i]);
            double const u = static_cast<double>(direction(i)), x = static_cast<double>(w[i]);
            of_weights += x * x;
            of_direction += u * u;
          }
          double const ratio = of_weights > 0 && of_direction > 0 ? std::sqrt(of_weights / of_direction) : 1;
          T const rate = static_cast<T>(learning_rate * ratio);
          for (std::size_t i = 0; i < n; ++i) w[i] -= rate * direction(i);
        },
        gradient, first_moment, second_moment);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
