// Lesson 13: a solver that chooses its own steps, and the derivative through them. A comet on a long ellipse is slow
// far from its sun and fast near it; Runge and Kutta's method of order 5 with J. Dormand and P. Prince's estimate of
// its error (1980) takes long steps and short ones as values demand. Where the comet is after a given time is known
// from Kepler's equation, and with it all derivatives.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>
#include <array>

namespace {

constexpr double time_of_flight = 7;

/// Place and speed, two coordinates each; of numbers, or of numbers on a tape.
template <class T>
using state = std::array<T, 4>;

/// How a body moves around a sun at the origin.
template <class T>
state<T> velocity(T const& mass, state<T> const& s) {
  T const squared = s[0] * s[0] + s[1] * s[1];
  T const pull = -mass / (squared * sqrt(squared));
  return {s[2], s[3], pull * s[0], pull * s[1]};
}

/// s + h (c[0] k[0] + c[1] k[1] + ...)
template <class T, std::size_t N>
state<T> along(state<T> const& s, double h, std::array<state<T>, 7> const& k, double const (&c)[N]) {
  state<T> to = s;
  for (std::size_t i = 0; i < N; ++i)
    if (c[i] != 0)
      for (std::size_t j = 0; j < 4; ++j) to[j] += h * c[i] * k[i][j];
  return to;
}

/// The state after a step of length `h`, and an estimate of its error.
template <class T>
state<T> step(T const& mass, state<T> const& s, double h, double& error) {
  std::array<state<T>, 7> k{velocity(mass, s)};
  k[1] = velocity(mass, along(s, h, k, {1. / 5}));
  k[2] = velocity(mass, along(s, h, k, {3. / 40, 9. / 40}));
  k[3] = velocity(mass, along(s, h, k, {44. / 45, -56. / 15, 32. / 9}));
  k[4] = velocity(mass, along(s, h, k, {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729}));
  k[5] = velocity(mass, along(s, h, k, {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}));
  state<T> const next = along(s, h, k, {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84});
  // The method of order 4 would differ by this; it is asked of values alone, and nothing of it is recorded.
  k[6] = velocity(mass, next);
  constexpr double differences[] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
  error = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    double e = 0;
    for (std::size_t i = 0; i < 7; ++i) e += h * differences[i] * etch::value(k[i][j]);
    error = std::max(error, std::abs(e));
  }
  return next;
}

struct journey {
  int steps = 0, rejected = 0;
  double longest = 0, shortest = time_of_flight;
};

/// Where a flight ends. A step whose error is too large is taken back from the tape, as if it had never been tried.
state<etch::var<double>> fly(etch::tape<double>& t, etch::var<double> const& mass, state<etch::var<double>> s,
                             double tolerance, journey& way) {
  double h = 0.01, error = 0;
  for (double time = 0; time < time_of_flight;) {
    h = std::min(h, time_of_flight - time);
    auto const before = t.mark();
    auto const next = step(mass, s, h, error);
    if (error > tolerance) {
      t.rewind(before);
      ++way.rejected;
    } else {
      s = next;
      time += h;
      ++way.steps, way.longest = std::max(way.longest, h), way.shortest = std::min(way.shortest, h);
    }
    h *= std::clamp(0.9 * std::pow(tolerance / std::max(error, 1e-300), 0.2), 0.2, 5.0);
  }
  return s;
}

/// The same in closed form, for a flight that begins at [distance, 0] with [0, speed]: Kepler's equation mean = e -
/// eccentricity sin(e), which Newton's method solves in a loop of fixed length.
constexpr auto ellipse = [](auto mass, auto distance, auto speed, auto time) {
  auto const axis = 1 / (2 / distance - square(speed) / mass);
  auto const eccentricity = 1 - distance / axis;
  auto const mean = sqrt(mass / axis) / axis * time;
  auto const e = etch::repeat<60>(
      [&](auto const& at) { return at - (at - eccentricity * sin(at) - mean) / (1 - eccentricity * cos(at)); }, mean);
  return std::tuple(axis * (cos(e) - eccentricity), axis * sqrt(1 - square(eccentricity)) * sin(e));
};
constexpr auto known_x = [](auto... p) { return std::get<0>(ellipse(p...)); };
constexpr auto known_y = [](auto... p) { return std::get<1>(ellipse(p...)); };

lesson::outcome teach(lesson::settings const& s) {
  constexpr double mass = 1, distance = 0.1, speed = 4.2;  // eccentricity 0.76
  double const tolerance = std::pow(10., -s.steps);
  static etch::tape<double> t;

  journey way;
  state<etch::var<double>> end;
  double found[2][3];
  long before = 0;
  for (int flight = 0; flight < 2; ++flight) {  // the second in the memory of the first
    t.reset();
    before = heap::count();
    auto const m = t.watch(mass), r = t.watch(distance), v = t.watch(speed);
    way = {};
    end = fly(t, m, {r, 0, 0, v}, tolerance, way);
    for (std::size_t j = 0; j < 2; ++j) {
      t.backward(end[j], etch::retain);
      found[j][0] = t.grad(m), found[j][1] = t.grad(r), found[j][2] = t.grad(v);
    }
  }
  long const allocations = heap::count() - before;

  std::printf("%d steps of %.2g to %.2g, %d taken back\n", way.steps, way.shortest, way.longest, way.rejected);
  auto const x = etch::value_and_grad<etch::wrt<0, 1, 2>>(known_x)(mass, distance, speed, time_of_flight);
  auto const y = etch::value_and_grad<etch::wrt<0, 1, 2>>(known_y)(mass, distance, speed, time_of_flight);
  double error = 0;
  for (auto const& [name, at, known, g] :
       {std::tuple("x", end[0], x, found[0]), std::tuple("y", end[1], y, found[1])}) {
    auto const& [by_mass, by_distance, by_speed] = known.grad;
    std::printf("%s %12.8f   by mass %12.7f   by distance %12.6f   by speed %12.7f\n", name, etch::value(at), g[0],
                g[1], g[2]);
    std::printf("  %12.8f           %12.7f               %12.6f            %12.7f   in closed form\n", known.value,
                by_mass, by_distance, by_speed);
    for (double const difference : {etch::value(at) - known.value, (g[0] - by_mass) / by_mass,
                                    (g[1] - by_distance) / by_distance, (g[2] - by_speed) / by_speed})
      error = std::max(error, std::abs(difference));
  }
  std::printf("largest error      %.1e\n", error);
  return {error, error <= s.bound, t, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "13_adaptive_ode",
                      .about = "The path of a comet by steps of its own choice, and the derivatives of where it ends.",
                      .steps = 9,
                      .bound = 1e-5,
                      .measure = "error of the end and relative error of its derivatives, at most",
                      .steps_are = "digits that an error of a step has at least"},
                     teach);
}
