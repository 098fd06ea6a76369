// clip_by_value, clip_by_norm: gradients kept within bounds before a step.
#pragma once

#include <etch/optim/leaves.hpp>

#include <cmath>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// Every entry of `gradient` clamped to [-limit, limit]; NaN stays NaN.
template <class Model>
void clip_by_value(Model& gradient, double limit) {
  for_each_leaf(gradient, [&]<class T>(std::size_t n, T* g) {
    T const most = static_cast<T>(limit);
    for (std::size_t i = 0; i < n; ++i) g[i] = g[i] > most ? most : g[i] < -most ? -most : g[i];
  });
}

/// The Euclidean norm of all entries of `gradient` together.
template <class Model>
double norm(Model const& gradient) {
  double squares = 0;
  argument<Model>::visit(gradient, [&]<class T>(T const* g, std::size_t n) {
    if constexpr (std::is_floating_point_v<T>)
      for (std::size_t i = 0; i < n; ++i) squares += static_cast<double>(g[i]) * static_cast<double>(g[i]);
  });
  return std::sqrt(squares);
}

/// Scales `gradient` as a whole so that its norm is at most `limit`. Returns the norm that it had (R.
/// Pascanu, T. Mikolov, Y. Bengio, ICML 2013).
template <class Model>
double clip_by_norm(Model& gradient, double limit) {
  double const had = optim::norm(gradient);
  if (had > limit)
    for_each_leaf(gradient, [&]<class T>(std::size_t n, T* g) {
      T const scale = static_cast<T>(limit / had);
      for (std::size_t i = 0; i < n; ++i) g[i] *= scale;
    });
  return had;
}

}  // namespace optim
ETCH_NAMESPACE_END
