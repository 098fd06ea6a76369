// Lesson 6: a physics-informed fit (M. Raissi, P. Perdikaris, G. Karniadakis, 2019). A network u(x, t)
// becomes the solution of the heat equation u_t = k u_xx: the loss holds its derivatives by x and t, and the
// gradient by the weights goes through them.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>
#include <numbers>

namespace {

namespace nn = etch::nn;

constexpr int hidden = 20, inside = 256, edge = 64, grid = 33;
constexpr double k = 0.1, pi = std::numbers::pi;

/// A value that varies along a line, with its first and second derivative: what is done to it follows
/// from the rules of differentiation.
template <class Value, class First, class Second>
struct jet {
  Value value;
  First first;
  Second second;
};
template <class Value, class First, class Second>
jet(Value, First, Second) -> jet<Value, First, Second>;

// These three are all that `nn::dense` and the network need: the layers take whatever can be multiplied and added.
template <class W, class V, class F, class S>
constexpr auto operator*(W const& weight, jet<V, F, S> const& x) {
  return jet{weight * x.value, weight * x.first, weight * x.second};
}
template <class V, class F, class S, class B>
constexpr auto operator+(jet<V, F, S> const& x, B const& bias) {
  return jet{x.value + bias, x.first, x.second};
}
template <class V, class F, class S>
constexpr auto tanh(jet<V, F, S> const& x) {
  auto const y = tanh(x.value);
  auto const slope = 1 - square(y);
  auto const first = cwise_product(slope, x.first);
  return jet{y, first, cwise_product(slope, x.second) - 2 * cwise_product(cwise_product(y, first), x.first)};
}

template <class T>
struct network {
  nn::dense<T, 2, hidden> first;
  nn::dense<T, hidden, hidden> second;
  nn::dense<T, hidden, 1> last;
  ETCH_MEMBERS(network, first, second, last)

  /// u at points [2, n], whose rows are x and t: [1, n]. Or a jet of it.
  constexpr auto operator()(auto const& at) const { return last(tanh(second(tanh(first(at))))); }
};

// The three demands: the equation inside, 0 at both ends, and what it is at first. What both jets
// have in common is computed once.
constexpr auto loss = [](auto u, auto points, auto ends, auto begin, auto u_at_begin, auto along_x, auto along_t) {
  auto const zero = etch::zeros<2>();
  auto const u_xx = u(jet{points, along_x, zero}).second;
  auto const u_t = u(jet{points, along_t, zero}).first;
  return mean(square(u_t - k * u_xx)) + 10 * mean(square(u(ends))) + 10 * nn::mse(u(begin), u_at_begin);
};
constexpr auto evaluate = [](auto u, auto points) { return u(points); };

/// The solution: every wave decays at its own pace.
double solution(double x, double t) {
  return std::exp(-k * pi * pi * t) * std::sin(pi * x) + 0.5 * std::exp(-9 * k * pi * pi * t) * std::sin(3 * pi * x);
}

network<double> model;
etch::optim::adam<network<double>> adam;
etch::tensor<double, 2, inside> points;
etch::tensor<double, 2, edge> ends, begin;
etch::tensor<double, 1, edge> u_at_begin;
etch::tensor<double, 2> const along_x{1, 0}, along_t{0, 1};
etch::tensor<double, 2, grid * grid> everywhere;
constinit auto step = etch::compile(loss, model, points, ends, begin, u_at_begin, along_x, along_t);
constinit auto values = etch::compile<etch::wrt<>>(evaluate, model, everywhere);

/// Other points for every step: x and t from 0 to 1.
void choose_points(nn::generator& random) {
  for (double& coordinate : points) coordinate = random.uniform();
  for (int n = 0; n < edge; ++n) {
    ends(0, n) = n % 2, ends(1, n) = random.uniform();
    begin(0, n) = random.uniform();
    u_at_begin(0, n) = solution(begin(0, n), 0);
  }
}

lesson::outcome teach(lesson::settings const& s) {
  nn::init::glorot_uniform(model, 1);
  nn::generator random(6);
  etch::optim::cosine_decay const rate{0.01, 0.00001, s.steps};

  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    choose_points(random);
    double const value = step(model, points, ends, begin, u_at_begin, along_x, along_t);
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
    error = std::max(error, std::abs(u(0, n) - solution(everywhere(0, n), everywhere(1, n))));
  std::printf("largest error      %.4f on a grid of %d by %d, where u goes up to 1\n", error, grid, grid);
  return {step.value(), error <= s.bound, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "06_physics_informed",
                      .about = "A network becomes the solution of the heat equation, which nobody shows it.",
                      .steps = 16000,
                      .bound = 0.02,
                      .measure = "distance from the solution, at most"},
                     teach);
}
