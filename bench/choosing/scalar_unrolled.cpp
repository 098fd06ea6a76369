// The scalar loop as a static program without loops: the compiler draws every step.
#include "scalar.hpp"

namespace choosing {
namespace {

constexpr auto loss = [](auto x, auto p) {
  for (int i = 0; i < trips; ++i) x = next(x, p);
  return x;
};
auto program = etch::compile<etch::wrt<0, 1>>(loss, begin, parameter);

}  // namespace

form scalar_unrolled() {
  return {"unrolled", [] { return program(begin, parameter); },
          [](std::vector<double>& to) { to.push_back(program.grad<0>()), to.push_back(program.grad<1>()); },
          [] { return static_cast<long long>(program.facts.workspace_bytes); }, no_entries};
}

}  // namespace choosing
