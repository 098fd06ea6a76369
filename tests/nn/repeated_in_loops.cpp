#include "nn/repeated.hpp"

namespace {

using namespace repetition;

TEST_CASE("equal layers of equal layers are loops in a loop") {
  check_same(nested<double, 4>{}, tensor<double, 5, 3>{}, 1e-12);
}

TEST_CASE("an argument by itself, in an array, within another loop and behind jvp") {
  nn::repeated<3, nn::dense<double, 3, 3>> body;
  std::array<nn::repeated<3, nn::dense<double, 3, 3>>, 2> two;
  tensor<double, 3> x;
  layers::fill(body, 9, 0.5), layers::fill(two, 10, 0.5), layers::fill(x, 11);
  auto p = compile([](auto b, auto in) { return sum(sin(b(in))); }, body, x);
  auto q = compile([](auto b, auto in) { return sum(sin(through(b.layers, in))); }, body, x);
  CHECK(laws::distance(p(body, x), q(body, x)) < 1e-12);
  CHECK(apart(p.grad<0>(), q.grad<0>()) < 1e-12);
  layers::check_derivatives(wrt<0, 1>{}, [](auto b, auto in) { return sum(sin(b[1](b[0](tanh(b[0](in)))))); }, two, x);
  constexpr auto cell = [](auto b, auto in) {
    return sum(sin(etch::repeat<4>([&](auto const& h) { return tanh(b(h)); }, in)));
  };
  layers::check_derivatives(wrt<0, 1>{}, cell, body, x);
  constexpr auto slope = [](auto b, auto in, auto v) {
    return std::get<1>(jvp([](auto i, auto m) { return sum(sin(m(i))); })(in, b, v, 0.0 * b));
  };
  layers::check_derivatives(wrt<0, 1>{}, slope, body, x, tensor<double, 3>{1, -1, 0.5});
}

}  // namespace
