#include <etch/etch.hpp>

#include "manifold/elements.hpp"

using namespace elements;
using namespace etch::manifold;

namespace {
using T3 = tensor<double, 3>;
constexpr auto misfit = [](auto const& model, auto const& p, auto const& q) {
  auto const& [turn, scale] = model;
  return sum(square(scale * act(turn, p) - q));
};
template <template <class> class Optimiser>
double fitted(double rate, int steps) {
  using model = std::tuple<so3<double>, double>;
  T3 const p{1, 2, 3};
  auto const turn = so3<double>::exp(T3{0.5, -0.4, 0.3});
  T3 const turned = act(turn, p);
  T3 const q{2 * turned(0), 2 * turned(1), 2 * turned(2)};
  model m{so3<double>(), 1.0};
  Optimiser<model> o;
  o.learning_rate = rate;
  auto step = compile<wrt<0>>(misfit, m, p, q);
  for (int i = 0; i < steps; ++i) {
    step(m, p, q);
    o.update(m, step.grad<0>());
  }
  auto const& r = std::get<0>(m);
  CHECK(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w == doctest::Approx(1).epsilon(1e-9));
  CHECK(std::get<1>(m) == doctest::Approx(2).epsilon(0.05));
  return step(m, p, q);
}
}  // namespace

TEST_CASE("optimisers step along tangent vectors and stay on the manifold") {
  CHECK(fitted<optim::sgd>(0.005, 400) < 1e-12);
  CHECK(fitted<optim::adam>(0.05, 600) < 1e-6);
  CHECK(fitted<optim::adamw>(0.02, 600) < 1e-1);
  CHECK(fitted<optim::rmsprop>(0.005, 1000) < 1e-2);
  CHECK(fitted<optim::adagrad>(0.3, 1000) < 1e-4);
  CHECK(fitted<optim::lion>(0.002, 2000) < 1e-2);
}
