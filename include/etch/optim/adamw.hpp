// adamw: Adam whose weight decay stands apart from the gradient.
#pragma once

#include <etch/optim/leaves.hpp>

#include <cmath>

namespace etch::inline ETCH_ABI::optim {

/// AdamW (I. Loshchilov, F. Hutter, Decoupled weight decay regularization, ICLR 2019):
/// m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g²;  w -= learning_rate (m̂ / (sqrt(v̂) + epsilon) + weight_decay w), both moments
/// bias-corrected.
template <class Model>
struct adamw {
  double learning_rate = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  Model first_moment{};
  Model second_moment{};
  long step = 0;

  void update(Model& model, Model const& gradient) {
    ++step;
    double const count = static_cast<double>(step);
    double const size = learning_rate / (1 - std::pow(beta1, count)), second_correction = 1 / std::sqrt(1 - std::pow(beta2, count));
    for_each_leaf(
        model,
        [&]<class T>(std::size_t n, T* w, T const* g, T* m, T* v) {
          T const b1 = static_cast<T>(beta1), b2 = static_cast<T>(beta2), c1 = static_cast<T>(1 - beta1), c2 = static_cast<T>(1 - beta2);
          T const rate = static_cast<T>(size), correction = static_cast<T>(second_correction), tiny = static_cast<T>(epsilon);
          T const shrink = static_cast<T>(1 - learning_rate * weight_decay);
          for (std::size_t i = 0; i < n; ++i) {
            m[i] = b1 * m[i] + c1 * g[i];
            v[i] = b2 * v[i] + c2 * (g[i] * g[i]);
            w[i] = shrink * w[i] - rate * m[i] / (std::sqrt(v[i]) * correction + tiny);
          }
        },
        gradient, first_moment, second_moment);
  }
};

}  // namespace etch::inline ETCH_ABI::optim
