// The scalar loop by repeat.
#include "scalar.hpp"

namespace choosing {
namespace {

constexpr auto loss = [](auto x, auto p) {
  return etch::repeat<trips>([&](auto const& at) { return next(at, p); }, x);
};
auto program = etch::compile<etch::wrt<0, 1>>(loss, begin, parameter);

}  // namespace

form scalar_repeat() {
  return {"repeat", [] { return program(begin, parameter); },
          [](std::vector<double>& to) { to.push_back(program.grad<0>()), to.push_back(program.grad<1>()); },
          [] { return static_cast<long long>(program.facts.workspace_bytes); }, no_entries};
}

}  // namespace choosing
