// A small model on a thread of its own, as many are trained side by side: a network of 33 numbers, a hundred steps.
#include "cores.hpp"

namespace {

template <class T>
struct network {
  etch::nn::dense<T, 2, 8> hidden;
  etch::nn::dense<T, 8, 1> output;
  ETCH_MEMBERS(network, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};
constexpr auto loss = [](auto model, auto x, auto y) { return etch::nn::mse(model(x), y); };

/// Everything that a thread has, on lines of the cache of its own.
struct alignas(128) learner {
  network<float> model;
  etch::optim::sgd<network<float>> sgd;
  etch::tensor<float, 2, 32> x;
  etch::tensor<float, 1, 32> y;
  decltype(etch::compile(loss, model, x, y)) step = etch::compile(loss, model, x, y);

  double train() {
    etch::nn::generator random(1);
    etch::nn::init::glorot_uniform(model, 1);
    sgd = {};
    sgd.learning_rate = 0.1f;
    for (float& each : x) each = static_cast<float>(random.uniform(-1, 1));
    for (int n = 0; n < 32; ++n) y(0, n) = x(0, n) * x(1, n);
    float value = 0;
    for (int i = 0; i < 100; ++i) value = step(model, x, y), sgd.update(model, step.grad<0>());
    return double{value};
  }
};
learner one, beside;

cores::entered const here("small", [] { return one.train(); }, [] { return beside.train(); }, nullptr, nullptr);

}  // namespace
