// networks: two losses whose memory is worth a look: the digits network, and an LSTM of two layers over 16 steps.
#pragma once

#include <etch/etch.hpp>

#include <tuple>
#include <utility>

namespace networks {

/// 784 pixels, tanh of 32, 10 classes.
template <class T>
struct mlp {
  etch::nn::dense<T, 784, 32> hidden;
  etch::nn::dense<T, 32, 10> output;
  ETCH_MEMBERS(mlp, hidden, output)

  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};

inline constexpr auto mlp_loss = [](auto model, auto x, auto labels) {
  return etch::nn::softmax_cross_entropy(model(x), labels);
};

/// One step: the four gates from input and state, stacked.
template <class T, int In, int Hidden>
struct lstm_cell {
  etch::param<T, 4 * Hidden, In> from_input;
  etch::param<T, 4 * Hidden, Hidden> from_state;
  etch::param<T, 4 * Hidden> bias;
  ETCH_MEMBERS(lstm_cell, from_input, from_state, bias)

  /// The next state and memory.
  constexpr auto operator()(auto x, auto state, auto memory) const {
    auto const [in, forget, candidate, out] = etch::split<0, 4>(from_input * x + from_state * state + bias);
    auto const kept = cwise_product(sigmoid(forget), memory);
    auto const next = kept + cwise_product(sigmoid(in), tanh(candidate));
    return std::tuple{cwise_product(sigmoid(out), tanh(next)), next};
  }
};

inline constexpr int hidden = 64, batch = 256, steps = 16;

template <class T>
struct lstm {
  lstm_cell<T, hidden, hidden> lower, upper;
  ETCH_MEMBERS(lstm, lower, upper)
};

/// The sum of squares of the upper layer's states at all steps; state and memory start at zero.
inline constexpr auto lstm_loss = [](auto model, auto xs) {
  auto const zero = etch::zeros<hidden, batch>();
  auto const states = etch::scan(
      [&](auto carry, auto x) {
        auto const [a, b] = carry;
        auto const lower = model.lower(x, std::get<0>(a), std::get<1>(a));
        auto const upper = model.upper(std::get<0>(lower), std::get<0>(b), std::get<1>(b));
        return etch::step{std::tuple{lower, upper}, std::get<0>(upper)};
      },
      std::tuple{std::tuple{zero, zero}, std::tuple{zero, zero}}, xs);
  return sum(square(states.y));
};

using images = etch::tensor<float, 784, 128>;
using labels = etch::tensor<int, 128>;
using sequence = etch::tensor<float, hidden, batch, steps>;

using mlp_program =
    decltype(etch::compile(mlp_loss, std::declval<mlp<float>>(), std::declval<images>(), std::declval<labels>()));
using lstm_program = decltype(etch::compile(lstm_loss, std::declval<lstm<float>>(), std::declval<sequence>()));

}  // namespace networks
