// Minimisation problems with known answers, for every adapter.
#pragma once

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <Eigen/Cholesky>

namespace problems {

/// H. Rosenbrock, An automatic method for finding the greatest or least value of a
/// function (1960): minimum 0 at (1, 1).
inline constexpr auto rosenbrock = [](auto x) { return square(1 - x(0)) + 100 * square(x(1) - square(x(0))); };

/// (x - m)ᵀ diag(c) (x - m) of a struct of unlike members; the minimum is 0 at m.
template <class T>
struct parts {
  etch::param<T, 2, 2> square;
  T number;
  ETCH_MEMBERS(parts, square, number)
};
inline constexpr auto bowl = [](auto x, auto minimum) {
  return sum(square(x.square - minimum.square)) + 10 * square(x.number - minimum.number);
};

/// log(x) is no number left of 0; the minimum of x - log(x) is 1 at 1.
inline constexpr auto with_log = [](auto x) { return x - log(x); };

/// Logistic regression with a ridge: features as columns, labels of -1 and 1.
inline constexpr int features = 3, examples = 40;
inline constexpr auto logistic = [](auto w, auto x, auto labels) {
  return sum(softplus(-cwise_product(labels, transpose(x) * w))) + 0.05 * squared_norm(w);
};

struct logistic_data {
  etch::tensor<double, features, examples> x;
  etch::tensor<double, examples> labels;
};
inline logistic_data draw() {
  logistic_data d;
  etch::nn::generator random(3);
  for (int i = 0; i < examples; ++i) {
    for (int k = 0; k < features; ++k) d.x(k, i) = random.normal();
    d.labels(i) = d.x(0, i) - 0.5 * d.x(1, i) + 0.8 * random.normal() > 0 ? 1 : -1;
  }
  return d;
}
/// Newton's method in long double: what the minimum is.
inline Eigen::Matrix<long double, features, 1> newton(logistic_data const& d) {
  using vector = Eigen::Matrix<long double, features, 1>;
  vector w = vector::Zero();
  for (int step = 0; step < 30; ++step) {
    vector gradient = 0.1L * w;
    Eigen::Matrix<long double, features, features> hessian =
        0.1L * Eigen::Matrix<long double, features, features>::Identity();
    for (int i = 0; i < examples; ++i) {
      vector x;
      for (int k = 0; k < features; ++k) x(k) = d.x(k, i);
      long double const p = 1 / (1 + std::exp(d.labels(i) * x.dot(w)));
      gradient -= p * d.labels(i) * x;
      hessian += p * (1 - p) * x * x.transpose();
    }
    w -= hessian.ldlt().solve(gradient);
  }
  return w;
}

}  // namespace problems
