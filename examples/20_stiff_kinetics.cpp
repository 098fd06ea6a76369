// Lesson 20: a stiff differential equation, whose steps are equations. Robertson's three reactions (H. Robertson, The
// solution of a set of reaction rate equations, 1966) have rates that are nine powers of ten apart, so each step of
// backward Euler solves for the state after it. The rates are found from concentrations; of Newton's steps nothing is
// kept for the gradient.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <cmath>

namespace {

constexpr int times = 40;
using state = etch::tensor<double, 3>;
using course = etch::tensor<double, 3, times>;
constexpr double true_rates[] = {0.04, 1e4, 3e7};

/// A -> B, 2 B -> B + C, B + C -> A + C.
constexpr auto change = [](auto y, auto k) {
  auto const first = k(0) * y(0), back = k(1) * y(1) * y(2), second = k(2) * y(1) * y(1);
  return etch::stack<0>(back - first, first - back - second, second);
};
/// The state after a step of length h: y = before + h y'(y).
constexpr auto after =
    etch::implicit([](auto y, auto before, auto h, auto k) { return y - before - h * change(y, k); });
/// Concentrations at all times, the second one enlarged, from the logarithms of the rates.
constexpr auto simulated = [](auto theta, auto steps, auto start) {
  auto const k = exp(theta);
  return etch::scan(
             [&](auto y, auto h) {
               auto const next = after(y, y, h, k);
               return etch::step{next, etch::stack<0>(next(0), 1e4 * next(1), next(2))};
             },
             start, steps)
      .y;
};
constexpr auto misfit = [](auto theta, auto steps, auto start, auto measured) {
  return mean(square(simulated(theta, steps, start) - measured));
};

etch::tensor<double, 3> theta, gradient;
etch::tensor<double, times> steps;
state const start{1, 0, 0};
course measured;
etch::optim::adam<etch::tensor<double, 3>> adam;
constinit auto simulate = etch::compile<etch::wrt<>>(simulated, theta, steps, start);
constinit auto fit = etch::compile(misfit, theta, steps, start, measured);

/// The largest factor between a rate and the true one.
double worst_factor() {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, std::abs(theta[i] - std::log(true_rates[i])));
  return std::exp(worst);
}

lesson::outcome teach(lesson::settings const& s) {
  for (int i = 0; i < times; ++i) steps[static_cast<std::size_t>(i)] = 1e-4 * std::pow(1.4, i);
  for (std::size_t i = 0; i < 3; ++i) theta[i] = std::log(true_rates[i]);
  measured = simulate(theta, steps, start);
  theta[0] += 1, theta[1] -= 1, theta[2] += 1;
  etch::optim::cosine_decay const rate{0.1, 0.0001, s.steps};
  double loss = 0;

  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    loss = fit(theta, steps, start, measured, etch::into(gradient));
    if (fit.status() != etch::status::ok) return {loss, false, fit.facts, heap::count() - before};
    adam.learning_rate = rate(i);
    adam.update(theta, gradient);
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps) std::printf("step %5d: misfit %.3e\n", i + 1, loss);
  }
  long const allocations = heap::count() - before;

  std::printf("rates %.5f, %.5g, %.5g: within a factor of %.6f of the true ones\n", std::exp(theta[0]),
              std::exp(theta[1]), std::exp(theta[2]), worst_factor());
  return {loss, worst_factor() <= s.bound, fit.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "20_stiff_kinetics",
                      .about = "Three reaction rates, nine powers of ten apart, from the course of the concentrations.",
                      .steps = 1000,
                      .bound = 1.0001,
                      .measure = "the largest factor between a rate and the true one, at most"},
                     teach);
}
