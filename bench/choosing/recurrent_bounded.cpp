// The recurrent net by a scan of 24 steps of which as many count as an argument says: 20.
#include "recurrent.hpp"

namespace choosing {
namespace {

constexpr auto loss = [](auto lstm, auto xs, auto length) {
  auto const step = [=](auto const& carry, auto const& x) {
    auto const& [h, c, i] = carry;
    auto const [next_h, next_c] = lstm(std::tuple(h, c), x);
    auto const counts = i < length;
    return std::tuple(select(counts, next_h, h), select(counts, next_c, c), i + 1);
  };
  auto const none = etch::zeros<hidden, batch>();
  return mean(square(std::get<0>(etch::scan(step, std::tuple(none, none, 0.f), xs))));
};
recurrent_data<most_steps> const data;
float const length = steps;
auto program = etch::compile(loss, data.weights, data.sequence, length);

}  // namespace

form recurrent_bounded() {
  return {"bounded", [] { return static_cast<double>(program(data.weights, data.sequence, length)); },
          [](std::vector<double>& to) { append(to, program.grad<0>()); },
          [] { return static_cast<long long>(program.facts.workspace_bytes); }, no_entries};
}

}  // namespace choosing
