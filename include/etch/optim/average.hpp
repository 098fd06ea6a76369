// average: an exponential moving average of a model's weights.
#pragma once

#include <etch/optim/entries.hpp>

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
    for_each_entry(average, [share = 1 - keep]<class V>(V& a, V w) { a = a + every<V>(share) * (w - a); }, model);
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
