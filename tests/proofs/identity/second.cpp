// Four more losses of the same structure as those of first.cpp.
#include "use.hpp"

namespace {

template <class X>
constexpr auto layer(auto const& l, X const& x) {
  return l.weight * x + l.bias;
}

constexpr auto with_a_function = [](auto m, auto x, auto y) {
  return mean(square(layer(m.output, tanh(layer(m.hidden, x))) - y));
};

constexpr auto reassigned = [](auto m, auto x, auto y) {
  auto y1 = m.hidden.weight * x;
  y1 = y1 + m.hidden.bias;
  y1 = tanh(y1);
  auto y2 = m.output.weight * y1;
  y2 = y2 + m.output.bias;
  y2 -= y;
  return mean(square(y2));
};

constexpr auto in_eigens_words = [](auto m, auto x, auto y) {
  return (m.output(m.hidden(x).array().tanh().matrix()) - y).array().square().mean();
};

constexpr auto in_another_order = [](auto m, auto x, auto y) {
  auto const output = m.output;
  auto const wanted = y;
  auto const hidden = m.hidden;
  auto const first_product = hidden.weight * x;
  auto const states = tanh(first_product + hidden.bias);
  return etch::nn::mse(output(states), wanted);
};

}  // namespace

void use_second(network<float> const& model, inputs const& x, targets const& y) {
  use(with_a_function, model, x, y), use(reassigned, model, x, y), use(in_eigens_words, model, x, y),
      use(in_another_order, model, x, y);
}
