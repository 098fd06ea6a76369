// sgd: stochastic gradient descent.
#pragma once

#include <etch/optim/entries.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// Gradient descent with momentum (B. Polyak, 1964), optionally in Nesterov's form (I. Sutskever et al.,
/// ICML 2013), and weight decay added
/// to the gradient:  g += weight_decay * w;  v = momentum * v + g;  w -= learning_rate * (nesterov ? g + momentum * v :
/// v). The state is a struct like the model; an update allocates nothing.
template <class Model>
struct sgd {
  double learning_rate = 0.01;
  double momentum = 0;
  double weight_decay = 0;
  bool nesterov = false;
  gradient_of<Model> velocity{};

  void update(Model& model, gradient_of<Model> const& gradient) {
    for_each_entry(
        model,
        [rate = learning_rate, inertia = momentum, decay = weight_decay, ahead = nesterov]<class V>(
            V& w, V gradient_entry, V& v) {
          V const g = gradient_entry + every<V>(decay) * w;
          v = normal_or_zero(every<V>(inertia) * v + g);
          w = w - every<V>(rate) * (ahead ? g + every<V>(inertia) * v : v);
        },
        gradient, velocity);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
