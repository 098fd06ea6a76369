// rmsprop: steps scaled by a running mean of squared gradients.
#pragma once

#include <etch/optim/entries.hpp>

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
    for_each_entry(
        model,
        [rate = learning_rate, a = smoothing, inertia = momentum, tiny = epsilon, decay = weight_decay]<class V>(
            V& w, V gradient_entry, V& s, V& v) {
          V const g = gradient_entry + every<V>(decay) * w;
          s = at_least_normal(moved_mean(a, s, g * g));
          v = normal_or_zero(every<V>(inertia) * v + g / (math::sqrt(s) + every<V>(tiny)));
          w = w - every<V>(rate) * v;
        },
        gradient, squares, velocity);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
