#include "nn/repeated.hpp"

namespace {

using namespace repetition;

TEST_CASE("transformer blocks") { check_same(transformer<double, 3>{}, tensor<double, 4, 5, 2>{}, 1e-11); }

TEST_CASE("a compiled block on a tape calls the layers one by one") {
  nn::repeated<3, nn::dense<double, 3, 3>> body;
  tensor<double, 3> x;
  layers::fill(body, 12, 0.5), layers::fill(x, 13);
  constexpr auto apply = [](auto b, auto in) { return tanh(b(in)); };
  auto p = compile([](auto b, auto in) { return sum(tanh(through(b.layers, in))); }, body, x);
  double const value = p(body, x);
  tape<double> t;
  auto const b = t.watch(body);
  auto const in = t.constant(x);
  CHECK(laws::distance(t.backward(sum(t.apply(apply, b, in))), value) < 1e-12);
  CHECK(laws::distance(t.grad(b.layers[1].weight)(0, 2), p.grad<0>()[1].weight(0, 2)) < 1e-12);
  CHECK(laws::distance(t.grad(b.layers[2].bias)(1), p.grad<0>()[2].bias(1)) < 1e-12);
}

}  // namespace
