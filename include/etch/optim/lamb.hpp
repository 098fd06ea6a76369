// lamb: Adam whose steps have, tensor by tensor, the size of the weights.
#pragma once

#include <etch/optim/entries.hpp>

#include <cmath>

ETCH_NAMESPACE_BEGIN
namespace optim {

namespace detail {
/// The squares of all lanes, added in double.
template <class V>
double sum_of_squares(V x) {
  if constexpr (width_of<V> == 1) {
    return static_cast<double>(x) * static_cast<double>(x);
  } else if constexpr (sizeof(math::scalar_in<V>) == 4) {
    auto const low = x.template widened<0>(), high = x.template widened<1>();
    return sum_of_squares(low) + sum_of_squares(high);
  } else {
    return (x * x).across([](auto a, auto b) { return a + b; });
  }
}
}  // namespace detail

/// LAMB (Y. You et al., Large batch optimization for deep learning, ICLR 2020): with Adam's bias-corrected moments,
/// u = m̂ / (sqrt(v̂) + epsilon) + weight_decay w;  w -= learning_rate (|w| / |u|) u, the norms of each tensor on its
/// own, their ratio 1 where either is 0. One more pass over memory than others, for the norms.
template <class Model>
struct lamb {
  double learning_rate = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-6;
  double weight_decay = 0.01;
  gradient_of<Model> first_moment{};
  gradient_of<Model> second_moment{};
  long step = 0;

  void update(Model& model, gradient_of<Model> const& gradient) {
    ++step;
    double const count = static_cast<double>(step);
    double const first_correction = 1 / (1 - std::pow(beta1, count)),
                 second_correction = 1 / (1 - std::pow(beta2, count));
    for_each_leaf(
        model,
        [&]<class T>(std::size_t n, T* weights, T const* gradients, T* first, T* second) {
          auto const direction = [of_m = first_correction, of_v = std::sqrt(second_correction), tiny = epsilon,
                                  decay = weight_decay]<class V>(V w, V m, V v) {
            return every<V>(of_m) * m / (every<V>(of_v) * math::sqrt(v) + every<V>(tiny)) + every<V>(decay) * w;
          };
          double of_weights = 0, of_direction = 0;
          detail::for_each_entry_of(
              n,
              [&, b1 = beta1, b2 = beta2]<class V>(V w, V g, V& m, V& v) {
                m = normal_or_zero(moved_mean(b1, m, g));
                v = at_least_normal(moved_mean(b2, v, g * g));
                V const u = direction(w, m, v);
                of_weights += detail::sum_of_squares(w);
                of_direction += detail::sum_of_squares(u);
              },
              weights, gradients, first, second);
          double const ratio = of_weights > 0 && of_direction > 0 ? std::sqrt(of_weights / of_direction) : 1;
          detail::for_each_entry_of(
              n,
              [&, rate = learning_rate * ratio]<class V>(V& w, V m, V v) {
                w = w - every<V>(rate) * direction(w, m, v);
              },
              weights, static_cast<T const*>(first), static_cast<T const*>(second));
        },
        gradient, first_moment, second_moment);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
