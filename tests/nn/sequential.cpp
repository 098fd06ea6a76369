#include <etch/etch.hpp>

#include "nn/derivatives.hpp"

namespace {

using namespace etch;

template <class T>
using small = nn::sequential<T, nn::conv2d<T, 1, 2, 3>, nn::activation::tanh, nn::avg_pool<2>, nn::flatten,
                             nn::dense<T, 2 * 2 * 2, 3>, nn::function<[](auto x) { return 2 * x; }>>;

TEST_CASE("layers run one after the other, those without parameters too") {
  small<double> net;
  tensor<double, 6, 6, 1, 2> x;
  layers::fill(net, 1);
  layers::fill(x, 2);
  auto together = compile<wrt<>>([](auto n, auto in) { return n(in); }, net, x);
  auto apart = compile<wrt<>>(
      [](auto n, auto in) {
        return 2 * n.template get<4>()(reshape<8, 2>(avg_pool<2>(tanh(n.template get<0>()(in)))));
      },
      net, x);
  static_assert(same_program<decltype(together), decltype(apart)>);
  CHECK(together(net, x) == apart(net, x));
  layers::check_derivatives(wrt<0, 1>{}, [](auto n, auto in) { return sum(square(n(in))); }, net, x);
}

TEST_CASE("initialisation finds the layers within") {
  small<float> net;
  nn::init::he_uniform(net, 3);
  for (float w : net.get<0>().kernel) CHECK(w != 0);
  for (float w : net.get<4>().weight) CHECK(w != 0);
  CHECK(net.get<4>().bias == tensor<float, 3>{});
}

TEST_CASE("a residual layer adds what it is given; one layer used twice gets both gradients") {
  nn::residual<double, nn::dense<double, 3, 3>> layer;
  tensor<double, 3, 2> x;
  layers::fill(layer, 4);
  layers::fill(x, 5);
  auto step = compile<wrt<>>([](auto l, auto in) { return l(in) - in - l.layer(in); }, layer, x);
  for (double e : step(layer, x)) CHECK(std::abs(e) < 1e-15);
  layers::check_derivatives(wrt<0, 1>{}, [](auto l, auto in) { return sum(square(l(tanh(l(in))))); }, layer, x);
}

}  // namespace
