// sgd: stochastic gradient descent.
#pragma once

#include <etch/optim/leaves.hpp>

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
    for_each_leaf(
        model,
        [&]<class T>(std::size_t n, T* w, T const* gradient_entries, T* v) {
          T const rate = static_cast<T>(learning_rate), inertia = static_cast<T>(momentum),
                  decay = static_cast<T>(weight_decay);
          for (std::size_t i = 0; i < n; ++i) {
            T const g = gradient_entries[i] + decay * w[i];
            v[i] = inertia * v[i] + g;
            w[i] -= rate * (nesterov ? g + inertia * v[i] : v[i]);
          }
        },
        gradient, velocity);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
