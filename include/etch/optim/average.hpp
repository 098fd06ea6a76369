// average: an exponential moving average of a model's weights.
#pragma once

#include <etch/optim/leaves.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// average += (1 - decay) (model - average), from the first model on. In the first steps the decay is at most (1 +
/// step) / (10 + step), so that the beginning is soon forgotten.
template <class Model>
struct exponential_average {
  double decay = 0.999;
  Model average{};
  long step = 0;

  void update(Model const& model) {
    double const count = static_cast<double>(step++);
    double const keep = count == 0 ? 0 : std::min(decay, (1 + count) / (10 + count));
    for_each_leaf(
        average,
        [&]<class T>(std::size_t n, T* a, T const* w) {
          T const share = static_cast<T>(1 - keep);
          for (std::size_t i = 0; i < n; ++i) a[i] += share * (w[i] - a[i]);
        },
        model);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
