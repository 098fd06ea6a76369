// Lesson 5: a neural ordinary differential equation (R. Chen et al., 2018). A network is the velocity of a point, x' =
// network(x); it is learned from where points have been seen, by the gradient through a solver: fixed steps of Runge
// and Kutta's method by `repeat`, within a `scan` over what was seen.
#include <etch/etch.hpp>

#include "lesson.hpp"

namespace {

namespace nn = etch::nn;

constexpr int hidden = 32, starts = 32, seen = 30, steps_between = 2;
constexpr double interval = 0.1, h = interval / steps_between;

// The system that is to be found: x' = x (1 - |x|²) + 2 [-y, x]. Every point but the middle spirals
// towards the unit circle; in closed form its distance from the middle is 1 / sqrt(1 + (1/r² - 1)
// exp(-2 t)), and its angle grows by 2 t.
constexpr double turning = 2;
void true_place(double r, double angle, double t, double* place) {
  double const distance = 1 / std::sqrt(1 + (1 / (r * r) - 1) * std::exp(-2 * t));
  place[0] = distance * std::cos(angle + turning * t);
  place[1] = distance * std::sin(angle + turning * t);
}

template <class T>
struct network {
  nn::dense<T, 2, hidden> first;
  nn::dense<T, hidden, hidden> second;
  nn::dense<T, hidden, 2> last;
  ETCH_MEMBERS(network, first, second, last)

  constexpr auto operator()(auto const& x) const { return last(tanh(second(tanh(first(x))))); }
};

/// One step of size h of the classical method of order 4 (W. Kutta, 1901).
constexpr auto runge_kutta = [](auto const& velocity, auto const& x) {
  auto const a = velocity(x);
  auto const b = velocity(x + h / 2 * a);
  auto const c = velocity(x + h / 2 * b);
  auto const d = velocity(x + h * c);
  return x + h / 6 * (a + 2 * (b + c) + d);
};

/// Squared distances of where `start` [2, n] flows from `truth` [2, n, times]: [1, n, times]. Of what happens in an
/// interval nothing is kept for the way back but the place where it begins: `keep_carries`. (`keep_all`, the default,
/// keeps all that gradients read and computes nothing twice.)
constexpr auto distances = [](auto const& velocity, auto const& start, auto const& truth) {
  auto const flow = [&](auto const& x) {
    return etch::repeat<steps_between>([&](auto const& at) { return runge_kutta(velocity, at); }, x);
  };
  auto const compare = [&](auto const& x, auto const& there) {
    auto const next = flow(x);
    return etch::step{next, sum<0>(square(next - there))};
  };
  return etch::scan(compare, start, truth, etch::keep_carries).y;
};
constexpr auto loss = [](auto velocity, auto start, auto truth) { return mean(distances(velocity, start, truth)); };
constexpr auto worst = [](auto velocity, auto start, auto truth) {
  return sqrt(max(distances(velocity, start, truth)));
};

/// Points that begin at some distance from the middle, and where they are after each interval.
template <int Count, int Times>
struct trajectories {
  etch::tensor<double, 2, Count> start;
  etch::tensor<double, 2, Count, Times> places;

  explicit trajectories(std::uint64_t stream) {
    nn::generator random(5, stream);
    for (int n = 0; n < Count; ++n) {
      double const r = random.uniform(0.3, 1.7), angle = random.uniform(0, 6.283185307179586);
      true_place(r, angle, 0, &start(0, n));
      for (int t = 0; t < Times; ++t) true_place(r, angle, (t + 1) * interval, &places(0, n, t));
    }
  }
};

// To learn from, and to test: other points, followed for twice as long.
trajectories<starts, seen> const known(0);
trajectories<starts, 2 * seen> const unseen(1);

network<double> model;
etch::optim::adam<network<double>> adam{.beta2 = 0.95};  // gradients change fast: it is to forget fast
constinit auto step = etch::compile(loss, model, known.start, known.places);
constinit auto error = etch::compile<etch::wrt<>>(worst, model, unseen.start, unseen.places);

lesson::outcome teach(lesson::settings const& s) {
  nn::init::glorot_uniform(model, 1);
  etch::optim::cosine_decay const rate{0.02, 0.0001, s.steps};

  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    double const value = step(model, known.start, known.places);
    adam.learning_rate = rate(i);
    adam.update(model, step.grad<0>());
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps)
      std::printf("step %4d: root of the mean squared distance %.5f\n", i + 1, std::sqrt(value));
  }
  long const allocations = heap::count() - before;

  double const distance = error(model, unseen.start, unseen.places);
  std::printf("largest distance   %.4f from the true place, of %d unseen points followed for twice as long\n", distance,
              starts);
  std::printf("kept for gradients %lld bytes; a tape would keep %lld\n", static_cast<long long>(step.facts.saved_bytes),
              static_cast<long long>(step.facts.unplanned_bytes));
  return {step.value(), distance <= s.bound, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "05_neural_ode",
                      .about = "A network learns the velocity of points from where they have been.",
                      .steps = 3000,
                      .bound = 0.2,
                      .measure = "distance of an unseen point from its true place, at most"},
                     teach);
}
