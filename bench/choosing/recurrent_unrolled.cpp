// The recurrent net as a static program without loops: the compiler draws every step.
#include "recurrent.hpp"

namespace choosing {
namespace {

constexpr auto loss = [](auto lstm, auto xs) {
  auto carry = lstm(std::tuple(etch::zeros<hidden, batch>(), etch::zeros<hidden, batch>()), xs[0]);
  for (std::size_t i = 1; i < xs.size(); ++i) carry = lstm(carry, xs[i]);
  return mean(square(std::get<0>(carry)));
};
recurrent_data<steps> const data;
auto program = etch::compile(loss, data.weights, data.columns);

}  // namespace

form recurrent_unrolled() {
  return {"unrolled", [] { return static_cast<double>(program(data.weights, data.columns)); },
          [](std::vector<double>& to) { append(to, program.grad<0>()); },
          [] { return static_cast<long long>(program.facts.workspace_bytes); }, no_entries};
}

}  // namespace choosing
