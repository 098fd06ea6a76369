// The recurrent net on a tape, one entry an operation on tensors.
#include "recurrent.hpp"

namespace choosing {
namespace {

recurrent_data<steps> const data;
etch::tape<float> t;
cell gradient;

double compute() {
  t.reset();
  auto const weights = t.watch(data.weights);
  using state = etch::tensor<float, hidden, batch>;
  auto carry = t.constant(std::tuple<state, state>{});
  for (column const& x : data.columns) carry = weights(carry, t.constant(x));
  double const value = static_cast<double>(t.backward(mean(square(std::get<0>(carry)))));
  gradient = t.grad(weights);
  return value;
}

}  // namespace

form recurrent_tensors() {
  return {"tensors", compute, [](std::vector<double>& to) { append(to, gradient); },
          [] { return static_cast<long long>(t.bytes()); }, [] { return entries_of(t); }};
}

}  // namespace choosing
