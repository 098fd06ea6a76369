// adagrad: steps that shrink where gradients were large.
#pragma once

#include <etch/optim/leaves.hpp>

#include <cmath>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// AdaGrad (J. Duchi, E. Hazan, Y. Singer, JMLR 2011), with weight decay added to the gradient:
/// s += g²;  w -= learning_rate g / (sqrt(s) + epsilon).
template <class Model>
struct adagrad {
  double learning_rate = 0.01;
  double epsilon = 1e-10;
  double weight_decay = 0;
  gradient_of<Model> squares{};

  void update(Model& model, gradient_of<Model> const& gradient) {
    for_each_leaf(
        model,
        [&]<class T>(std::size_t n, T* w, T const* gradient_entries, T* s) {
          T const rate = static_cast<T>(learning_rate), tiny = static_cast<T>(epsilon),
                  decay = static_cast<T>(weight_decay);
          for (std::size_t i = 0; i < n; ++i) {
            T const g = gradient_entries[i] + decay * w[i];
            s[i] += g * g;
            w[i] -= rate * g / (std::sqrt(s[i]) + tiny);
          }
        },
        gradient, squares);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
