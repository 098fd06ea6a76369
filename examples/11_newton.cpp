// Lesson 11: a loop that runs until it has converged, and the derivative through all of it. Newton's method finds where
// a receiver is from its distances to four satellites, all too long by the same unknown error of its clock: four
// equations. An iteration is a compiled program, Jacobian and all, and one entry of a tape; how many there are depends
// on where the search begins and is known when it ends.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace {

namespace nn = etch::nn;

using place = etch::tensor<double, 4>;          // three coordinates and the clock's error, in radii of the Earth
using satellites = etch::tensor<double, 3, 4>;  // a column each
using distances = etch::tensor<double, 4>;

/// How much longer than measured the distance from `at` to a satellite is.
constexpr auto excess = [](auto at, auto satellite, auto measured) {
  return norm(etch::slice<0, 0, 3>(at) - satellite) + at(3) - measured;
};

/// Where Newton's method goes from `x`. The equations are those of four points: one loop gives their
/// values and their gradients in x.
constexpr auto newton_step = [](auto x, auto seen, auto measured) {
  auto const four_times = x + etch::zeros<4, 4>();
  auto const at = etch::jacobian_map<etch::wrt<0>>(excess, four_times, seen, measured);
  return x - solve(transpose(at.jacobian), at.value);
};

/// The solution on a tape, to the last digits.
etch::var<double, 4> solve_on(etch::tape<double>& t, etch::var<double, 4> x, satellites const& seen,
                              etch::var<double, 4> measured, int& iterations) {
  double moved = 1;
  for (iterations = 0; moved > 1e-9 && iterations < 50; ++iterations) {
    etch::var<double, 4> const next = t.apply(newton_step, x, seen, measured);
    moved = (value(next).array() - value(x).array()).abs().maxCoeff();
    x = next;
  }
  // The error that remains is of the order of the last step's square; that of the derivative follows one step behind.
  return t.apply(newton_step, x, seen, measured);
}

/// The implicit function theorem: of excess(x, measured) = 0, dx / d measured = (d excess / dx)⁻¹.
Eigen::Matrix4d known_derivative(place const& x, satellites const& seen) {
  Eigen::Matrix4d jacobian;
  for (int i = 0; i < 4; ++i) {
    Eigen::Vector3d const from = x.flat().head<3>().matrix() - seen.matrix().col(i);
    jacobian.row(i) << from.transpose() / from.norm(), 1;
  }
  return jacobian.inverse();
}

lesson::outcome teach(lesson::settings const& s) {
  static etch::tape<double> t;
  double furthest = 0, worst = 0;
  int fewest = 1000, most = 0;
  long before = heap::count();
  for (int problem = 0; problem < s.steps; ++problem) {
    if (problem == s.steps / 2) before = heap::count();  // by now the tape has had a long search on it
    // A receiver on the ground, satellites somewhere above its horizon, and a search that
    // begins anywhere within the Earth.
    nn::generator random(11, static_cast<std::uint64_t>(problem));
    place truth, begin;
    satellites seen;
    distances measured;
    double length = 0;
    for (int k = 0; k < 3; ++k) truth(k) = random.normal(), length += truth(k) * truth(k);
    for (int k = 0; k < 3; ++k) truth(k) /= std::sqrt(length), begin(k) = random.uniform(-0.5, 0.5);
    truth(3) = random.uniform(-0.1, 0.1);
    for (int i = 0; i < 4; ++i) {
      double above = 0;
      while (above < 0.2) {
        double size = 0;
        above = 0;
        for (int k = 0; k < 3; ++k) seen(k, i) = random.normal(), size += seen(k, i) * seen(k, i);
        for (int k = 0; k < 3; ++k) seen(k, i) *= 4.2 / std::sqrt(size), above += seen(k, i) * truth(k) / 4.2;
      }
      double squares = 0;
      for (int k = 0; k < 3; ++k) squares += (truth(k) - seen(k, i)) * (truth(k) - seen(k, i));
      measured(i) = std::sqrt(squares) + truth(3);
    }

    // The derivative of all coordinates: the search once, the way back four times.
    t.reset();
    auto const x = t.watch(measured);
    int iterations = 0;
    auto const found = solve_on(t, t.constant(begin), seen, x, iterations);
    Eigen::Matrix4d derivative;
    for (int k = 0; k < 4; ++k) {
      t.backward(found(k), etch::retain);
      derivative.row(k) = t.grad(x).flat().matrix().transpose();
    }
    fewest = std::min(fewest, iterations), most = std::max(most, iterations);

    Eigen::Matrix4d const known = known_derivative(value(found), seen);
    // Four equations of this kind may have a second solution; the search counts as successful with either.
    double residual = 0;
    for (int i = 0; i < 4; ++i)
      residual = std::max(residual, std::abs((value(found).flat().head<3>().matrix() - seen.matrix().col(i)).norm() +
                                             value(found)(3) - measured(i)));
    furthest = std::max(furthest, residual);
    worst = std::max(worst, (derivative - known).cwiseAbs().maxCoeff() / known.cwiseAbs().maxCoeff());
  }
  long const allocations = heap::count() - before;

  std::printf("%d searches took %d to %d iterations; the equations hold within %.1e\n", s.steps, fewest, most,
              furthest);
  std::printf("derivatives differ from those of the implicit function theorem by %.1e of the largest, at most\n",
              worst);
  return {worst, worst <= s.bound && furthest <= 1e-9, t, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "11_newton",
                      .about = "Newton's method finds a receiver, and how its place depends on what it measured.",
                      .steps = 200,
                      .bound = 1e-9,
                      .measure = "relative difference from the derivatives of the implicit function theorem, at most",
                      .steps_are = "receivers to find"},
                     teach);
}
