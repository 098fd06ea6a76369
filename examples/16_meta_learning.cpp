// Lesson 16: a gradient inside of a loss (C. Finn, P. Abbeel, S. Levine, Model-agnostic meta-learning, 2017). A network
// learns sines of any amplitude and phase from ten points: what is trained is where one step of descent begins, and the
// gradient goes through that step.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <numbers>

namespace {

namespace nn = etch::nn;

constexpr int hidden = 24, shown = 10, tasks = 8;
constexpr double step_size = 0.02;

template <class T>
struct network {
  nn::dense<T, 1, hidden> first;
  nn::dense<T, hidden, hidden> second;
  nn::dense<T, hidden, 1> last;
  ETCH_MEMBERS(network, first, second, last)

  constexpr auto operator()(auto const& x) const { return last(tanh(second(tanh(first(x))))); }
};

constexpr auto fit = [](auto u, auto x, auto y) { return nn::mse(u(x), y); };
/// The network after a step of descent on what it is shown: a struct minus a multiple of its gradient.
constexpr auto adapted = [](auto u, auto x, auto y) { return u - step_size * etch::grad(fit)(u, x, y); };
/// How well it then does elsewhere.
constexpr auto after_a_step = [](auto u, auto x, auto y, auto elsewhere, auto there) {
  return fit(adapted(u, x, y), elsewhere, there);
};

using points = etch::tensor<double, 1, shown>;
network<double> model, gradient;
etch::optim::adam<network<double>> adam;
points x, y, elsewhere, there;
constinit auto step = etch::compile(after_a_step, model, x, y, elsewhere, there);
constinit auto before_it = etch::compile<etch::wrt<>>(fit, model, elsewhere, there);

/// Points of one sine.
void choose_task(nn::generator& random) {
  double const amplitude = random.uniform(0.5, 1.5), phase = random.uniform(0, std::numbers::pi);
  for (int n = 0; n < shown; ++n) {
    x(0, n) = random.uniform(-3, 3), elsewhere(0, n) = random.uniform(-3, 3);
    y(0, n) = amplitude * std::sin(x(0, n) + phase), there(0, n) = amplitude * std::sin(elsewhere(0, n) + phase);
  }
}

lesson::outcome teach(lesson::settings const& s) {
  nn::init::glorot_uniform(model, 1);
  nn::generator random(16);
  etch::optim::cosine_decay const rate{0.005, 0.0001, s.steps};
  double loss = 0;

  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    loss = 0;
    for (int task = 0; task < tasks; ++task) {
      choose_task(random);
      loss += (task == 0 ? step(model, x, y, elsewhere, there, etch::into(gradient))
                         : step(model, x, y, elsewhere, there, etch::add_to(gradient))) /
              tasks;
    }
    adam.learning_rate = rate(i);
    adam.update(model, gradient);
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps) std::printf("step %5d: loss after adaptation %.4f\n", i + 1, loss);
  }
  long const allocations = heap::count() - before;

  double first = 0, second = 0;
  nn::generator unseen(17);
  for (int task = 0; task < 200; ++task) {
    choose_task(unseen);
    first += before_it(model, elsewhere, there) / 200;
    second += step(model, x, y, elsewhere, there) / 200;
  }
  std::printf("sines never seen: mean square error %.4f, and %.4f after one step on ten points\n", first, second);
  return {loss, second <= s.bound * first, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(
      argc, argv,
      {.name = "16_meta_learning",
       .about = "A network learns where to begin, so that one step of descent on ten points fits a sine.",
       .steps = 6000,
       .bound = 0.35,
       .measure = "mean square error after the step, as a part of that before it, at most"},
      teach);
}
