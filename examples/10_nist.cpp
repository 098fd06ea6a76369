// Nonlinear regression: the 27 problems of NIST's Statistical Reference Datasets, whose answers are certified to
// eleven digits. etch compiles each model over its observations, so that residuals and Jacobian are one pass in the
// lanes of a register; Ceres does the rest.
//   10_nist --data DIR   all problems, from NIST's files; without it Misra1a, whose file is below
#include "heap_count.hpp"
#include "nist.hpp"

#include <CLI/CLI.hpp>
#include <Eigen/QR>
#include <ceres/ceres.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <sstream>

namespace {

constexpr char const* misra1a = R"(
               Lower Level of Difficulty
        Start 1     Start 2           Parameter     Standard Deviation
  b1 =   500         250           2.3894212918E+02  2.7070075241E+00
  b2 =     0.0001      0.0005      5.5015643181E-04  7.2668688436E-06

Residual Sum of Squares:                    1.2455138894E-01
Residual Standard Deviation:                1.0187876330E-01

Data:   y               x
      10.07E0      77.6E0
      14.73E0     114.9E0
      17.94E0     141.1E0
      23.93E0     190.8E0
      29.61E0     239.9E0
      35.18E0     289.0E0
      40.02E0     332.8E0
      44.82E0     378.4E0
      50.76E0     434.8E0
      55.05E0     477.3E0
      61.01E0     536.8E0
      66.40E0     593.1E0
      75.47E0     689.1E0
      81.78E0     760.0E0
)";

/// Digits in which `found` agrees with the certified value, of the eleven that it has.
double digits(double found, double certified) {
  double const error = std::abs(found - certified) / std::abs(certified);
  return error > 0 ? std::clamp(-std::log10(error), 0.0, 11.0) : std::isnan(error) ? 0.0 : 11.0;
}
double least_digits(std::vector<double> const& found, std::vector<double> const& certified) {
  double least = 11;
  for (std::size_t i = 0; i < certified.size(); ++i) least = std::min(least, digits(found[i], certified[i]));
  return least;
}

/// A cost function that counts the heap allocations of another.
struct counted : ceres::CostFunction {
  ceres::CostFunction const& of;
  mutable long allocations = 0;

  explicit counted(ceres::CostFunction const& cost) : of(cost) {
    set_num_residuals(of.num_residuals());
    *mutable_parameter_block_sizes() = of.parameter_block_sizes();
  }
  bool Evaluate(double const* const* b, double* residuals, double** jacobians) const override {
    long const before = heap::count();
    bool const valid = of.Evaluate(b, residuals, jacobians);
    allocations += heap::count() - before;
    return valid;
  }
};

