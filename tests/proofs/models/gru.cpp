// A GRU cell, differentiated with respect to its parameters and its state.
#include <etch/etch.hpp>

namespace gru_model {

constexpr int width = 64, batch = 256;

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

using states = etch::tensor<float, width, batch>;

constexpr auto loss = [](auto model, auto x, auto h) { return sum(square(model(x, h))); };

constinit auto step = etch::compile<etch::wrt<0, 2>>(loss, cell<float>{}, states{}, states{});

float gradient(cell<float> const& model, states const& x, states const& h, cell<float>& to, states& to_state) {
  return step(model, x, h, etch::into(to, to_state));
}

}  // namespace gru_model
