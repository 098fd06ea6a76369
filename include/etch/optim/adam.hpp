// adam: adaptive moment estimation.
#pragma once

#include <etch/optim/entries.hpp>

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
  for_each_entry(
      model,
      [size, second_correction, b1 = o.beta1, b2 = o.beta2, tiny = o.epsilon, decay = o.weight_decay,
       kept = 1 - o.learning_rate * o.weight_decay]<class V>(V& w, V gradient_entry, V& m, V& v) {
        V const g = Apart ? gradient_entry : gradient_entry + every<V>(decay) * w;
        m = normal_or_zero(moved_mean(b1, m, g));
        v = at_least_normal(moved_mean(b2, v, g * g));
        V const change = every<V>(size) * m / (math::sqrt(v) * every<V>(second_correction) + every<V>(tiny));
        w = (Apart ? every<V>(kept) * w : w) - change;
      },
      gradient, o.first_moment, o.second_moment);
}

}  // namespace detail

/// Adam (D. Kingma, J. Ba, ICLR 2015), with weight decay added to the gradient:
/// m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g²;  w -= learning_rate * m̂ / (sqrt(v̂) + epsilon), both
/// moments bias-corrected. Below the smallest normal number m is 0, and v at least that number. The state is two
/// structs like the model and the number of steps; an update allocates nothing.
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
