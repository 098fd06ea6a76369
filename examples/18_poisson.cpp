// Lesson 18: a Laplacian in the loss. A network u becomes the solution of Poisson's equation on the unit square, -(u_xx
// + u_yy) = f with u = 0 on the edge: `laplacian` of u is computed in one pass forward at each point, and the gradient
// by the weights goes through it.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>
#include <numbers>

namespace {

namespace nn = etch::nn;

constexpr int hidden = 16, inside = 128, grid = 33;
constexpr double pi = std::numbers::pi;

template <class T>
struct network {
  nn::dense<T, 2, hidden> first;
  nn::dense<T, hidden, hidden> second;
  nn::dense<T, hidden, 1> last;
  ETCH_MEMBERS(network, first, second, last)

  /// u at a point. The factor makes it 0 on the edge, whatever the weights are.
  constexpr auto operator()(auto const& at) const {
    return at(0) * (1.0 - at(0)) * at(1) * (1.0 - at(1)) * sum(last(tanh(second(tanh(first(at))))));
  }
};

/// The residual of the equation at a point, which is 0 for the solution.
constexpr auto residual = [](auto u, auto at) {
  auto const f = 2 * pi * pi * sin(pi * at(0)) * sin(pi * at(1));
  return etch::laplacian([&](auto x) { return u(x); })(at) + f;
};
constexpr auto loss = [](auto u, auto points) {
  return etch::sum_map([&](auto at) { return square(residual(u, at)); }, points) / double(inside);
};
constexpr auto evaluate = [](auto u, auto points) { return etch::map([&](auto at) { return u(at); }, points); };

double solution(double x, double y) { return std::sin(pi * x) * std::sin(pi * y); }

network<double> model;
etch::optim::adam<network<double>> adam;
etch::tensor<double, 2, inside> points;
etch::tensor<double, 2, grid * grid> everywhere;
constinit auto step = etch::compile<etch::wrt<0>>(loss, model, points);
constinit auto values = etch::compile<etch::wrt<>>(evaluate, model, everywhere);

lesson::outcome teach(lesson::settings const& s) {
  nn::init::glorot_uniform(model, 1);
  nn::generator random(18);
  etch::optim::cosine_decay const rate{0.01, 0.00001, s.steps};

  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    for (double& coordinate : points) coordinate = random.uniform();
    double const value = step(model, points);
    adam.learning_rate = rate(i);
    adam.update(model, step.grad<0>());
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps) std::printf("step %5d: loss %.2e\n", i + 1, value);
  }
  long const allocations = heap::count() - before;

  for (int n = 0; n < grid * grid; ++n)
    everywhere(0, n) = n % grid / (grid - 1.0), everywhere(1, n) = n / grid / (grid - 1.0);
  auto const& u = values(model, everywhere);
  double error = 0;
  for (int n = 0; n < grid * grid; ++n)
    error = std::max(error, std::abs(u(n) - solution(everywhere(0, n), everywhere(1, n))));
  std::printf("largest error      %.1e on a grid of %d by %d, where u goes up to 1\n", error, grid, grid);
  return {step.value(), error <= s.bound, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "18_poisson",
                      .about = "A network becomes the solution of Poisson's equation, from its Laplacian alone.",
                      .steps = 16000,
                      .bound = 2e-4,
                      .measure = "distance from the solution, at most"},
                     teach);
}
