// Two LSTM layers over 16 steps; sum of squares of the last layer's states.
#include <etch/etch.hpp>

namespace lstm_model {

constexpr int width = 64, batch = 256, steps = 16;

template <class T>
struct layer {
  etch::param<T, 4 * width, width> input, recurrent;
  etch::param<T, 4 * width> bias;
  ETCH_MEMBERS(layer, input, recurrent, bias)

  /// The state (h, c) after input `x`.
  constexpr auto operator()(auto const& x, auto const& state) const {
    auto const [h, c] = state;
    auto const [i, f, g, o] = etch::split<0, 4>(input * x + recurrent * h + bias);
    auto const next = cwise_product(sigmoid(f), c) + cwise_product(sigmoid(i), tanh(g));
    return std::tuple{cwise_product(sigmoid(o), tanh(next)), next};
  }
};

using model = std::array<layer<float>, 2>;
using series = etch::tensor<float, width, batch, steps>;

constexpr auto loss = [](auto layers, auto xs) {
  auto const zero = std::tuple{etch::zeros<width, batch>(), etch::zeros<width, batch>()};
  auto const states = etch::scan(
      [&](auto carry, auto x) {
        auto const first = layers[0](x, std::get<0>(carry));
        auto const second = layers[1](std::get<0>(first), std::get<1>(carry));
        return etch::step{std::tuple{first, second}, std::get<0>(second)};
      },
      std::tuple{zero, zero}, xs);
  return sum(square(states.y));
};

constinit auto step = etch::compile(loss, model{}, series{});

float gradient(model const& layers, series const& xs, model& to) { return step(layers, xs, etch::into(to)); }

}  // namespace lstm_model
