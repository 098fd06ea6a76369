// Losses: scalars averaged over the batch, the last axis.
#pragma once

#include <etch/op/constants.hpp>
#include <etch/op/table.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN
namespace error {

template <class Logits, class Target>
constexpr auto target_does_not_fit() {
  static_assert(never<Logits, Target>,
                "etch: softmax_cross_entropy takes logits [classes, batch], and a target of their shape or one integer "
                "label for each column");
  return mistake{};
}

template <class Prediction, class Target>
constexpr auto target_enlarges_the_prediction() {
  static_assert(never<Prediction, Target>,
                "etch: the target of a loss has the shape of the prediction, or one that broadcasts to it: [1, n] and "
                "[n] line up from the first axis on and would make [n, n]; reshape<1, n>(target) has the other shape");
  return mistake{};
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace nn {

namespace detail {

template <class P, class Q>
consteval bool enlarges() {
  if constexpr (!static_handle<P> || !static_handle<Q>) return false;
  else if constexpr (!broadcasts(P::extent, Q::extent)) return false;  // operators name that mistake
  else return broadcast_shape(P::extent, Q::extent).size() != P::extent.size();
}
/// Sees to it that each entry of the prediction counts once, whatever is broadcast. The type is deduced, so that
/// compilers look into it where a loss is first met.
template <class P, class Q>
constexpr auto check_target(P const& prediction, Q const& target) {
  if constexpr (enlarges<P, Q>()) {
    error::target_enlarges_the_prediction<P, Q>();
    etch::detail::note_mistake_in(prediction);
    etch::detail::note_mistake_in(target);
  }
}

/// share value, where a share of 0 of something infinite counts nothing: neither it nor its gradients are NaN.
template <class S, class V>
constexpr auto portion(S const& share, V const& value) {
  auto const nothing = [&] {
    if constexpr (scalar<S>) return share == 0 ? 1.0 : 0.0;
    else return share == 0;
  }();
  return cwise_product(share, select(cwise_product(abs(value) == math::infinity<double>, nothing), 0, value));
}
}  // namespace detail

/// Mean squared error over all entries: mean((prediction - target)²).
template <class P, class Q>
constexpr auto mse(P const& prediction, Q const& target) {
  detail::check_target(prediction, target);
  return mean(square(prediction - target));
}

/// Mean absolute error over all entries; gradient 0 where they agree.
template <class P, class Q>
constexpr auto mae(P const& prediction, Q const& target) {
  detail::check_target(prediction, target);
  return mean(abs(prediction - target));
}

/// Mean over all entries of e²/2 where |e| <= delta, else delta (|e| - delta / 2); e is
/// prediction - target (P. Huber, 1964).
template <class P, class Q>
constexpr auto huber(P const& prediction, Q const& target, double delta = 1) {
  detail::check_target(prediction, target);
  auto const e = prediction - target;
  return mean(select(abs(e) <= delta, 0.5 * square(e), delta * (abs(e) - 0.5 * delta)));
}

/// Mean over all entries of log(cosh(e)), e being prediction - target: log1p(sinh²(e)) / 2 where that is small, |e| +
/// log1p(exp(-2 |e|)) - log(2) beyond, finite wherever e is.
template <class P, class Q>
constexpr auto log_cosh(P const& prediction, Q const& target) {
  detail::check_target(prediction, target);
  auto const e = prediction - target;
  auto const size = abs(e);
  return mean(select(size < 1, 0.5 * log1p(square(sinh(e))), size + log1p(exp(-2 * size)) - 0.69314718055994530942));
}

/// Mean over all entries of max(0, 1 - target score), for targets of -1 and 1.
template <class P, class Q>
constexpr auto hinge(P const& score, Q const& target) {
  detail::check_target(score, target);
  return mean(relu(1 - cwise_product(target, score)));
}

/// Binary cross-entropy of sigmoid(logits): the mean over all entries of target softplus(-x) + (1 -
/// target) softplus(x), for targets from 0 to 1. (There is no form that takes probabilities: it would
/// lose what the logits know near 0 and 1.)
template <class P, class Q>
constexpr auto binary_cross_entropy(P const& logits, Q const& target) {
  detail::check_target(logits, target);
  return mean(detail::portion(target, softplus(-logits)) + detail::portion(1 - target, softplus(logits)));
}

/// Kullback-Leibler divergence of the target from the prediction, averaged over the batch: the sum over classes of
/// target (log(target) - log_prediction), where a target of 0 counts nothing. Both are `[classes, batch]`; the
/// prediction is given as its logarithm.
template <static_handle P, static_handle Q>
constexpr auto kl_divergence(P const& log_prediction, Q const& target) {
  static_assert(P::extent.rank <= 2 && same_extents(P::extent, Q::extent),
                "etch: kl_divergence takes two arrays of shape [classes, batch]");
  return sum(xlogy(target, target) - detail::portion(target, log_prediction)) /
         etch::detail::entries<1>(log_prediction);
}

/// Negative log-likelihood of counts under a Poisson distribution whose rate is given as its logarithm, without the
/// term that depends on the counts alone: the mean over all entries of exp(log_rate) - count log_rate.
template <class P, class Q>
constexpr auto poisson(P const& log_rate, Q const& count) {
  detail::check_target(log_rate, count);
  return mean(exp(log_rate) - detail::portion(count, log_rate));
}

/// 1 - cos of the angle between the columns of a and b, averaged over the batch. The norms' product is at least
/// `epsilon`: a column of zeros has cosine 0.
template <class A, class B>
constexpr auto cosine(A const& a, B const& b, double epsilon = 1e-8) {
  return mean(1 - sum<0>(cwise_product(a, b)) / max(cwise_product(norm<0>(a), norm<0>(b)), epsilon));
}

namespace detail {

/// Whether a target has probabilities in the logits' shape, or a label for each of their columns: in
/// the shape of those, or in one axis.
template <static_handle Logits, static_handle Target>
constexpr bool fits_columns() {
  if (std::is_floating_point_v<typename Target::scalar_type>) return same_extents(Target::extent, Logits::extent);
  bool same = Target::extent.size() * Logits::extent[0] == Logits::extent.size();
  for (int axis = 1; axis < max_rank; ++axis)
    same = same && (Target::extent.rank == 1 || Target::extent[axis - 1] == Logits::extent[axis]);
  return same;
}

/// Labels with an axis for the classes before theirs, of extent 1.
template <static_handle Labels>
constexpr auto behind_classes(Labels const& labels) {
  return [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
    return reshape<1, Labels::extent.dimension(Axis)...>(labels);
  }(std::make_integer_sequence<int, Labels::extent.rank>{});
}

/// -log(softmax(logits)) of each column's label, where `is_label()` is 1.
constexpr auto label_losses(auto const& logits, auto const& is_label) {
  // Shifted by the largest logit, a constant for the gradient because the loss does not change with a shift.
  auto const largest = stop_gradient(max<0>(logits));
  auto const z = logits - select(abs(largest) < math::infinity<double>, largest, 0);
  auto const picked = sum<0>(select(is_label(), z, 0));  // not a product: another class may have the logit -inf
  return log(sum<0>(exp(z))) - picked;
}

/// Logits or probabilities with all axes behind the first as one, and labels with all axes as one.
template <static_handle X>
constexpr auto in_columns(X const& x) {
  if constexpr (std::is_integral_v<typename X::scalar_type>) return reshape<static_cast<int>(X::extent.size())>(x);
  else return reshape<X::extent[0], -1>(x);
}

}  // namespace detail

/// Cross-entropy of softmax(logits) averaged over the batch: -(1/batch) sum over samples of sum(target *
/// log_softmax(logits)). `logits` is `[classes, batch]`; `target` is `[classes, batch]` of probabilities (one-hot or
/// soft), or `[batch]` of integer labels. Further axes, of time say, are more samples.
template <static_handle Logits, static_handle Target>
constexpr auto softmax_cross_entropy(Logits const& logits, Target const& target) {
  constexpr int classes = Logits::extent[0];
  auto const batch = etch::detail::entries<1>(logits);
  using T = typename Logits::scalar_type;
  if constexpr (std::is_floating_point_v<typename Target::scalar_type>) {
    return -sum(detail::portion(target, log_softmax<0>(logits))) / batch;
  } else {
    return sum(detail::label_losses(logits, [&] { return one_hot<classes, T>(target); })) / batch;
  }
}

template <static_handle Logits, static_handle Target>
  requires(Logits::extent.rank > 2)
constexpr auto softmax_cross_entropy(Logits const& logits, Target const& target) {
  if constexpr (!detail::fits_columns<Logits, Target>()) {
    error::target_does_not_fit<Logits, Target>();
    return etch::detail::instead_of<typename Logits::scalar_type, shape{}>(logits);
  } else if constexpr (Logits::extent.counted == 0) {
    return softmax_cross_entropy(detail::in_columns(logits), detail::in_columns(target));
  } else if constexpr (std::is_floating_point_v<typename Target::scalar_type>) {
    return -mean(sum<0>(detail::portion(target, log_softmax<0>(logits))));
  } else {  // axes of which one is counted cannot be joined
    using T = typename Logits::scalar_type;
    return mean(detail::label_losses(logits, [&] {
      auto const row = cast<T>(detail::behind_classes(target));
      return equal_to(etch::detail::positions<T, 0, Logits::extent[0]>(row), row);
    }));
  }
}
template <static_handle Logits, static_handle Target>
  requires(Logits::extent.rank <= 2 && !detail::fits_columns<Logits, Target>())
constexpr auto softmax_cross_entropy(Logits const& logits, Target const&) {
  error::target_does_not_fit<Logits, Target>();
  return etch::detail::instead_of<typename Logits::scalar_type, shape{}>(logits);
}

/// Options of softmax_cross_entropy: `label_smoothing` e replaces a target t by (1 - e) t + e / classes (C.
/// Szegedy et al., CVPR 2016); columns whose integer label is `ignored_label` count nothing.
struct cross_entropy_options {
  double label_smoothing = 0;
  long ignored_label = std::numeric_limits<long>::min();
};

/// The cross entropy with options, and with a weight for each class if `weights`, [classes], are given. The mean is
/// then one over the weights of the columns' own classes, as PyTorch has it; NaN where all columns are ignored.
template <static_handle Logits, static_handle Target, static_handle Weights>
constexpr auto softmax_cross_entropy(Logits const& logits, Target const& target, cross_entropy_options const& options,
                                     Weights const& weights) {
  constexpr int classes = Logits::extent[0], batch = Logits::extent[1];
  static_assert(Logits::extent.rank == 2 || Logits::extent.rank == 1,
                "etch: softmax_cross_entropy takes logits of shape [classes, batch]");
  static_assert(Weights::extent.size() == classes, "etch: softmax_cross_entropy takes one weight for each class");
  using T = typename Logits::scalar_type;
  auto const log_p = log_softmax<0>(logits);
  double const smoothed = options.label_smoothing / classes;
  auto const total = [&](auto const& share) { return -sum(detail::portion(share, log_p)); };
  if constexpr (std::is_floating_point_v<typename Target::scalar_type>) {
    static_assert(
        same_extents(Target::extent, Logits::extent),
        "etch: softmax_cross_entropy takes a target of the logits' shape, or one integer label for each column");
    return total(cwise_product(weights, (1 - options.label_smoothing) * target + smoothed)) /
           etch::detail::entries<1>(logits);
  } else {
    static_assert(Target::extent.size() == batch,
                  "etch: softmax_cross_entropy takes one integer label for each column of the logits");
    auto const labels = reshape<1, batch>(target);
    auto const counts = cast<T>(labels) != static_cast<double>(options.ignored_label);
    auto const own = cwise_product(cwise_product(weights, one_hot<classes, T>(target)), counts);
    auto const all = cwise_product(weights, counts);
    return total((1 - options.label_smoothing) * own + smoothed * all) / sum(own);
  }
}
template <static_handle Logits, static_handle Target, static_handle Weights>
  requires(Logits::extent.rank > 2)
constexpr auto softmax_cross_entropy(Logits const& logits, Target const& target, cross_entropy_options const& options,
                                     Weights const& weights) {
  static_assert(
      detail::fits_columns<Logits, Target>(),
      "etch: softmax_cross_entropy takes a target of the logits' shape, or one integer label for each column");
  return softmax_cross_entropy(detail::in_columns(logits), detail::in_columns(target), options, weights);
}
template <static_handle Logits, static_handle Target>
constexpr auto softmax_cross_entropy(Logits const& logits, Target const& target, cross_entropy_options const& options) {
  return softmax_cross_entropy(logits, target, options, ones<Logits::extent[0]>());
}

}  // namespace nn
ETCH_NAMESPACE_END
