// lion: steps of one size, in the direction of the sign of a mean of gradients.
#pragma once

#include <etch/optim/leaves.hpp>

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
    for_each_leaf(
        model,
        [&]<class T>(std::size_t n, T* w, T const* g, T* m) {
          T const b1 = static_cast<T>(beta1), b2 = static_cast<T>(beta2), c1 = static_cast<T>(1 - beta1),
                  c2 = static_cast<T>(1 - beta2);
          T const rate = static_cast<T>(learning_rate), decay = static_cast<T>(weight_decay);
          for (std::size_t i = 0; i < n; ++i) {
            T const c = b1 * m[i] + c1 * g[i];
            w[i] -= rate * (static_cast<T>((c > 0) - (c < 0)) + decay * w[i]);
            m[i] = b2 * m[i] + c2 * g[i];
          }
        },
        gradient, moment);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
