// dense_exp: sum(exp(W x + b)) and its gradient in W and b, double.
#pragma once

#include "../rival.hpp"

#include <etch/core/members.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

struct dense_exp {
  static constexpr int rows = 512, features = 256, columns = 4096;
  static constexpr char name[] = "dense_exp";
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-11;
  static constexpr double flops = 2.0 * 2 * rows * features * columns;

  struct parameters {
    etch::tensor<double, rows, features> w;
    etch::tensor<double, rows> b;
    ETCH_MEMBERS(parameters, w, b)
  };
  using gradient = parameters;

  struct inputs {
    parameters model;
    etch::tensor<double, features, columns> x;
  };

  static void fill(inputs& i) {
    etch::nn::generator random(1);
    for (double& e : i.model.w) e = 0.03 * random.normal();
    for (double& e : i.model.b) e = 0.1 * random.normal();
    for (double& e : i.x) e = random.normal();
  }
};
