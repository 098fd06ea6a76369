// adagrad: steps that shrink where gradients were large.
#pragma once

#include <etch/optim/entries.hpp>

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
    for_each_entry(
        model,
        [rate = learning_rate, tiny = epsilon, decay = weight_decay]<class V>(V& w, V gradient_entry, V& s) {
          V const g = gradient_entry + every<V>(decay) * w;
          s = s + g * g;
          w = w - every<V>(rate) * g / (math::sqrt(s) + every<V>(tiny));
        },
        gradient, squares);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
