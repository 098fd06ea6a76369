// Two GRU layers over 16 steps; sum of squares of the last layer's states.
#include <etch/etch.hpp>

namespace gru_model {

constexpr int width = 64, batch = 256, steps = 16;

template <class T>
struct cell {
  etch::param<T, 3 * width, width> input, recurrent;
  etch::param<T, 3 * width> input_bias, recurrent_bias;
  ETCH_MEMBERS(cell, input, recurrent, input_bias, recurrent_bias)

  constexpr auto operator()(auto const& x, auto const& h) const {
    auto const [xr, xz, xn] = etch::split<0, 3>(input * x + input_bias);
    auto const [hr, hz, hn] = etch::split<0, 3>(recurrent * h + recurrent_bias);
    auto const z = sigmoid(xz + hz);
    return cwise_product(1 - z, tanh(xn + cwise_product(sigmoid(xr + hr), hn))) + cwise_product(z, h);
  }
};

using model = std::array<cell<float>, 2>;
using series = etch::tensor<float, width, batch, steps>;

constexpr auto loss = [](auto layers, auto xs) {
  auto const states = etch::scan(
      [&](auto carry, auto x) {
        auto const first = layers[0](x, carry[0]), second = layers[1](first, carry[1]);
        return etch::step{std::array{first, second}, second};
      },
      std::array{etch::zeros<width, batch>(), etch::zeros<width, batch>()}, xs, etch::keep_carries);
  return sum(square(states.y));
};

constinit auto step = etch::compile(loss, model{}, series{});

float gradient(model const& layers, series const& xs, model& to) { return step(layers, xs, etch::into(to)); }

}  // namespace gru_model
