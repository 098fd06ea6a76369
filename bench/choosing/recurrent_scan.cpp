// The recurrent net by scan.
#include "recurrent.hpp"

namespace choosing {
namespace {

constexpr auto loss = [](auto lstm, auto xs) {
  auto const none = etch::zeros<hidden, batch>();
  return mean(square(std::get<0>(etch::nn::unroll(lstm, std::tuple(none, none), xs).carry)));
};
recurrent_data<steps> const data;
auto program = etch::compile(loss, data.weights, data.sequence);

}  // namespace

form recurrent_scan() {
  return {"scan", [] { return static_cast<double>(program(data.weights, data.sequence)); },
          [](std::vector<double>& to) { append(to, program.grad<0>()); },
          [] { return static_cast<long long>(program.facts.workspace_bytes); }, no_entries};
}

}  // namespace choosing
