// lion: steps of one size, in the direction of the sign of a mean of gradients.
#pragma once

#include <etch/optim/entries.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// Lion (X. Chen et al., Symbolic discovery of optimization algorithms, NeurIPS 2023):
/// c = beta1 m + (1 - beta1) g;  w -= learning_rate (sign(c) + weight_decay w);  m = beta2 m + (1 - beta2) g.
template <class Model>
struct lion {
  double learning_rate = 0.0001;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0;
  gradient_of<Model> moment{};

  void update(Model& model, gradient_of<Model> const& gradient) {
    for_each_entry(
        model,
        [b1 = beta1, b2 = beta2, rate = learning_rate, decay = weight_decay]<class V>(V& w, V g, V& m) {
          V const c = moved_mean(b1, m, g), zero = every<V>(0);
          using math::select;
          V const sign = select(c > zero, every<V>(1), select(c < zero, every<V>(-1), zero));
          w = w - every<V>(rate) * (sign + every<V>(decay) * w);
          m = normal_or_zero(moved_mean(b2, m, g));
        },
        gradient, moment);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
