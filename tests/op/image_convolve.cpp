#include <etch/etch.hpp>

#include "nn/derivatives.hpp"

namespace {

using namespace etch;

TEST_CASE("conv_transpose2d is the adjoint of conv2d") {
  // <conv(x), y> = <x, conv_transpose(y)> for the same kernel, whatever x and y are.
  tensor<double, 8, 8, 4, 2> x;
  tensor<double, 3, 3, 2, 6> w;
  tensor<double, 4, 4, 6, 2> y;
  layers::fill(x, 8);
  layers::fill(w, 9);
  layers::fill(y, 10);
  double const there =
      value_and_grad([](auto a, auto k, auto b) { return sum(cwise_product(conv2d<2, 1, 1, 2>(a, k), b)); })(x, w, y)
          .value;
  double const back = value_and_grad([](auto a, auto k, auto b) {
                        return sum(cwise_product(a, conv_transpose2d<2, 1, 1, 2, 1>(b, k)));
                      })(x, w, y)
                          .value;
  CHECK(back == doctest::Approx(there).epsilon(1e-12));
}

TEST_CASE("means of windows: derivatives, windows that overlap or leave entries out") {
  tensor<double, 5, 4, 2, 2> x;
  layers::fill(x, 11);
  auto step = compile<wrt<>>([](auto in) { return avg_pool<2, 1>(in); }, x);
  auto const y = step(x);
  static_assert(std::is_same_v<decltype(y), tensor<double, 4, 3, 2, 2> const>);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i)
      CHECK(y(i, j, 1, 1) ==
            doctest::Approx((x(i, j, 1, 1) + x(i + 1, j, 1, 1) + x(i, j + 1, 1, 1) + x(i + 1, j + 1, 1, 1)) / 4)
                .epsilon(1e-13));
  layers::check_derivatives(
      wrt<0>{}, [](auto in) { return sum(square(avg_pool<2, 1>(in))) + sum(square(avg_pool<2>(in))); }, x);
}

}  // namespace
