// Lesson 21: sparse Jacobians. Three cameras see points of a scene; two of them are known, and the pose of the third
// is sought together with all points (B. Triggs et al., Bundle adjustment, a modern synthesis, 1999). An image reads
// one camera and one point, so that nine directional derivatives give the whole Jacobian, however many points there
// are. In the normal equations points meet the camera only: they are eliminated one by one, three numbers each, before
// the camera is solved for.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <array>

namespace {

namespace nn = etch::nn;
using pose = etch::manifold::se3<double>;

constexpr int points = 40, sought = 1, images = 3, unknowns = 6 * sought;
using scene = std::tuple<std::array<pose, sought>, etch::tensor<double, 3, points>>;
using known = std::array<pose, images - sought>;
using seen_points = std::array<etch::tensor<double, 2, points>, images>;

constexpr auto reprojection = [](auto const& x, auto const& fixed, auto const& seen) {
  auto const image = [&](auto const& camera, auto const& at) {
    auto const turned = camera.rotation.matrix() * std::get<1>(x);  // of all points at once
    auto const depth = turned.row(2) + camera.z;
    auto const across = (turned.row(0) + camera.x) / depth, down = (turned.row(1) + camera.y) / depth;
    return etch::concat<0>(across, down) - at;
  };
  return std::tuple(image(fixed[0], seen[0]), image(fixed[1], seen[1]), image(std::get<0>(x)[0], seen[2]));
};

/// J^T J and J^T r: cameras, points, and where they meet. Of the inverse of a point's block only products are needed.
struct normal_equations {
  Eigen::Matrix<double, unknowns, unknowns> cameras;
  Eigen::Matrix<double, unknowns, 1> slope;
  std::array<Eigen::Matrix3d, points> point;
  std::array<Eigen::Vector3d, points> point_slope;
  std::array<Eigen::Matrix<double, unknowns, 3>, points> between;
};
/// The entries of a row of the Jacobian: of one camera at most and of one point.
struct row {
  int count;
  std::array<int, 9> column;
  std::array<double, 9> entry;
};

void accumulate(normal_equations& n, auto const& jacobian) {
  constexpr int rows = 2 * points * images;
  static std::array<row, rows> of;
  for (row& each : of) each.count = 0;
  jacobian.for_each_entry([&](int i, int j, double entry) {
    row& to = of[static_cast<std::size_t>(i)];
    to.column[static_cast<std::size_t>(to.count)] = j;
    to.entry[static_cast<std::size_t>(to.count++)] = entry;
  });
  n.cameras.setZero(), n.slope.setZero();
  for (std::size_t p = 0; p < points; ++p) n.point[p].setZero(), n.point_slope[p].setZero(), n.between[p].setZero();
  for (std::size_t i = 0; i < rows; ++i) {
    double const r = jacobian.value()[i];
    for (std::size_t a = 0; a < static_cast<std::size_t>(of[i].count); ++a) {
      int const first = of[i].column[a];
      double const entry = of[i].entry[a];
      if (first < unknowns) n.slope(first) += entry * r;
      else n.point_slope[static_cast<std::size_t>((first - unknowns) / 3)]((first - unknowns) % 3) += entry * r;
      for (std::size_t b = 0; b < static_cast<std::size_t>(of[i].count); ++b) {
        int const second = of[i].column[b];
        double const product = entry * of[i].entry[b];
        auto const p = static_cast<std::size_t>((second - unknowns) / 3);  // columns are in order: points come last
        if (first < unknowns && second < unknowns) n.cameras(first, second) += product;
        else if (first < unknowns) n.between[p](first, (second - unknowns) % 3) += product;
        else if (second >= unknowns) n.point[p]((first - unknowns) % 3, (second - unknowns) % 3) += product;
      }
    }
  }
}

/// Moves `x` by the step that solves them, and returns the largest entry of the gradient.
double take_step(normal_equations& n, scene& x) {
  double slope = n.slope.lpNorm<Eigen::Infinity>();
  auto reduced = n.cameras;
  Eigen::Matrix<double, unknowns, 1> right = n.slope;
  for (std::size_t p = 0; p < points; ++p) {
    slope = std::max(slope, n.point_slope[p].lpNorm<Eigen::Infinity>());
    Eigen::Matrix<double, unknowns, 3> const by_inverse = n.between[p] * n.point[p].inverse();
    reduced -= by_inverse.lazyProduct(n.between[p].transpose());
    right -= by_inverse * n.point_slope[p];
  }
  Eigen::LLT<Eigen::Ref<decltype(reduced)>> const factors(reduced);
  factors.solveInPlace(right);
  for (std::size_t c = 0; c < sought; ++c) {
    etch::tensor<double, 6> step;
    for (std::size_t k = 0; k < 6; ++k) step[k] = -right(static_cast<Eigen::Index>(6 * c + k));
    std::get<0>(x)[c] = retract(std::get<0>(x)[c], step);
  }
  for (std::size_t p = 0; p < points; ++p) {
    Eigen::Vector3d const step = n.point[p].inverse() * (n.point_slope[p] - n.between[p].transpose() * right);
    for (int k = 0; k < 3; ++k) std::get<1>(x)(k, static_cast<int>(p)) -= step(k);
  }
  return slope;
}

lesson::outcome teach(lesson::settings const& s) {
  nn::generator random(21);
  scene truth;
  known fixed;
  for (int p = 0; p < points; ++p)
    for (int k = 0; k < 3; ++k) std::get<1>(truth)(k, p) = random.normal();
  auto const camera = [](double angle) {  // six units away, turned towards the scene
    pose at = pose::exp(etch::tensor<double, 6>{0, 0, 0, 0.2 * angle, angle, 0});
    at.z = 6;
    return at;
  };
  fixed = {camera(0), camera(0.4)};
  std::get<0>(truth) = {camera(-0.5)};
  seen_points seen;
  for (std::size_t i = 0; i < images; ++i) {
    pose const& at = i < fixed.size() ? fixed[i] : std::get<0>(truth)[i - fixed.size()];
    for (int p = 0; p < points; ++p) {
      etch::tensor<double, 3> point;
      for (int k = 0; k < 3; ++k) point(k) = std::get<1>(truth)(k, p);
      auto const there = act(at, point);
      seen[i](0, p) = there(0) / there(2), seen[i](1, p) = there(1) / there(2);
    }
  }
  scene x = truth;  // to begin with, off by a tenth
  for (pose& each : std::get<0>(x)) {
    etch::tensor<double, 6> off;
    for (double& entry : off) entry = 0.1 * random.normal();
    each = retract(each, off);
  }
  for (double& entry : std::get<1>(x)) entry += 0.1 * random.normal();

  static auto jacobian = etch::sparse_jacobian(reprojection, x, fixed, seen);
  constexpr auto facts = decltype(jacobian)::facts;
  static_assert(facts.colours == 9);
  std::printf("Jacobian: %d x %d, %d entries by %d directional derivatives\n", facts.rows, facts.columns,
              facts.nonzeros, facts.colours);
  static normal_equations normal;
  long const before = heap::count();
  double cost = 0, slope = 1;
  for (int step = 0; step < s.steps && slope > 1e-13; ++step) {
    jacobian(x, fixed, seen);
    cost = 0.5 * jacobian.value().flat().squaredNorm();
    accumulate(normal, jacobian);
    slope = take_step(normal, x);
    std::printf("step %2d: cost %.3e, gradient %.1e\n", step + 1, cost, slope);
  }
  long const allocations = heap::count() - before;
  double const distance = (std::get<1>(x).flat() - std::get<1>(truth).flat()).lpNorm<Eigen::Infinity>();
  std::printf("largest error of a point: %.1e\n", distance);
  return {cost, distance <= s.bound, facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "21_bundle_adjustment",
                      .about = "Cameras and points from what the cameras see.",
                      .steps = 12,
                      .bound = 1e-10,
                      .measure = "largest error of a point at the end, at most",
                      .steps_are = "steps of Gauss and Newton's iteration, at most"},
                     teach);
}
