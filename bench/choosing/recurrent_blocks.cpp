// The recurrent net on a tape, one entry a step.
#include "recurrent.hpp"

namespace choosing {
namespace {

constexpr auto step = [](auto lstm, auto carry, auto x) { return lstm(carry, x); };
constexpr auto cost = [](auto h) { return mean(square(h)); };
recurrent_data<steps> const data;
etch::tape<float> t;
cell gradient;

double compute() {
  t.reset();
  auto const weights = t.watch(data.weights);
  using state = etch::tensor<float, hidden, batch>;
  auto carry = t.constant(std::tuple<state, state>{});
  for (column const& x : data.columns) carry = t.apply(step, weights, carry, x);
  double const value = static_cast<double>(t.backward(t.apply(cost, std::get<0>(carry))));
  gradient = t.grad(weights);
  return value;
}

}  // namespace

form recurrent_blocks() {
  return {"blocks", compute, [](std::vector<double>& to) { append(to, gradient); },
          [] { return static_cast<long long>(t.bytes()); }, [] { return entries_of(t); }};
}

}  // namespace choosing
