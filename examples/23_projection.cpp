// Lesson 23: projection onto a polytope. It is the last layer of a model whose outputs must not leave it (B. Amos, J.
// Z. Kolter, OptNet, 2017). Iteration finds the walls that the nearest point touches; the derivative needs the
// equations at that point alone and is exact: a motion along the face is kept, one into a wall is lost. On the
// probability simplex it is I - 11ᵀ/k for the k entries that are not 0 (A. Martins, R. Astudillo, From softmax to
// sparsemax, 2016). Such a layer then learns its weights and its walls, a pentagon, from outputs of another one.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace {

namespace nn = etch::nn;
using Eigen::Matrix;

/// The nearest point of the probability simplex: max(p - t, 0), where t makes the sum 1. That sum is convex in t and
/// piecewise linear, so Newton's method from a t below is exact after as many steps as there are pieces, at most.
constexpr auto threshold = etch::implicit([](auto const& t, auto const& p) { return sum(relu(p - t)) - 1.0; });
constexpr auto onto_simplex = [](auto const& p) {
  return relu(p - threshold(mean(p) - 1.0 / static_cast<double>(p.extent.size()), p));
};
constexpr int classes = 6;
constexpr auto simplex_with_slopes = [](auto const& p) {
  return std::tuple(onto_simplex(p), etch::jacobian(onto_simplex)(p));
};

/// The nearest point with A x <= b: x = p - Aᵀ l. The multipliers l are at least 0, and 0 for walls that x does not
/// touch: they rest under steps of the dual problem, each projected (A. Goldstein, 1964).
constexpr auto multipliers = etch::fixed_point([](auto const& l, auto const& p, auto const& a, auto const& b) {
  auto const beyond = a * (p - transpose(a) * l) - b;
  return relu(l + (1.5 / sum(square(a))) * beyond);
});
constexpr auto onto_polytope = [](auto const& p, auto const& a, auto const& b) {
  return p - transpose(a) * multipliers(0.0 * b, p, a, b);
};

constexpr int walls = 5, inputs = 3, outputs = 2, samples = 60;
template <class T>
struct layer {
  etch::param<T, outputs, inputs> weights;
  etch::param<T, walls> logarithms;  // of b: 0 is always inside
  ETCH_MEMBERS(layer, weights, logarithms)
};
using numbers = layer<double>;
constexpr auto misfit = [](auto const& model, auto const& normals, auto const& x, auto const& y) {
  auto const offsets = exp(model.logarithms);
  auto const of_sample = [&](auto const& each) { return onto_polytope(model.weights * each, normals, offsets); };
  return sum(square(etch::map(of_sample, x) - y)) / samples;
};

etch::tensor<double, walls, outputs> normals;
etch::tensor<double, inputs, samples> given;
etch::tensor<double, outputs, samples> wanted;

/// How far value and Jacobian of the projection onto the simplex are from their closed form, at most; NaN if there is
/// none.
double error_on_simplex(nn::generator& random) {
  etch::tensor<double, classes> p;
  static auto program = etch::compile<etch::wrt<>>(simplex_with_slopes, p);
  double worst = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    for (double& entry : p) entry = random.normal();
    program(p);
    if (program.status() != etch::status::ok) return NAN;
    auto sorted = p;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double t = 0, sum = 0;
    int k = 0;
    for (int i = 0; i < classes; ++i) {
      sum += sorted(i);
      if (sorted(i) > (sum - 1) / (i + 1)) t = (sum - 1) / (i + 1), k = i + 1;
    }
    for (int i = 0; i < classes; ++i) {
      worst = std::max(worst, std::abs(program.result<0>()(i) - std::max(p(i) - t, 0.0)));
      for (int j = 0; j < classes; ++j) {
        double const slope = p(i) > t && p(j) > t ? (i == j) - 1.0 / k : 0;
        worst = std::max(worst, std::abs(program.result<1>()(i, j) - slope));
      }
    }
  }
  return worst;
}

