#include "optim/recurrence.hpp"

#include <array>

namespace {

using namespace etch;

using recurrence::mixed;

constexpr std::array gradients{1.0, -2.0, 3.0, 0.5};

// Four steps from w = 1 with learning rate 1/2 on the gradients above, by PyTorch's recurrence in exact fractions.
struct recurrence {
  char const* name;
  double momentum, weight_decay;
  bool nesterov;
  std::array<double, 4> weights;
};
constexpr recurrence recurrences[] = {
    {"plain", 0, 0, false, {0.5, 1.5, 0, -0.25}},
    {"momentum", 0.5, 0, false, {0.5, 1.25, 0.125, -0.6875}},
    {"Nesterov", 0.5, 0, true, {0.25, 1.625, -0.4375, -1.09375}},
    {"weight decay", 0, 0.25, false, {0.375, 1.328125, -0.337890625, -0.545654296875}},
    {"momentum and weight decay", 0.5, 0.25, false, {0.375, 1.015625, -0.291015625, -1.157958984375}},
    {"Nesterov and weight decay", 0.5, 0.25, true, {0.0625, 1.39453125, -0.947021484375, -1.4780731201171875}},
};

TEST_CASE("the weights follow PyTorch's recurrences, in float as in double") {
  for (auto const& r : recurrences) {
    CAPTURE(r.name);
    optim::sgd<mixed> optimiser{0.5, r.momentum, r.weight_decay, r.nesterov};
    mixed m{{1, -1}, 1, {}, {{-1, 1}, 1}, 0};
    for (std::size_t step = 0; step < 4; ++step) {
      double const g = gradients[step], w = r.weights[step];
      float const narrow = static_cast<float>(g);
      optimiser.update(m, {{narrow, -narrow}, g, {}, {{-g, g}, g}, 0});
      CHECK(m.narrow == tensor<float, 2>{w, -w});
      CHECK(m.wide == w);
      CHECK(m.deep.first == tensor<double, 2>{-w, w});
      CHECK(m.deep.second == w);
    }
  }
}

TEST_CASE("integer leaves stay, whatever the gradient holds there") {
  optim::sgd<mixed> optimiser{0.5, 0.5, 0.5, true};
  mixed m{{1, 2}, 3, {7, 8, 9}, {{1, 2}, 3}, 11};
  for (int step = 0; step < 3; ++step) optimiser.update(m, {{1, 1}, 1, {100, 100, 100}, {{1, 1}, 1}, 100});
  CHECK(m.labels == tensor<int, 3>{7, 8, 9});
  CHECK(m.count == 11);
  CHECK(optimiser.velocity.labels == tensor<int, 3>{});
}

TEST_CASE("the gradient is only read, and a gradient of zero moves nothing but by momentum") {
  optim::sgd<tensor<double, 2>> optimiser{1, 0.5};
  tensor<double, 2> w{1, 2};
  tensor<double, 2> const g{4, -8};
  optimiser.update(w, g);
  CHECK(w == tensor<double, 2>{-3, 10});
  CHECK(g == tensor<double, 2>{4, -8});
  optimiser.update(w, {});
  CHECK(w == tensor<double, 2>{-5, 14});
  optim::sgd<tensor<double, 2>> plain{1};
  plain.update(w, {});
  CHECK(w == tensor<double, 2>{-5, 14});
}

TEST_CASE("descent on a quadratic ends at its minimum") {
  constexpr auto bowl = [](auto x, auto curvature, auto minimum) {
    return sum(cwise_product(curvature, square(x - minimum)));
  };
  tensor<double, 3> const curvature{1, 4, 10}, minimum{3, -1, 0.5};
  auto step = compile<wrt<0>>(bowl, minimum, curvature, minimum);
  for (bool const nesterov : {false, true}) {
    optim::sgd<tensor<double, 3>> optimiser{0.02, 0.8, 0, nesterov};
    tensor<double, 3> x{-5, 5, 20};
    double const start = step(x, curvature, minimum);
    for (int i = 0; i < 400; ++i) {
      step(x, curvature, minimum);
      optimiser.update(x, step.grad<0>());
    }
    CHECK(start > 1000);
    CHECK(step(x, curvature, minimum) < 1e-12);
    for (int i = 0; i < 3; ++i) CHECK(x(i) == doctest::Approx(minimum(i)).epsilon(1e-6));
  }
}

TEST_CASE("weight decay ends between the minimum and zero") {
  // Minimum of (w - 1)² + decay/2 w²: w = 2 / (2 + decay).
  optim::sgd<double> optimiser{0.1, 0, 2};
  double w = 5;
  for (int i = 0; i < 200; ++i) optimiser.update(w, 2 * (w - 1));
  CHECK(w == doctest::Approx(0.5));
}

}  // namespace
