// Lesson 17: products with the Hessian, and no Hessian. Newton's method trains a logistic regression: each step solves
// H d = -g by conjugate gradients, which ask for H times a vector and nothing else (S. Nash, Truncated-Newton methods,
// 2000). The optimum is known to the last digits, since the loss is convex: the gradient there is zero.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>

namespace {

namespace nn = etch::nn;

constexpr int features = 20, samples = 400;

template <class T>
struct regression {
  etch::param<T, features> weights;
  T bias;
  ETCH_MEMBERS(regression, weights, bias)
};

/// The mean of log(1 + exp(-label * score)), and a little of the squared weights.
constexpr auto loss = [](auto model, auto x, auto labels) {
  auto const score = transpose(x) * model.weights + model.bias;
  return mean(softplus(-1.0 * cwise_product(labels, score))) + 0.5e-3 * sum(square(model.weights));
};

using model_type = regression<double>;
model_type model, direction, residual, conjugate;
etch::tensor<double, features, samples> x;
etch::tensor<double, samples> labels;
constinit auto gradient = etch::compile<etch::wrt<0>>(loss, model, x, labels);
constinit auto hessian_times = etch::compile<etch::wrt<>>(etch::hvp(loss), model, x, labels, model);

/// d with H d = -g, to a tenth of g: arithmetic of structs, and a product with H for each iteration.
int solve(model_type const& g) {
  direction = 0.0 * g, residual = -g, conjugate = residual;
  double squares = etch::dot(residual, residual);
  double const enough = 0.01 * std::min(squares, squares * squares);
  int iterations = 0;
  for (; squares > enough && iterations < 100; ++iterations) {
    model_type const& product = hessian_times(model, x, labels, conjugate);
    double const length = squares / etch::dot(conjugate, product);
    direction += length * conjugate;
    residual -= length * product;
    double const next = etch::dot(residual, residual);
    conjugate = residual + (next / squares) * conjugate;
    squares = next;
  }
  return iterations;
}

lesson::outcome teach(lesson::settings const& s) {
  nn::generator random(17);
  etch::tensor<double, features> truth;
  for (double& each : truth) each = random.normal();
  for (int n = 0; n < samples; ++n) {
    double score = 0.3;
    for (int k = 0; k < features; ++k) x(k, n) = random.normal(), score += truth(k) * x(k, n);
    labels(n) = random.uniform() < 1 / (1 + std::exp(-score)) ? 1 : -1;
  }

  double value = 0, slope = 1;
  long const before = heap::count();
  int products = 0, steps = 0;
  for (; steps < s.steps && slope > 1e-13; ++steps) {
    value = gradient(model, x, labels);
    model_type const& g = gradient.grad<0>();
    slope = etch::norm(g);
    int const iterations = solve(g);
    products += iterations;
    model += direction;
    std::printf("step %2d: loss %.12f, gradient %.1e, %d products with the Hessian\n", steps + 1, value, slope,
                iterations);
  }
  long const allocations = heap::count() - before;
  std::printf("%d steps, %d products\n", steps, products);
  return {value, slope <= s.bound, gradient.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(
      argc, argv,
      {.name = "17_newton_cg",
       .about = "Newton's method with conjugate gradients trains a logistic regression to the last digits.",
       .steps = 15,
       .bound = 1e-12,
       .measure = "norm of the gradient at the end, at most",
       .steps_are = "steps of Newton's method, at most"},
      teach);
}
