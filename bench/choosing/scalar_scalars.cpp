// The scalar loop on a tape of numbers, one entry a statement.
#include "scalar.hpp"

namespace choosing {
namespace {

etch::tape<double> t;
double by_x, by_p;

double compute() {
  t.reset();
  auto const x = t.watch(begin), p = t.watch(parameter);
  etch::var<double> at = x;
  for (int i = 0; i < trips; ++i) at = next(at, p);
  double const value = t.backward(at);
  by_x = t.grad(x), by_p = t.grad(p);
  return value;
}

}  // namespace

form scalar_scalars() {
  return {"scalars", compute, [](std::vector<double>& to) { to.insert(to.end(), {by_x, by_p}); },
          [] { return static_cast<long long>(t.bytes()); }, [] { return entries_of(t); }};
}

}  // namespace choosing
