// The convolutional network, its batch of 128 in two.
#include "cores.hpp"

#include "../lenet/loss.hpp"
#include "../lenet/problem.hpp"

namespace {

using all = etch::wrt<0, 1, 2, 3, 4, 5, 6, 7, 8, 9>;
lenet::inputs const in = [] {
  lenet::inputs made;
  lenet::fill(made);
  return made;
}();
auto with_arguments(auto const& f) {
  lenet::parameters const& m = in.model;
  return f(m.k1, m.c1, m.k2, m.c2, m.w1, m.b1, m.w2, m.b2, m.w3, m.b3, in.x);
}
using step_type = decltype(with_arguments([](auto const&... a) { return etch::compile<all>(lenet_loss, a...); }));
using shared_type = decltype(etch::parallel<2>(step_type{}));
constinit step_type step{};
constinit step_type beside{};
constinit shared_type shared{};

cores::entered const here(
    "lenet", [] { return double{with_arguments([](auto const&... a) { return step(a...); })}; },
    [] { return double{with_arguments([](auto const&... a) { return beside(a...); })}; },
    [] { return double{with_arguments([](auto const&... a) { return shared(a...); })}; },
    [] { return cores::distance(step.grad<0>(), shared.grad<0>()); });

}  // namespace
