// Lesson 22: model predictive control. A quadrotor in a plane flies to a point: every tenth of a second it plans two
// seconds ahead, thrusts and states together (H. Bock, K. Plitt, A multiple shooting algorithm for direct solution of
// optimal control problems, 1984), and flies the first tenth of the plan. A plan is found by Newton's method on the
// Lagrangian, by thrusts, states and multipliers alike: its gradient holds the equations of motion, and its Hessian is
// the matrix of Karush, Kuhn and Tucker, whose structure and colours the compiler finds. A logarithmic barrier keeps
// thrusts within their limits. The first step from hover is known: Riccati's recursion solves the linearised problem.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace {

// A column of a plan is a stage: two thrusts, the state that they lead to, and the multipliers of its equations. A
// thrust v is 1 + v times that of a rotor at hover, -1 < v < 1; a state is position, angle and their rates, and 0 is to
// be reached.
constexpr int stages = 20, thrusts = 2, states = 6, entries = thrusts + 2 * states;
constexpr double interval = 0.1, gravity = 9.81, turning = 25, effort = 1, barrier = 0.01;
using plan = etch::tensor<double, entries, stages>;
using state = etch::tensor<double, states, 1>;
using control = etch::tensor<double, thrusts, 1>;
using stage_weights = etch::tensor<double, states, stages>;

/// The rates of states [6, n] under thrusts [2, n].
constexpr auto rates = [](auto const& s, auto const& v) {
  auto const lift = gravity * (1 + 0.5 * (v.row(0) + v.row(1))), angle = s.row(2);
  return etch::concat<0>(etch::slice<0, 3, 3>(s), -cwise_product(lift, sin(angle)),
                         cwise_product(lift, cos(angle)) - gravity, turning * (v.row(0) - v.row(1)));
};
/// The states after an interval, by Runge's midpoint method.
constexpr auto after = [](auto const& s, auto const& v) {
  return s + interval * rates(s + 0.5 * interval * rates(s, v), v);
};
constexpr auto lagrangian = [](auto const& x, auto const& start, auto const& weights) {
  auto const v = etch::slice<0, 0, thrusts>(x);
  auto const s = etch::slice<0, thrusts, states>(x);
  auto const multipliers = etch::slice<0, thrusts + states, states>(x);
  auto const before = etch::concat<1>(start, etch::slice<1, 0, stages - 1>(s));
  return 0.5 * (sum(cwise_product(weights, square(s))) + effort * sum(square(v))) - barrier * sum(log(1 - square(v))) +
         sum(cwise_product(multipliers, after(before, v) - s));
};

/// The first thrusts of the linearised problem, from its last stage to its first.
Eigen::Vector2d riccati(state const& start, stage_weights const& weights) {
  auto const slopes = etch::jacobian<etch::wrt<0, 1>>(after)(start, control{});
  Eigen::Matrix<double, states, states> const a = slopes.matrix().leftCols<states>();
  Eigen::Matrix<double, states, thrusts> const b = slopes.matrix().rightCols<thrusts>();
  Eigen::Matrix<double, states, states> ahead = weights.matrix().col(stages - 1).asDiagonal();
  for (int k = stages - 1;; --k) {
    Eigen::Matrix2d const curvature = (effort + 2 * barrier) * Eigen::Matrix2d::Identity() + b.transpose() * ahead * b;
    Eigen::Matrix<double, thrusts, states> const gain = -curvature.inverse() * b.transpose() * ahead * a;
    if (k == 0) return gain * start.flat();
    ahead = (a.transpose() * ahead * (a + b * gain)).eval();
    ahead.diagonal() += weights.matrix().col(k - 1);
  }
}

lesson::outcome teach(lesson::settings const& s) {
  static plan x;  // to begin with: hover where it is to be
  static stage_weights weights;
  for (int k = 0; k < stages; ++k)
    for (int i = 0; i < states; ++i) weights(i, k) = (i < 3 ? 1 : 0.1) * (k == stages - 1 ? 20 : 1);
  state at{2, -1, 0, 0.5, 0, 0};
  static auto fly = etch::compile<etch::wrt<>>(after, at, control{});
  static auto kkt = etch::sparse_hessian(lagrangian, x, at, weights);
  constexpr auto facts = decltype(kkt)::facts;
  static_assert(facts.colours == 8);
  std::printf("matrix: %d x %d, %d entries by %d directional derivatives\n", facts.rows, facts.columns, facts.nonzeros,
              facts.colours);

  // Stage by stage the matrix is a band, and its factors fill nothing outside of it.
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Upper, Eigen::NaturalOrdering<int>> factors;
  factors.analyzePattern(kkt.matrix());
  Eigen::VectorXd step;
  double cost = INFINITY, off_riccati = 0, violation = 0;
  bool descends = true, minimal = true;
  int newton_steps = 0;
  long allocations = 0;
  for (int time = 0; time < s.steps; ++time) {
    double slope = INFINITY;
    for (int i = 0; i < 30 && !(slope <= 1e-10); ++i, ++newton_steps) {
      long const before = heap::count();
      kkt(x, at, weights);
      allocations += heap::count() - before;
      slope = kkt.gradient().flat().lpNorm<Eigen::Infinity>();
      factors.factorize(kkt.matrix());
      // As many negative pivots as equations: the step leads to a minimum (N. Gould, 1985).
      minimal = minimal && (factors.vectorD().array() < 0).count() == states * stages;
      step = -factors.solve(kkt.gradient().flat());
      if (newton_steps == 0) {
        Eigen::Vector2d const known = riccati(at, weights);
        off_riccati = (step.head<thrusts>() - known).norm();
        std::printf("first step: thrusts %.9f %.9f, by Riccati's recursion %.9f %.9f\n", step[0], step[1], known[0],
                    known[1]);
      }
      double length = 1;  // 95 % of the way to a limit, at most
      for (int k = 0; k < stages; ++k)
        for (int j = 0; j < thrusts; ++j) {
          double const change = step[entries * k + j], room = 1 - std::copysign(x(j, k), x(j, k) * change);
          if (change != 0) length = std::min(length, 0.95 * room / std::abs(change));
        }
      x.flat() += length * step;
    }
    auto const by_stage = kkt.gradient().flat().reshaped(entries, stages);
    violation = std::max(violation, by_stage.bottomRows<states>().lpNorm<Eigen::Infinity>());
    descends = descends && kkt.value() <= cost + 1e-15;
    cost = kkt.value();
    if (time % 10 == 0)
      std::printf("%4.1f s: cost %.3e, position %9.6f %9.6f, angle %9.6f, thrusts %7.4f %7.4f\n", interval * time, cost,
                  at[0], at[1], at[2], x(0, 0), x(1, 0));
    at = fly(at, control{x(0, 0), x(1, 0)});
    std::copy(x.begin() + entries, x.end(), x.begin());  // the next plan begins with the rest of this one
  }
  double const distance = at.flat().lpNorm<Eigen::Infinity>();
  std::printf("after %d plans and %d steps of Newton's method: %.1e from rest, equations of motion met within %.1e\n",
              s.steps, newton_steps, distance, violation);
  report::memory_held held(facts);
  held.when = "in derivatives; Eigen's solver has its own";
  return {cost, distance <= s.bound && off_riccati <= 1e-10 && violation <= 1e-9 && descends && minimal, held,
          allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "22_model_predictive_control",
                      .about = "A quadrotor flies to a point and plans its thrusts on the way.",
                      .steps = 60,
                      .bound = 1e-3,
                      .measure = "distance to the point at the end, at most",
                      .steps_are = "plans"},
                     teach);
}