/// The nearest point with its Jacobians, in closed form: of all sets of walls that x may touch the one with multipliers
/// of 0 or more, whose x is within the other walls.
struct nearest {
  Matrix<double, outputs, 1> x = Matrix<double, outputs, 1>::Constant(NAN);
  Matrix<double, outputs, outputs> by_point;
  Matrix<double, outputs, walls> by_logarithms;
};
nearest by_enumeration(Matrix<double, outputs, 1> const& p, etch::tensor<double, walls> const& logarithms) {
  constexpr int unknowns = outputs + walls;
  auto const a = normals.matrix();
  Matrix<double, walls, 1> const b = logarithms.array().exp();
  for (unsigned touched = 0; touched < 1U << walls; ++touched) {
    if (std::popcount(touched) > outputs) continue;
    // x + Aᵀ l = p; A x = b at these walls, and l = 0 at the others.
    Matrix<double, unknowns, unknowns> equations = Matrix<double, unknowns, unknowns>::Identity();
    Matrix<double, unknowns, 1> right;
    Matrix<double, walls, 1> chosen = Matrix<double, walls, 1>::Zero();
    equations.topRightCorner<outputs, walls>() = a.transpose();
    for (int i = 0; i < walls; ++i)
      if (touched >> i & 1U) {
        equations.row(outputs + i) << a.row(i), Matrix<double, 1, walls>::Zero();
        chosen(i) = b(i);
      }
    right << p, chosen;
    Matrix<double, unknowns, unknowns> const inverse = equations.inverse();
    Matrix<double, unknowns, 1> const solution = inverse * right;
    auto const x = solution.head<outputs>();
    if (solution.tail<walls>().minCoeff() >= 0 && (a * x - b).maxCoeff() <= 1e-12)
      return {x, inverse.topLeftCorner<outputs, outputs>(),
              inverse.topRightCorner<outputs, walls>() * chosen.asDiagonal()};
  }
  return {};  // never: there is always one
}
/// The gradient of the misfit in closed form.
numbers gradient_by_enumeration(numbers const& model) {
  numbers g;
  for (int i = 0; i < samples; ++i) {
    auto const sample = given.matrix().col(i);
    nearest const n = by_enumeration(model.weights.matrix() * sample, model.logarithms);
    Matrix<double, outputs, 1> const slope = 2.0 / samples * (n.x - wanted.matrix().col(i));
    g.weights.matrix() += n.by_point.transpose() * slope * sample.transpose();
    g.logarithms.flat() += n.by_logarithms.transpose() * slope;
  }
  return g;
}
double distance(numbers const& a, numbers const& b) {
  return std::max((a.weights.flat() - b.weights.flat()).lpNorm<Eigen::Infinity>(),
                  (a.logarithms.flat() - b.logarithms.flat()).lpNorm<Eigen::Infinity>());
}

lesson::outcome teach(lesson::settings const& s) {
  nn::generator random(23);
  double const on_simplex = error_on_simplex(random);
  std::printf("on the simplex: value and Jacobian within %.1e of the closed form\n", on_simplex);

  static numbers truth, model, gradient;
  for (int i = 0; i < walls; ++i) {  // an irregular pentagon
    double const angle = 2 * 3.141592653589793 * (i + 0.1 * random.normal()) / walls;
    normals(i, 0) = std::cos(angle), normals(i, 1) = std::sin(angle);
    truth.logarithms(i) = -0.3 * random.uniform();
  }
  truth.weights = {1, -0.5, 0.5, 1, -0.5, 0.5};
  for (double& entry : given) entry = random.normal();
  for (int i = 0; i < samples; ++i)
    wanted.matrix().col(i) = by_enumeration(truth.weights.matrix() * given.matrix().col(i), truth.logarithms).x;

  static auto fit = etch::compile<etch::wrt<0>>(misfit, model, normals, given, wanted);
  model.weights = truth.weights;
  fit(model, normals, given, wanted, etch::into(gradient));
  double const on_pentagon = distance(gradient, gradient_by_enumeration(model));
  std::printf("on the pentagon: gradient within %.1e of the closed form\n", on_pentagon);

  model = {};  // to begin with: no weights, walls at 1
  etch::optim::adam<numbers> adam;
  etch::optim::cosine_decay const rate{0.1, 0.0001, s.steps};
  double loss = 0;
  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    loss = fit(model, normals, given, wanted, etch::into(gradient));
    if (fit.status() != etch::status::ok) return {NAN, false, fit.facts, heap::count() - before};
    adam.learning_rate = rate(i);
    adam.update(model, gradient);
    if ((i + 1) * 6 / s.steps > i * 6 / s.steps)
      std::printf("step %5d: misfit %.3e, weights and walls within %.1e of the true ones\n", i + 1, loss,
                  distance(model, truth));
  }
  long const allocations = heap::count() - before;
  return {loss, distance(model, truth) <= s.bound && on_simplex <= 1e-10 && on_pentagon <= 1e-10, fit.facts,
          allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "23_projection",
                      .about = "A layer that projects onto a polygon: its weights and walls from its outputs.",
                      .steps = 400,
                      .bound = 1e-6,
                      .measure = "largest error of a weight or wall at the end, at most"},
                     teach);
}
