// adam: adaptive moment estimation.
#pragma once

#include <etch/optim/leaves.hpp>

#include <cmath>

ETCH_NAMESPACE_BEGIN
namespace optim {

namespace detail {

/// One step of Adam. Weight decay is added to the gradient, or stands `Apart` from it: weights
/// shrink by learning_rate weight_decay.
template <bool Apart, class Optimiser, class Model>
void adam_step(Optimiser& o, Model& model, gradient_of<Model> const& gradient) {
  ++o.step;
  double const count = static_cast<double>(o.step);
  double const size = o.learning_rate / (1 - std::pow(o.beta1, count)),
               second_correction = 1 / std::sqrt(1 - std::pow(o.beta2, count));
  for_each_leaf(
      model,
      [&]<class T>(std::size_t n, T* w, T const* gradient_entries, T* m, T* v) {
        T const b1 = static_cast<T>(o.beta1), b2 = static_cast<T>(o.beta2), c1 = static_cast<T>(1 - o.beta1),
                c2 = static_cast<T>(1 - o.beta2);
        T const rate = static_cast<T>(size), correction = static_cast<T>(second_correction),
                tiny = static_cast<T>(o.epsilon);
        T const decay = static_cast<T>(o.weight_decay), kept = static_cast<T>(1 - o.learning_rate * o.weight_decay);
        for (std::size_t i = 0; i < n; ++i) {
          T const g = Apart ? gradient_entries[i] : gradient_entries[i] + decay * w[i];
          m[i] = b1 * m[i] + c1 * g;
          v[i] = b2 * v[i] + c2 * (g * g);
          T const change = rate * m[i] / (std::sqrt(v[i]) * correction + tiny);
          w[i] = (Apart ? kept * w[i] : w[i]) - change;
        }
      },
      gradient, o.first_moment, o.second_moment);
}

}  // namespace detail

/// Adam (D. Kingma, J. Ba, ICLR 2015), with weight decay added to the gradient:
/// m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g²;  w -= learning_rate * m̂ / (sqrt(v̂) + epsilon), both
/// moments bias-corrected. The state is two structs like the model and the number of steps; an update allocates
/// nothing.
template <class Model>
struct adam {
  double learning_rate = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  gradient_of<Model> first_moment{};
  gradient_of<Model> second_moment{};
  long step = 0;

  void update(Model& model, gradient_of<Model> const& gradient) { detail::adam_step<false>(*this, model, gradient); }
};

}  // namespace optim
ETCH_NAMESPACE_END
