// The scalar loop on a tape as if it were one of tensors: one entry an operation on one entry.
#include "scalar.hpp"

namespace choosing {
namespace {

using one = etch::tensor<double, 1>;
etch::tape<double> t;
double by_x, by_p;

double compute() {
  t.reset();
  one first, second;
  first(0) = begin, second(0) = parameter;
  auto const x = t.watch(first), p = t.watch(second);
  etch::var<double, 1> at = x;
  for (int i = 0; i < trips; ++i) at = at + 0.02 * cwise_product(sin(at), exp(-cwise_product(p, square(at))));
  double const value = t.backward(at(0));
  by_x = t.grad(x)(0), by_p = t.grad(p)(0);
  return value;
}

}  // namespace

form scalar_tensors() {
  return {"tensors", compute, [](std::vector<double>& to) { to.insert(to.end(), {by_x, by_p}); },
          [] { return static_cast<long long>(t.bytes()); }, [] { return entries_of(t); }};
}

}  // namespace choosing