/// The sum of squared residuals at the certified parameters.
double sum_of_squares(ceres::CostFunction const& cost, nist::dataset const& d) {
  std::vector<double> residuals(d.y.size());
  double const* at = d.certified.data();
  cost.Evaluate(&at, residuals.data(), nullptr);
  return std::transform_reduce(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
}

/// sqrt(diag((JᵀJ)⁻¹)) times the certified residual deviation, by a QR decomposition of J with
/// its columns scaled to one length.
std::vector<double> deviations(ceres::CostFunction const& cost, nist::dataset const& d) {
  using matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  auto const rows = cost.num_residuals(), columns = static_cast<int>(d.certified.size());
  matrix j(rows, columns);
  std::vector<double> residuals(static_cast<std::size_t>(rows));
  double const* at = d.certified.data();
  double* to = j.data();
  cost.Evaluate(&at, residuals.data(), &to);
  using wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Eigen::Matrix<long double, Eigen::Dynamic, 1> const scale =
      j.cast<long double>().colwise().norm().transpose().cwiseInverse();
  Eigen::ColPivHouseholderQR<wide> const qr(j.cast<long double>() * scale.asDiagonal());
  wide const r = qr.matrixR().topRows(columns).triangularView<Eigen::Upper>();
  wide const inverse = scale.asDiagonal() * (qr.colsPermutation() *
                                             r.triangularView<Eigen::Upper>().solve(wide::Identity(columns, columns)));
  std::vector<double> deviation;
  for (int i = 0; i < columns; ++i)
    deviation.push_back(static_cast<double>(inverse.row(i).norm()) * d.residual_deviation);
  return deviation;
}

struct fitted {
  std::vector<double> b;
  double squares = HUGE_VAL;
  int steps = 0;
};
/// Levenberg-Marquardt from one of the starting values, with wide and narrow regions of trust
/// at first; the best fit is kept.
fitted fit(ceres::CostFunction& cost, std::vector<double> const& start) {
  fitted best{start};
  int steps = 0;
  for (double const radius : {1e4, 1e1, 1e2, 1e3}) {
    std::vector<double> b = start;
    ceres::Problem::Options borrowed;
    borrowed.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
    ceres::Problem problem(borrowed);
    problem.AddResidualBlock(&cost, nullptr, b.data());
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_QR;
    options.initial_trust_region_radius = radius;
    options.max_num_iterations = 2000;
    options.function_tolerance = options.gradient_tolerance = options.parameter_tolerance =
        1e-25;  // on, while digits are gained
    options.max_num_consecutive_invalid_steps = 50;
    options.logging_type = ceres::SILENT;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    steps += summary.num_successful_steps + summary.num_unsuccessful_steps;
    if (summary.IsSolutionUsable() && 2 * summary.final_cost < best.squares) best = {b, 2 * summary.final_cost};
  }
  best.steps = steps;
  return best;
}

std::string text_of(std::string const& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!(text << file.rdbuf())) throw std::runtime_error(path + ": cannot be read");
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "NIST's nonlinear regressions: digits in which standard deviations and fits agree with the certified ones.");
  std::string directory;
  app.add_option("--data", directory, "where NIST's files are, Misra1a.dat and others")->type_name("DIR");
  CLI11_PARSE(app, argc, argv);

  std::vector<nist::problem> all = nist::exponential();
  if (!directory.empty()) {
    for (auto part : {nist::sums(), nist::rational()}) all.insert(all.end(), part.begin(), part.end());
  } else {
    all.resize(1);
  }
  std::printf(
      "digits that agree     b  observations  workspace  squares  deviations  first start (steps)  second start "
      "(steps)\n");
  long allocations = 0;
  int failed = 0;
  try {
    for (nist::problem const& p : all) {
      std::string const path = directory + "/" + p.name + ".dat";
      nist::dataset const d = directory.empty() ? nist::parse(misra1a, "Misra1a") : nist::parse(text_of(path), path);
      if (d.certified.size() != p.parameters || d.y.size() != p.observations ||
          d.x.size() != p.observations * p.predictors)
        throw std::runtime_error(path + ": not the numbers of parameters and observations of " + p.name);
      auto const cost = p.cost(d);
      counted counting(*cost);
      double const squares = sum_of_squares(counting, d);
      double const of_squares = digits(squares, d.squares);
      double const of_deviations = least_digits(deviations(counting, d), d.deviation);
      fitted const first = fit(counting, d.start[0]), second = fit(counting, d.start[1]);
      double const of_first = least_digits(first.b, d.certified), of_second = least_digits(second.b, d.certified);
      // Residuals below 1e-10 (Lanczos1) are lost in the eleven digits of the parameters.
      bool const good = (of_squares >= 9 || squares < 1e-20) && of_deviations >= 9 && of_first >= 6 && of_second >= 6;
      std::printf("%-8s %-8s %5zu %13zu %10lld %8.1f %11.1f %12.1f (%4d) %14.1f (%4d)%s\n", p.name, d.level.c_str(),
                  p.parameters, p.observations, static_cast<long long>(p.workspace_bytes), of_squares, of_deviations,
                  of_first, first.steps, of_second, second.steps, good ? "" : "  too few");
      allocations += counting.allocations;
      failed += good ? 0 : 1;
    }
  } catch (std::exception const& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 2;
  }
  std::printf("heap allocations in etch's part: %ld\n", allocations);
  std::printf("%d passed, %d failed\n", static_cast<int>(all.size()) - failed, failed);
  return failed == 0 && allocations == 0 ? 0 : 1;
}
