// The function as a lambda on vectors, and its Hessian.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace {

constexpr auto valleys = []<class X>(X const& x) {
  constexpr int n = X::extent[0];
  auto const here = x.template head<n - 1>(), next = x.template tail<n - 1>();
  return sum(100 * square(next - square(here)) + square(1 - here));
};

template <class P>
bench::rival<P> rival() {
  return {"etch", [](typename P::inputs const& x, auto& g) {
            static auto program = etch::compile<etch::wrt<>>(etch::hessian(valleys), x);
            return many_times<P>(g, [&] { return program(x).data(); });
          }};
}
auto const of_ten = rival<rosenbrock<10>>();
auto const of_hundred = rival<rosenbrock<100>>();

}  // namespace
