// layer_norm, rms_norm, batch_norm: layers that bring what they are given to unit variance.
#pragma once

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// gain (x - mean) / sqrt(var + epsilon) + bias, mean and variance along the first axis: for x of shape `[N]`, `[N,
/// batch]` or with more axes (J. Ba, J. Kiros, G. Hinton, Layer normalization, 2016).
template <class T, int N>
struct layer_norm {
  param<T, N> gain;
  param<T, N> bias;
  ETCH_MEMBERS(layer_norm, gain, bias)

  static constexpr double epsilon = 1e-5;

  constexpr auto operator()(auto const& x) const {
    auto const z = x - mean<0>(x);
    return cwise_product(gain, z / sqrt(mean<0>(square(z)) + epsilon)) + bias;
  }
  constexpr void initialise(auto const&) {
    for (auto& each : gain) each = 1;
    for (auto& each : bias) each = 0;
  }
};

/// gain x / sqrt(mean(x²) + epsilon), the mean along the first axis (B. Zhang, R. Sennrich, Root mean
/// square layer normalization, 2019).
template <class T, int N>
struct rms_norm {
  param<T, N> gain;
  ETCH_MEMBERS(rms_norm, gain)

  static constexpr double epsilon = 1e-6;

  constexpr auto operator()(auto const& x) const { return cwise_product(gain, x / sqrt(mean<0>(square(x)) + epsilon)); }
  constexpr void initialise(auto const&) {
    for (auto& each : gain) each = 1;
  }
};

/// Mean and variance of every channel over the batches seen so far: the explicit state of `batch_norm`, an
/// argument of the loss beside the model. Its "gradient" after a call in training are the mean and the variance
/// of that batch, which `update` takes in.
template <class T, int Channels>
struct batch_statistics {
  param<T, Channels> mean;
  param<T, Channels> variance;
  ETCH_MEMBERS(batch_statistics, mean, variance)

  constexpr void initialise(auto const&) {
    for (auto& each : mean) each = 0;
    for (auto& each : variance) each = 1;
  }
  /// running += momentum (of_batch - running), the variance of a batch of `count` values for each channel taken as of a
  /// sample (count / (count - 1) times that of the batch), as PyTorch has it.
  constexpr void update(batch_statistics const& of_batch, long count, double momentum = 0.1) {
    T const share = static_cast<T>(momentum);
    T const correction = count > 1 ? static_cast<T>(static_cast<double>(count) / static_cast<double>(count - 1)) : T(1);
    for (std::size_t i = 0; i < Channels; ++i) {
      mean.data()[i] += share * (of_batch.mean.data()[i] - mean.data()[i]);
      variance.data()[i] += share * (correction * of_batch.variance.data()[i] - variance.data()[i]);
    }
  }
};

namespace detail {

/// 0 * y for a y that is finite, with gradient `value` for `into`: a way for a loss to hand out a value beside its own.
template <class Into, class Value>
constexpr auto handed_out(Into const& into, Value const& value) {
  return sum(cwise_product(into - stop_gradient(into), stop_gradient(value)));
}

}  // namespace detail

/// gain (x - mean) / sqrt(var + epsilon) + bias, mean and variance over all samples (and positions) of a channel: for x
/// of shape `[Channels, batch]`, sequences `[length, Channels, batch]` or images `[width, height, Channels, batch]` (S.
/// Ioffe, C. Szegedy, Batch normalization, ICML 2015).
///
/// `layer(x, running)` is for inference: with the running statistics. `layer.train(x)` normalises by the batch
/// itself; its `report(x, running)`, to be added to the loss, is 0 and makes the gradient with respect to
/// `running` the batch's mean and variance.
template <class T, int Channels>
struct batch_norm {
  param<T, Channels> gain;
  param<T, Channels> bias;
  ETCH_MEMBERS(batch_norm, gain, bias)

  static constexpr double epsilon = 1e-5;

  template <class Running>
    requires requires(Running const& r) { r.mean, r.variance; }
  constexpr auto operator()(auto const& x, Running const& running) const {
    constexpr int rank = std::remove_cvref_t<decltype(x)>::extent.rank;
    return scaled<rank>(x, in_place<rank>(running.mean), in_place<rank>(running.variance));
  }
  constexpr auto train(auto const& x) const {
    constexpr int rank = std::remove_cvref_t<decltype(x)>::extent.rank;
    return scaled<rank>(x, mean_of<rank>(x), variance_of<rank>(x));
  }
  constexpr auto report(auto const& x, auto const& running) const {
    constexpr int rank = std::remove_cvref_t<decltype(x)>::extent.rank;
    return detail::handed_out(running.mean, reshape<Channels>(mean_of<rank>(x))) +
           detail::handed_out(running.variance, reshape<Channels>(variance_of<rank>(x)));
  }
  constexpr void initialise(auto const&) {
    for (auto& each : gain) each = 1;
    for (auto& each : bias) each = 0;
  }

 private:
  /// A value for each channel, where channels lie in x.
  template <int Rank>
  static constexpr auto in_place(auto const& v) {
    if constexpr (Rank == 4) return reshape<1, 1, Channels>(v);
    else if constexpr (Rank == 3) return reshape<1, Channels>(v);
    else return v;
  }
  template <int Rank>
  static constexpr auto mean_of(auto const& x) {
    if constexpr (Rank == 4) return mean<0, 1, 3>(x);
    else if constexpr (Rank == 3) return mean<0, 2>(x);
    else return mean<1>(x);
  }
  template <int Rank>
  static constexpr auto variance_of(auto const& x) {
    return mean_of<Rank>(square(x - mean_of<Rank>(x)));
  }
  template <int Rank>
  constexpr auto scaled(auto const& x, auto const& center, auto const& variance) const {
    return cwise_product(in_place<Rank>(gain), (x - center) / sqrt(variance + epsilon)) + in_place<Rank>(bias);
  }
};

}  // namespace nn
ETCH_NAMESPACE_END
