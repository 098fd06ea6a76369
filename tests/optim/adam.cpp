#include "optim/recurrence.hpp"

#include <array>

namespace {

using namespace etch;

using recurrence::mixed;

constexpr std::array gradients{1.0, -2.0, 0.5, 3.0, 0.25};

// Five steps from w = 1 on the gradients above, by PyTorch's recurrence in fifty decimal digits: epsilon is added to
// the root of the corrected second moment, weight decay to the gradient.
struct recurrence {
  char const* name;
  double learning_rate, beta1, beta2, epsilon, weight_decay;
  std::array<double, 5> weights;
};
constexpr recurrence recurrences[] = {
    {"the usual constants",
     0.1,
     0.9,
     0.999,
     1e-8,
     0,
     {0.900000001, 0.9366103534720751, 0.9502794196738217, 0.9108694304348767, 0.8740240351796881}},
    {"a large epsilon",
     0.125,
     0.5,
     0.75,
     0.5,
     0,
     {0.9166666666666666, 0.9748736419903681, 0.9848832672770758, 0.9106681002456731, 0.8614824475371509}},
    {"weight decay",
     0.125,
     0.5,
     0.75,
     0.5,
     0.25,
     {0.9107142857142857, 0.9569050912143283, 0.9502564134686078, 0.868482029831595, 0.8095554356580184}},
};

TEST_CASE("the weights follow the published recurrence, in float as in double") {
  for (auto const& r : recurrences) {
    CAPTURE(r.name);
    optim::adam<mixed> optimiser{r.learning_rate, r.beta1, r.beta2, r.epsilon, r.weight_decay};
    mixed m{{1, -1}, 1, {}, {{-1, 1}, 1}, 0};
    for (std::size_t step = 0; step < 5; ++step) {
      double const g = gradients[step], w = r.weights[step];
      float const narrow = static_cast<float>(g);
      optimiser.update(m, {{narrow, -narrow}, g, {}, {{-g, g}, g}, 0});
      CHECK(std::abs(m.wide - w) < 1e-14);
      CHECK(std::abs(m.deep.first(1) - w) < 1e-14);
      CHECK(std::abs(m.deep.second - w) < 1e-14);
      CHECK(m.deep.first(0) == -m.deep.first(1));
      CHECK(std::abs(static_cast<double>(m.narrow(0)) - w) < 1e-6);
      CHECK(m.narrow(1) == -m.narrow(0));
    }
    CHECK(optimiser.step == 5);
  }
}

TEST_CASE("the first step has the size of the learning rate, whatever the gradient's") {
  for (double const g : {1e-3, 1.0, -50.0}) {
    optim::adam<double> optimiser{0.25};
    double w = 0;
    optimiser.update(w, g);
    CHECK(w == doctest::Approx(g > 0 ? -0.25 : 0.25).epsilon(1e-4));
  }
}

TEST_CASE("a gradient that is always zero moves nothing") {
  optim::adam<tensor<float, 2>> optimiser{0.1f};
  tensor<float, 2> w{1, 2};
  for (int i = 0; i < 5; ++i) optimiser.update(w, {});
  CHECK(w == tensor<float, 2>{1, 2});
}

TEST_CASE("integer leaves stay, whatever the gradient holds there") {
  optim::adam<mixed> optimiser{0.5};
  mixed m{{1, 2}, 3, {7, 8, 9}, {{1, 2}, 3}, 11};
  for (int step = 0; step < 3; ++step) optimiser.update(m, {{1, 1}, 1, {100, 100, 100}, {{1, 1}, 1}, 100});
  CHECK(m.labels == tensor<int, 3>{7, 8, 9});
  CHECK(m.count == 11);
  CHECK(m.wide < 3);
  CHECK(optimiser.first_moment.labels == tensor<int, 3>{});
  CHECK(optimiser.second_moment.count == 0);
}

TEST_CASE("Adam on a badly scaled quadratic ends at its minimum") {
  constexpr auto bowl = [](auto x, auto curvature, auto minimum) {
    return sum(cwise_product(curvature, square(x - minimum)));
  };
  tensor<double, 3> const curvature{0.01, 1, 100}, minimum{3, -1, 0.5};
  auto step = compile<wrt<0>>(bowl, minimum, curvature, minimum);
  optim::adam<tensor<double, 3>> optimiser{0.05};
  tensor<double, 3> x{-5, 5, 20};
  for (int i = 0; i < 6000; ++i) {
    step(x, curvature, minimum);
    optimiser.update(x, step.grad<0>());
  }
  CHECK(step(x, curvature, minimum) < 1e-8);
  for (int i = 0; i < 3; ++i) CHECK(x(i) == doctest::Approx(minimum(i)).epsilon(1e-3));
}

}  // namespace
