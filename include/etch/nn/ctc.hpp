// ctc: the loss of a sequence of labels that may stand anywhere, in this order, in a longer sequence of predictions.
#pragma once

#include <etch/op/constants.hpp>
#include <etch/op/table.hpp>
#include <etch/transform/map.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN
namespace nn {

namespace detail {

/// The logarithm of probability 0.
inline constexpr double never = -math::infinity<double>;

/// log_p, of shape `[classes, batch, time]`, of each sample's own labels `[length, batch]`: `[length, batch, time]`.
template <static_handle LogP, static_handle Labels>
constexpr auto of_labels(LogP const& log_p, Labels const& labels) {
  auto const pick = [](auto const& sample) { return gather<0>(std::get<0>(sample), std::get<1>(sample)); };
  return permute<0, 2, 1>(map(pick, std::tuple{permute<0, 2, 1>(log_p), labels}));
}

/// 1 where a label differs from the one before it, which then may follow without a blank between: `[length, batch]`.
template <class T, static_handle Labels>
constexpr auto differs_from_last(Labels const& labels) {
  constexpr int length = Labels::extent[0], batch = Labels::extent[1];
  auto const l = cast<T>(labels);
  if constexpr (length == 1) return l != l;
  else return concat<0>(zeros<1, batch>(), slice<0, 1, length - 1>(l) != slice<0, 0, length - 1>(l));
}

}  // namespace detail

/// Connectionist temporal classification: minus the logarithm of the probability that predictions, with repeated ones
/// merged and blanks left out then, spell the labels; the mean over the batch (A. Graves et al., ICML 2006). Infinite,
/// with gradient 0 from that sample, where they cannot.
///   logits  `[classes, batch, time]`, before the softmax; class `Blank` is the blank
///   labels  integers `[length, batch]`, of which sample b has the first `counts(b)`; those behind them are classes
///   too, and count nothing steps   integers `[batch]`: sample b has the first `steps(b)` predictions
template <int Blank = 0, static_handle Logits, static_handle Labels, static_handle Steps, static_handle Counts>
constexpr auto ctc(Logits const& logits, Labels const& labels, Steps const& steps, Counts const& counts) {
  constexpr int batch = Logits::extent[1], time = Logits::extent[2], length = Labels::extent[0];
  static_assert(
      Logits::extent.rank == 3 && Labels::extent.rank == 2 && Labels::extent[1] == batch &&
          Steps::extent.size() == batch && Counts::extent.size() == batch,
      "etch: ctc takes logits [classes, batch, time], labels [length, batch], steps [batch] and counts [batch]");
  using T = typename Logits::scalar_type;
  auto const log_p = log_softmax<0>(logits);
  auto const may_follow = detail::differs_from_last<T>(labels);
  // blank[k] and label[k]: the logarithms of the probabilities that label k, or the blank before
  // it, is the last that has been read.
  auto const read = [&](auto const& carry, auto const& now) {
    auto const& [blank, label] = carry;
    auto const& [p_blank, p_label, there] = now;
    auto const last = concat<0>(full<1, batch>(detail::never), label);
    auto const before = slice<0, 0, length>(last);
    auto const next_blank = p_blank + logaddexp(blank, last);
    auto const next_label =
        p_label + logaddexp(logaddexp(label, slice<0, 0, length>(blank)), select(may_follow, before, detail::never));
    return std::tuple{select(there, next_blank, blank), select(there, next_label, label)};
  };
  // Before the first prediction only the first blank has been read.
  auto const first =
      broadcast<length + 1, batch>(select(etch::detail::positions<T, 0, length + 1>(log_p) == 0, 0.0, detail::never));
  auto const there = etch::detail::positions<T, 2, time>(log_p) < cast<T>(reshape<1, batch>(steps));
  auto const [blank, label] = scan(read, std::tuple{first, full<length, batch>(detail::never)},
                                   std::tuple{slice<0, Blank, 1>(log_p), detail::of_labels(log_p, labels), there});
  // At the end the last label has been read, or the blank behind it.
  auto const last = one_hot<length + 1, T>(counts);
  auto const end =
      concat<0>(select(last, blank, detail::never), select(slice<0, 1, length>(last), label, detail::never));
  return -mean(logsumexp<0>(end));
}

}  // namespace nn
ETCH_NAMESPACE_END
