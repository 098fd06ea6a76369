// A first program: a curve through points, by the gradient of its squared error.
#include <etch/etch.hpp>

#include <cmath>
#include <cstdio>

// The parameters: T is a number's type where they are values, and a traced value where the compiler looks at the loss.
template <class T>
struct curve {
  etch::param<T, 4> height, place;
  ETCH_MEMBERS(curve, height, place)

  constexpr auto operator()(auto x) const { return dot(height, exp(-square(x - place))); }
};

constexpr auto loss = [](auto model, auto xs, auto ys) {
  return etch::sum_map([&](auto x, auto y) { return square(model(x) - y); }, xs, ys);
};

int main() {
  curve<double> model{{1, 1, 1, 1}, {-2, -1, 1, 2}};
  etch::tensor<double, 64> xs, ys;
  for (int i = 0; i < 64; ++i) xs(i) = -4 + i / 8.0, ys(i) = std::sin(xs(i));

  static auto step = etch::compile<etch::wrt<0>>(loss, model, xs, ys);
  etch::optim::adam<curve<double>> descent{.learning_rate = 0.05};
  for (int i = 0; i <= 2000; ++i) {
    double const error = step(model, xs, ys);
    if (i % 500 == 0) std::printf("step %4d: squared error %.6f\n", i, error);
    descent.update(model, step.grad<0>());
  }
  std::printf("a gradient takes %ld operations and %ld bytes of workspace\n", long{step.facts.flops},
              long{step.facts.workspace_bytes});
}
