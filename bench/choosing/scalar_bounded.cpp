// The scalar loop by 60 repetitions of which as many count as an argument says: 50.
#include "scalar.hpp"

namespace choosing {
namespace {

constexpr auto loss = [](auto x, auto p, auto count) {
  auto const step = [&](auto const& carry) {
    auto const& [at, i] = carry;
    return std::tuple(select(i < count, next(at, p), at), i + 1);
  };
  return std::get<0>(etch::repeat<most_trips>(step, std::tuple(x, 0.)));
};
double const count = trips;
auto program = etch::compile<etch::wrt<0, 1>>(loss, begin, parameter, count);

}  // namespace

form scalar_bounded() {
  return {"bounded", [] { return program(begin, parameter, count); },
          [](std::vector<double>& to) { to.push_back(program.grad<0>()), to.push_back(program.grad<1>()); },
          [] { return static_cast<long long>(program.facts.workspace_bytes); }, no_entries};
}

}  // namespace choosing
