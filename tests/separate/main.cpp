// main.cpp: compiles in the time of its own includes.
#include "step.hpp"

#include <cstdio>

int main() {
  alignas(64) float model[model_floats] = {}, gradient[model_floats] = {};
  alignas(64) float x[2 * batch], y[batch];
  for (int n = 0; n < batch; ++n) {
    float const a = static_cast<float>(n % 4), b = static_cast<float>(n / 4);
    x[2 * n] = a, x[2 * n + 1] = b, y[n] = 2 * a - b + 1;
  }
  for (int i = 0; i < 500; ++i) {
    step(model, x, y, gradient);
    for (std::size_t k = 0; k < model_floats; ++k) model[k] -= 0.1f * gradient[k];
  }
  std::printf("slope %.2f %.2f, loss %.4f\n", slope(model)[0], slope(model)[1], step(model, x, y, gradient));
}
