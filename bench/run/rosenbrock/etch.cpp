// The function as a lambda on vectors, and its Hessian.
#include <etch/etch.hpp>

#include "../sparse_hessian/loss.hpp"
#include "problem.hpp"

namespace {

template <class P>
bench::rival<P> rival() {
  return {"etch", [](typename P::inputs const& x, auto& g) {
            static auto program = etch::compile<etch::wrt<>>(etch::hessian(chain_of_valleys::valleys), x);
            return bench::many_times(P::calls, g, [&] { return program(x).data(); });
          }};
}
auto const of_ten = rival<rosenbrock<10>>();
auto const of_hundred = rival<rosenbrock<100>>();

}  // namespace
