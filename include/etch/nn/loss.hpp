// Losses: scalars averaged over the batch, the last axis.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::nn {

/// Mean squared error over all entries: mean((prediction - target)²).
template <class P, class Q>
constexpr auto mse(P const& prediction, Q const& target) {
  return mean(square(prediction - target));
}

/// Cross-entropy of softmax(logits) averaged over the batch: -(1/batch) sum over samples of sum(target * log_softmax(logits)).
/// `logits` is `[classes, batch]`; `target` is `[classes, batch]` of probabilities (one-hot or soft), or `[batch]` of integer labels.
template <static_handle Logits, static_handle Target>
constexpr auto softmax_cross_entropy(Logits const& logits, Target const& target) {
  constexpr int classes = Logits::extent[0], batch = Logits::extent[1];
  static_assert(Logits::extent.rank == 2 || Logits::extent.rank == 1, "etch: softmax_cross_entropy takes logits of shape [classes, batch]");
  using T = typename Logits::scalar_type;
  if constexpr (std::is_floating_point_v<typename Target::scalar_type>) {
    static_assert(same_extents(Target::extent, Logits::extent),
                  "etch: softmax_cross_entropy takes a target of the logits' shape, or one integer label for each column");
    return -sum(cwise_product(target, log_softmax<0>(logits))) / static_cast<double>(batch);
  } else {
    static_assert(Target::extent.size() == batch, "etch: softmax_cross_entropy takes one integer label for each column of the logits");
    // Shifted by the largest logit, a constant for the gradient because the loss does not change with a shift.
    auto const z = logits - stop_gradient(max<0>(logits));
    auto const picked = sum<0>(cwise_product(one_hot<classes, T>(target), z));
    return sum(log(sum<0>(exp(z))) - picked) / static_cast<double>(batch);
  }
}

}  // namespace etch::inline ETCH_ABI::nn
