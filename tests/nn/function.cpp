#include <etch/etch.hpp>

#include "nn/derivatives.hpp"

namespace {

using namespace etch;

TEST_CASE("pooling of whole channels") {
  tensor<double, 3, 2, 2, 2> x;
  layers::fill(x, 6);
  auto step = compile<wrt<>>([](auto in) { return nn::global_avg_pool{}(in); }, x);
  auto const y = step(x);
  for (int n = 0; n < 2; ++n)
    for (int c = 0; c < 2; ++c) {
      double sum = 0;
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 3; ++i) sum += x(i, j, c, n);
      CHECK(y(c, n) == doctest::Approx(sum / 6).epsilon(1e-14));
    }
  layers::check_derivatives(wrt<0>{}, [](auto in) { return sum(square(nn::avg_pool<2, 1>{}(in))); }, x);
}

TEST_CASE("activations as layers are the functions of their names; flattening keeps the batch") {
  tensor<double, 2, 2, 1, 3> x;
  layers::fill(x, 7);
  auto step = compile<wrt<>>(
      [](auto in) {
        namespace a = nn::activation;
        auto const y = nn::flatten{}(in);
        static_assert(std::is_same_v<decltype(y), expr<double, 4, 3> const>);
        return sum(square(a::relu{}(y)-relu(y)) + square(a::tanh{}(y)-tanh(y)) + square(a::sigmoid{}(y)-sigmoid(y)) +
                   square(a::gelu{}(y)-gelu(y)) + square(a::silu{}(y)-silu(y)) + square(a::softplus{}(y)-softplus(y)));
      },
      x);
  CHECK(step(x) == 0);
}

namespace elsewhere {
struct number {
  int value;
};
constexpr number tanh(number x) { return {x.value + 1}; }
}  // namespace elsewhere

static_assert(nn::activation::tanh{}(elsewhere::number{3}).value ==
              4);  // a type with functions of its own passes through

}  // namespace
