// adamw: Adam whose weight decay stands apart from the gradient.
#pragma once

#include <etch/optim/adam.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// AdamW (I. Loshchilov, F. Hutter, Decoupled weight decay regularization, ICLR 2019):
/// m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g²;  w -= learning_rate (m̂ / (sqrt(v̂) + epsilon) +
/// weight_decay w), both moments bias-corrected.
template <class Model>
struct adamw {
  double learning_rate = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  gradient_of<Model> first_moment{};
  gradient_of<Model> second_moment{};
  long step = 0;

  void update(Model& model, gradient_of<Model> const& gradient) { detail::adam_step<true>(*this, model, gradient); }
};

}  // namespace optim
ETCH_NAMESPACE_END
