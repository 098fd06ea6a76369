// rmsprop: steps scaled by a running mean of squared gradients.
#pragma once

#include <etch/optim/leaves.hpp>

#include <cmath>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// RMSProp (T. Tieleman, G. Hinton, 2012) with momentum, and weight decay added to the gradient:
/// s = smoothing s + (1 - smoothing) g²;  v = momentum v + g / (sqrt(s) + epsilon);  w -= learning_rate v.
template <class Model>
struct rmsprop {
  double learning_rate = 0.01;
  double smoothing = 0.99;
  double momentum = 0;
  double epsilon = 1e-8;
  double weight_decay = 0;
  gradient_of<Model> squares{};
  gradient_of<Model> velocity{};

  void update(Model& model, gradient_of<Model> const& gradient) {
    for_each_leaf(
        model,
        [&]<class T>(std::size_t n, T* w, T const* gradient_entries, T* s, T* v) {
          T const rate = static_cast<T>(learning_rate), a = static_cast<T>(smoothing),
                  b = static_cast<T>(1 - smoothing);
          T const inertia = static_cast<T>(momentum), tiny = static_cast<T>(epsilon),
                  decay = static_cast<T>(weight_decay);
          for (std::size_t i = 0; i < n; ++i) {
            T const g = gradient_entries[i] + decay * w[i];
            s[i] = a * s[i] + b * (g * g);
            v[i] = inertia * v[i] + g / (std::sqrt(s[i]) + tiny);
            w[i] -= rate * v[i];
          }
        },
        gradient, squares, velocity);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
