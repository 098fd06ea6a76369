// Lesson 19: gradients along tangent vectors. A robot drives around a loop and measures each motion between two of its
// poses with noise; a pose is a rotation and a translation of space, seven numbers that are no vector space. Gauss and
// Newton's iteration finds the poses that fit best (F. Lu, E. Milios, 1997): the Jacobian of each measurement's error
// has six columns for each pose, one for each entry of a tangent vector, and a step is a retraction.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <array>

namespace {

namespace nn = etch::nn;
using pose = etch::manifold::se3<double>;
using tangent = etch::tensor<double, 6>;

constexpr int poses = 12, measurements = 2 * poses, unknowns = 6 * poses;

/// How far the motion from a to b is from the one that was measured, as a tangent vector.
constexpr auto error = [](auto const& a, auto const& b, auto const& measured) {
  return local(measured, inverse(a) * b);
};

constinit auto value = etch::compile<etch::wrt<>>(error, pose{}, pose{}, pose{});
constinit auto slopes = etch::compile<etch::wrt<>>(etch::jacobian<etch::wrt<0, 1>>(error), pose{}, pose{}, pose{});

struct measurement {
  int from, to;
  pose motion;
};
std::array<measurement, measurements> measured;
std::array<pose, poses> truth, found;

tangent random_step(nn::generator& random, double translation, double rotation) {
  tangent v;
  for (std::size_t i = 0; i < 6; ++i) v[i] = (i < 3 ? translation : rotation) * random.normal();
  return v;
}

/// The mean distance of positions to the true ones.
double distance_to_truth() {
  double sum = 0;
  for (std::size_t i = 0; i < poses; ++i)
    sum += std::hypot(found[i].x - truth[i].x, found[i].y - truth[i].y, found[i].z - truth[i].z);
  return sum / poses;
}

lesson::outcome teach(lesson::settings const& s) {
  nn::generator random(19);
  for (std::size_t i = 0; i < poses; ++i) {  // on a circle, turned and banked along it
    double const angle = 2 * 3.141592653589793 * static_cast<double>(i) / poses;
    truth[i] = pose::exp(tangent{0, 0, 0, 0.2 * std::sin(3 * angle), 0.1, angle});
    truth[i].x = 5 * std::cos(angle), truth[i].y = 5 * std::sin(angle), truth[i].z = std::sin(2 * angle);
  }
  for (int k = 0; k < measurements; ++k) {  // to the next pose, and to the one after it; the last ones close the loop
    int const from = k % poses, to = (from + 1 + k / poses) % poses;
    auto const at = [](int i) { return truth[static_cast<std::size_t>(i)]; };
    measured[static_cast<std::size_t>(k)] = {from, to,
                                             retract(inverse(at(from)) * at(to), random_step(random, 0.1, 0.03))};
  }
  found[0] = truth[0];  // is known; the others follow from motions one after the other, which drift
  for (std::size_t i = 1; i < poses; ++i) found[i] = found[i - 1] * measured[i - 1].motion;
  double const drifted = distance_to_truth();

  using matrix = Eigen::Matrix<double, unknowns, unknowns>;
  static matrix normal;
  static Eigen::Matrix<double, unknowns, 1> gradient;
  double cost = 0, slope = 1;
  long const before = heap::count();
  int steps = 0;
  for (; steps < s.steps && slope > 1e-13; ++steps) {
    normal.setZero(), gradient.setZero();
    cost = 0;
    for (auto const& [from, to, motion] : measured) {
      auto const &a = found[static_cast<std::size_t>(from)], &b = found[static_cast<std::size_t>(to)];
      auto const r = value(a, b, motion).flat();
      auto const j = slopes(a, b, motion).matrix();  // [6, 12]
      auto const by_a = j.leftCols<6>(), by_b = j.rightCols<6>();
      cost += 0.5 * r.squaredNorm();
      gradient.segment<6>(6 * from) += by_a.transpose() * r;
      gradient.segment<6>(6 * to) += by_b.transpose() * r;
      normal.block<6, 6>(6 * from, 6 * from) += by_a.transpose() * by_a;
      normal.block<6, 6>(6 * to, 6 * to) += by_b.transpose() * by_b;
      normal.block<6, 6>(6 * from, 6 * to) += by_a.transpose() * by_b;
      normal.block<6, 6>(6 * to, 6 * from) += by_b.transpose() * by_a;
    }
    normal.topLeftCorner<6, 6>().setIdentity();  // the first pose stays
    normal.topRightCorner<6, unknowns - 6>().setZero(), normal.bottomLeftCorner<unknowns - 6, 6>().setZero();
    gradient.head<6>().setZero();
    slope = gradient.lpNorm<Eigen::Infinity>();
    std::printf("step %2d: cost %.12f, gradient %.1e, distance to the truth %.4f\n", steps + 1, cost, slope,
                distance_to_truth());
    Eigen::LLT<Eigen::Ref<matrix>> const factors(normal);
    factors.solveInPlace(gradient);
    for (std::size_t i = 0; i < poses; ++i) {
      tangent step;
      for (std::size_t k = 0; k < 6; ++k) step[k] = -gradient(static_cast<Eigen::Index>(6 * i + k));
      found[i] = retract(found[i], step);
    }
  }
  long const allocations = heap::count() - before;
  std::printf("distance to the truth: %.4f by motions one after the other, %.4f as fitted\n", drifted,
              distance_to_truth());
  return {cost, slope <= s.bound && distance_to_truth() < drifted, slopes.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "19_pose_graph",
                      .about = "Gauss and Newton's iteration on rigid motions closes the loop of a robot.",
                      .steps = 12,
                      .bound = 1e-11,
                      .measure = "largest entry of the gradient at the end, at most",
                      .steps_are = "steps of the iteration, at most"},
                     teach);
}
