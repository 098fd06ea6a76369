// Two LSTM layers over a few time steps, written as a loop; sum of squares of the last layer's states.
#include <etch/etch.hpp>

namespace lstm_model {

constexpr int width = 64, batch = 256, times = 2;

template <class T>
struct layer {
  etch::param<T, 4 * width, width> input, recurrent;
  etch::param<T, 4 * width> bias;
  ETCH_MEMBERS(layer, input, recurrent, bias)

  /// One step: h and c are replaced.
  constexpr void operator()(auto const& x, auto& h, auto& c) const {
    auto const [i, f, g, o] = etch::split<0, 4>(input * x + recurrent * h + bias);
    c = cwise_product(sigmoid(f), c) + cwise_product(sigmoid(i), tanh(g));
    h = cwise_product(sigmoid(o), tanh(c));
  }
};

using states = etch::tensor<float, width, batch>;
using model = std::array<layer<float>, 2>;
using inputs = std::array<states, times>;

constexpr auto loss = [](auto layers, auto xs, auto start) {
  auto h0 = start, c0 = start, h1 = start, c1 = start;
  auto total = sum(start) * 0;
  for (auto const& x : xs) {
    layers[0](x, h0, c0);
    layers[1](h0, h1, c1);
    total += sum(square(h1));
  }
  return total;
};

constinit auto step = etch::compile(loss, model{}, inputs{}, states{});

float gradient(model const& layers, inputs const& xs, states const& start, model& to) { return step(layers, xs, start, etch::into(to)); }

}  // namespace lstm_model
