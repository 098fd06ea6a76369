// The digits network: a training step with softmax cross-entropy, and the sum of squares of SPEED.md.
#include <etch/etch.hpp>

namespace mlp_model {

template <class T>
struct mlp {
  etch::nn::dense<T, 784, 32> hidden;
  etch::nn::dense<T, 32, 10> output;
  ETCH_MEMBERS(mlp, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};

using images = etch::tensor<float, 784, 128>;
using labels = etch::tensor<int, 128>;

constexpr auto loss = [](auto model, auto x, auto y) { return etch::nn::softmax_cross_entropy(model(x), y); };
constexpr auto energy = [](auto model, auto x) { return sum(square(model(x))); };

constinit auto step = etch::compile(loss, mlp<float>{}, images{}, labels{});
constinit auto squares = etch::compile(energy, mlp<float>{}, images{});
constinit etch::optim::sgd<mlp<float>> descent{.learning_rate = 0.1, .momentum = 0.9};

float train(mlp<float>& model, images const& x, labels const& y) {
  float const value = step(model, x, y);
  descent.update(model, step.grad<0>());
  return value;
}
float accumulate(mlp<float> const& model, images const& x, mlp<float>& gradient) {
  return squares(model, x, etch::add_to(gradient));
}

}  // namespace mlp_model
