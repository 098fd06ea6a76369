// The recurrent net on a tape of numbers, one entry a statement.
#include "recurrent.hpp"

#include <memory>

namespace choosing {
namespace {

using number = etch::var<float>;
recurrent_data<steps> const data;
etch::tape<float> t;
cell gradient;

/// Weights as numbers on the tape; they lie as those of the cell do, features first.
struct weights_on_tape {
  std::array<number, 4 * hidden * inputs> input;
  std::array<number, 4 * hidden * hidden> recurrent;
  std::array<number, 4 * hidden> bias;
};

void watch(auto& to, auto const& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = t.watch(from.data()[i]);
}
void collect(auto& to, auto const& from) {
  for (std::size_t i = 0; i < from.size(); ++i) to.data()[i] = t.grad(from[i]);
}

double compute() {
  static auto const w = std::make_unique<weights_on_tape>();
  t.reset();
  watch(w->input, data.weights.input_weight), watch(w->recurrent, data.weights.hidden_weight),
      watch(w->bias, data.weights.bias);
  number loss;
  for (int n = 0; n < batch; ++n) {
    std::array<number, hidden> h{}, c{};
    for (column const& x : data.columns) {
      std::array<number, 4 * hidden> gates = w->bias;
      for (std::size_t k = 0; k < inputs; ++k)
        for (std::size_t j = 0; j < gates.size(); ++j)
          gates[j] += w->input[k * gates.size() + j] * x(static_cast<int>(k), n);
      for (std::size_t k = 0; k < hidden; ++k)
        for (std::size_t j = 0; j < gates.size(); ++j) gates[j] += w->recurrent[k * gates.size() + j] * h[k];
      for (std::size_t j = 0; j < hidden; ++j) {
        c[j] = sigmoid(gates[hidden + j]) * c[j] + sigmoid(gates[j]) * tanh(gates[2 * hidden + j]);
        h[j] = sigmoid(gates[3 * hidden + j]) * tanh(c[j]);
      }
    }
    for (number const& each : h) loss += square(each) / float{hidden * batch};
  }
  double const value = static_cast<double>(t.backward(loss));
  collect(gradient.input_weight, w->input), collect(gradient.hidden_weight, w->recurrent),
      collect(gradient.bias, w->bias);
  return value;
}

}  // namespace

form recurrent_scalars() {
  return {"scalars", compute, [](std::vector<double>& to) { append(to, gradient); },
          [] { return static_cast<long long>(t.bytes()); }, [] { return entries_of(t); }};
}

}  // namespace choosing
