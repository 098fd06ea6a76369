// Losses of one structure. With -DREVERSED they are used, hence instantiated, in the opposite order.
#include "use.hpp"

constexpr auto mean_squared_error = [](auto model, auto x, auto y) {
  return etch::nn::mse(model.output(tanh(model.hidden(x))), y);
};

constexpr auto with_names = [](auto net, auto batch, auto wanted) {
  auto const activation = tanh(net.hidden(batch));
  auto const prediction = net.output(activation);
  auto const difference = prediction - wanted;
  return mean(square(difference));
};

struct function_object {
  constexpr auto operator()(auto const& net, auto const& x, auto const& y) const {
    auto h = net.hidden.weight * x;
    h += net.hidden.bias;
    return mean(square(net.output.weight * tanh(h) + net.output.bias - y));
  }
};

constexpr auto with_leftovers = [](auto net, auto x, auto y) {
  auto const norm = etch::sum(square(net.hidden.weight));
  auto const never_used = exp(norm * y);
  static_cast<void>(never_used);
  return etch::nn::mse(net.output(tanh(net.hidden(x))), y);
};

void use_first(network<float> const& model, inputs const& x, targets const& y) {
#if defined(REVERSED)
  use(with_leftovers, model, x, y), use(function_object{}, model, x, y), use(with_names, model, x, y),
      use(mean_squared_error, model, x, y);
#else
  use(mean_squared_error, model, x, y), use(with_names, model, x, y), use(function_object{}, model, x, y),
      use(with_leftovers, model, x, y);
#endif
}
