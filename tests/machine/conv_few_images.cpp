#include "machine/conv.hpp"

#include "transform/values.hpp"

using namespace etch;
using values::filled_with;

TEST_CASE("of few images registers hold neighbouring positions") {
  convolutions::check_few_images<double>();
  convolutions::check<float, 37, 7, 1, 1, 5, 5, 1, 1, 2>();
  convolutions::check<float, 11, 6, 3, 3, 3, 2, 5, 1, 1>();
}

TEST_CASE("what is around a convolution of one image lies anywhere: views, an image without a batch, what follows") {
  constexpr int W = 18, H = 11;
  constexpr auto loss = [](auto image, auto kernel, auto bias, auto other) {
    auto const turned = permute<1, 0, 2>(image);  // its first axis is not contiguous
    return sum(square(cwise_product(tanh(conv2d<1, 1>(turned, kernel) + reshape<1, 1, 3>(bias)), reverse<0>(other))));
  };
  auto const image = filled_with<tensor<double, H, W, 2>>(1);
  auto const kernel = filled_with<tensor<double, 3, 3, 2, 3>>(2);
  auto const bias = filled_with<tensor<double, 3>>(3);
  auto const other = filled_with<tensor<double, W, H, 3>>(4);
  auto value = [&](auto const& x, auto const& w, auto const& b, auto const& z) {
    double total = 0;
    for (int o = 0; o < 3; ++o)
      for (int q = 0; q < H; ++q)
        for (int p = 0; p < W; ++p) {
          double y = b(o);
          for (int c = 0; c < 2; ++c)
            for (int j = 0; j < 3; ++j)
              for (int i = 0; i < 3; ++i)
                if (int const u = p + i - 1, v = q + j - 1; u >= 0 && u < W && v >= 0 && v < H)
                  y += x(v, u, c) * w(i, j, c, o);
          y = std::tanh(y) * z(W - 1 - p, q, o);
          total += y * y;
        }
    return total;
  };
  auto step = compile<wrt<0, 1, 2, 3>>(loss, image, kernel, bias, other);
  CHECK(step(image, kernel, bias, other) == doctest::Approx(value(image, kernel, bias, other)).epsilon(1e-12));
  auto const check = [&](auto const& gradient, auto of) {
    for (std::size_t i = 0; i < gradient.size(); i += 7) {
      double const h = 1e-6, slope = (of(i, h) - of(i, -h)) / (2 * h);
      CHECK(gradient[i] == doctest::Approx(slope).epsilon(1e-6));
    }
  };
  auto const moved = [](auto x, std::size_t i, double h) { return x[i] += h, x; };
  check(step.grad<0>(), [&](std::size_t i, double h) { return value(moved(image, i, h), kernel, bias, other); });
  check(step.grad<1>(), [&](std::size_t i, double h) { return value(image, moved(kernel, i, h), bias, other); });
  check(step.grad<2>(), [&](std::size_t i, double h) { return value(image, kernel, moved(bias, i, h), other); });
  check(step.grad<3>(), [&](std::size_t i, double h) { return value(image, kernel, bias, moved(other, i, h)); });
}
