// Two layers of LSTM, their batch of 256 in two: the batch is the last axis of the sequence, as a worker's block needs
// it.
#include "cores.hpp"

#include "../lstm/loss.hpp"
#include "../lstm/problem.hpp"

namespace {

constexpr auto loss = [](auto layers, auto xs) {
  return lstm_loss::loss<lstm::batch>(layers, etch::permute<0, 2, 1>(xs));
};
using series = etch::tensor<float, lstm::width, lstm::steps, lstm::batch>;
constinit auto step = etch::compile(loss, lstm::model{}, series{});
constinit decltype(step) beside{};
constinit auto shared = etch::parallel<2>(etch::compile(loss, lstm::model{}, series{}));
struct inputs {
  lstm::inputs problem;
  series x;
  inputs() {
    lstm::fill(problem);
    for (int n = 0; n < lstm::batch; ++n)
      for (int t = 0; t < lstm::steps; ++t)
        for (int i = 0; i < lstm::width; ++i) x(i, t, n) = problem.x(i, n, t);
  }
};
inputs const in;

cores::entered const here(
    "lstm", [] { return double{step(in.problem.weights, in.x)}; },
    [] { return double{beside(in.problem.weights, in.x)}; }, [] { return double{shared(in.problem.weights, in.x)}; },
    [] { return cores::distance(step.grad<0>(), shared.grad<0>()); });

}  // namespace
