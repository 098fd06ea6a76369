// Lesson 15: where no tape is needed. Hamiltonian Monte Carlo draws from a posterior by rolling a ball over it, and M.
// Hoffman and A. Gelman's rule (the no-U-turn sampler, JMLR 2014) doubles its path until it would turn back: a
// recursion that depends on values at every step. But no derivative passes through that recursion, only through the
// density at each point, and that is a compiled program.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>

namespace {

namespace nn = etch::nn;

constexpr int observations = 12;
constexpr double step_size = 0.12;

// Observations from a normal distribution whose mean and precision are unknown. Prior: the precision is
// Gamma(shape, rate), the mean normal about 0 with `weight` times the precision. The posterior is of the same
// family, so that its moments are known.
constexpr double weight = 0.5, prior_shape = 2, prior_rate = 1.5;

/// The logarithm of the posterior's density, but for a constant; `at` is [mean, log(precision)].
constexpr auto log_density = [](auto at, auto y) {
  auto const mean = at(0), log_precision = at(1), precision = exp(log_precision);
  auto const squares = sum(square(y - mean)) + weight * square(mean);
  return (observations + 1) / 2. * log_precision - precision * squares / 2 + prior_shape * log_precision -
         prior_rate * precision;
};

using place = Eigen::Vector2d;
etch::tensor<double, observations> y;
auto density = etch::compile(log_density, place{}, y);

/// A point of a path.
struct point {
  place at, momentum, slope;
  double energy;  ///< log density less kinetic energy

  point(place const& where, place const& how_fast) : at(where), momentum(how_fast) { look(); }
  /// The next one, by one step of the leapfrog method, forwards or backwards.
  point next(double direction) const {
    point to = *this;
    double const h = direction * step_size;
    to.momentum += h / 2 * to.slope;
    to.at += h * to.momentum;
    to.look();
    to.momentum += h / 2 * to.slope;
    to.energy -= to.momentum.squaredNorm() / 2;
    return to;
  }

 private:
  void look() {
    energy = density(at, y);
    slope = density.grad<0>();
  }
};

/// A part of a path.
struct path {
  point first, last;
  place drawn;     ///< one of its points above the slice, each with the same probability
  long above = 0;  ///< how many of those it has
  bool goes_on = true;
  long steps = 0;

  bool turns_back() const {
    place const way = last.at - first.at;
    return way.dot(first.momentum) < 0 || way.dot(last.momentum) < 0;
  }
};

/// A path of 2^depth steps that begins behind `from`; shorter where it turns back or leaves the
/// region where steps are accurate.
path follow(point const& from, double direction, int depth, double slice, nn::generator& random) {
  if (depth == 0) {
    point const to = from.next(direction);
    return {to, to, to.at, slice <= to.energy, slice < to.energy + 1000, 1};
  }
  path whole = follow(from, direction, depth - 1, slice, random);
  if (!whole.goes_on) return whole;
  path const rest = follow(direction > 0 ? whole.last : whole.first, direction, depth - 1, slice, random);
  (direction > 0 ? whole.last : whole.first) = direction > 0 ? rest.last : rest.first;
  whole.above += rest.above, whole.steps += rest.steps;
  if (rest.above > 0 && random.uniform() * static_cast<double>(whole.above) < static_cast<double>(rest.above))
    whole.drawn = rest.drawn;
  whole.goes_on = rest.goes_on && !whole.turns_back();
  return whole;
}

/// The next draw of the chain, and the number of steps that it took.
place draw(place const& at, nn::generator& random, long& steps) {
  point begin(at, {random.normal(), random.normal()});
  begin.energy -= begin.momentum.squaredNorm() / 2;
  double const slice = begin.energy + std::log(random.uniform());
  path whole{begin, begin, at, 1};
  for (int depth = 0; whole.goes_on && depth < 10; ++depth) {
    double const direction = random.below(2) == 0 ? 1 : -1;
    path const added = follow(direction > 0 ? whole.last : whole.first, direction, depth, slice, random);
    (direction > 0 ? whole.last : whole.first) = direction > 0 ? added.last : added.first;
    if (added.goes_on && random.uniform() * static_cast<double>(whole.above) < static_cast<double>(added.above))
      whole.drawn = added.drawn;
    whole.above += added.above, whole.steps += added.steps;
    whole.goes_on = added.goes_on && !whole.turns_back();
  }
  steps = whole.steps;
  return whole.drawn;
}

/// Mean and variance of numbers as they come (B. Welford, 1962).
struct moments {
  long count = 0;
  double mean = 0, squares = 0;
  void add(double x) {
    double const before = x - mean;
    mean += before / static_cast<double>(++count);
    squares += before * (x - mean);
  }
  double deviation() const { return std::sqrt(squares / static_cast<double>(count)); }
};

lesson::outcome teach(lesson::settings const& s) {
  nn::generator random(15);
  double total = 0;
  for (auto& each : y) each = 1.2 + 0.8 * random.normal(), total += each;

  place at{0, 0};
  moments mean, precision;
  long steps = 0, all = 0, fewest = 1 << 20, most = 0;
  long const before = heap::count();
  for (int i = -100; i < s.steps; ++i) {
    at = draw(at, random, steps);
    if (i < 0) continue;  // it forgets where it began
    mean.add(at(0)), precision.add(std::exp(at(1)));
    fewest = std::min(fewest, steps), most = std::max(most, steps), all += steps;
  }
  long const allocations = heap::count() - before;

  // In closed form: the mean has a t-distribution, the precision is Gamma distributed.
  double squares = 0;
  for (double const each : y) squares += (each - total / observations) * (each - total / observations);
  double const n = weight + observations, shape = prior_shape + observations / 2.;
  double const rate = prior_rate + squares / 2 + weight * total * total / (2 * observations * n);
  struct {
    char const* name;
    moments drawn;
    double mean, deviation;
  } const rows[] = {{"mean", mean, total / n, std::sqrt(rate / (n * (shape - 1)))},
                    {"precision", precision, shape / rate, std::sqrt(shape) / rate}};
  double error = 0;
  std::printf("%d draws by paths of %ld to %ld steps, %.1f on average\n%-9s %20s %28s\n", s.steps, fewest, most,
              static_cast<double>(all) / s.steps, "", "draws", "closed form");
  for (auto const& [name, drawn, known, deviation] : rows) {
    std::printf("%-9s %12.4f +- %.4f %16.4f +- %.4f\n", name, drawn.mean, drawn.deviation(), known, deviation);
    error = std::max({error, std::abs(drawn.mean - known) / deviation, std::abs(drawn.deviation() / deviation - 1)});
  }
  std::printf("largest error      %.4f deviations\n", error);
  return {error, error <= s.bound, density.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "15_hmc",
                      .about = "A sampler that follows gradients draws from a posterior whose moments are known.",
                      .steps = 40000,
                      .bound = 0.03,
                      .measure = "errors of means and deviations, in deviations of the posterior, at most",
                      .steps_are = "draws"},
                     teach);
}
