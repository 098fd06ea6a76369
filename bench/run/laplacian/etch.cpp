// One pass forward at each point; reverse mode twice; and gradients, point by point and of all at once.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace laplacian_problem {

namespace {

constexpr auto of_point = [](auto u) { return [u](auto x) { return sum(u(x)); }; };
constexpr auto laplacians = [](auto u, auto points) { return etch::map(etch::laplacian(of_point(u)), points); };
/// The trace of the gradient's Jacobian, each entry by reverse mode.
constexpr auto nested = [](auto u, auto points) {
  return etch::map(
      [&](auto at) {
        return etch::grad([&](auto x) { return etch::grad(of_point(u))(x)(0); })(at)(0) +
               etch::grad([&](auto x) { return etch::grad(of_point(u))(x)(1); })(at)(1);
      },
      points);
};
constexpr auto gradients = [](auto u, auto points) { return etch::map(etch::grad(of_point(u)), points); };
constexpr auto at_once = [](auto u, auto points) { return etch::grad([&](auto x) { return sum(u(x)); })(points); };

template <class F, int Rows>
double run(data const& d, at_points<Rows>& g) {
  static auto program = etch::compile<etch::wrt<>>(F{}, d.u, d.x);
  g.entries = program(d.u, d.x).data();
  return g.entries[0];
}

}  // namespace

rival const here{"etch", [](data const& d, auto& g) { return run<decltype(laplacians)>(d, g); }};
rival const by_reverse_mode{"etch nested grad", [](data const& d, auto& g) { return run<decltype(nested)>(d, g); }};
gradient_rival const gradient{"etch", [](data const& d, auto& g) { return run<decltype(gradients)>(d, g); }};
gradient_rival const all{"etch all at once", [](data const& d, auto& g) { return run<decltype(at_once)>(d, g); }};

}  // namespace laplacian_problem
