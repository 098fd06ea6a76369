// Models that workers share: a recurrent one, one of images, a mixture of Gaussians, observations by cameras,
// attention.
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

#include "compile/parallel_numbers.hpp"
#include "compile/threads.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace {

using namespace etch;
using namespace parallel_numbers;

/// One step of two gates; the batch is the last axis in memory, and of each step.
constexpr auto recurrent = [](auto w, auto u, auto b, auto xs, auto y) {
  auto const last = scan(
      [&](auto h, auto x) {
        auto const z = w * x + u * h + b;
        auto const next = cwise_product(sigmoid(slice<0, 0, 4>(z)), h) + tanh(slice<0, 4, 4>(z));
        return step{next, sum<0>(square(next))};
      },
      zeros<4, 10>(), permute<0, 2, 1>(xs));
  return mean(square(last.carry - y)) + 0.1 * sum(last.y) / 60.0 + 0.01 * sum(square(u));
};

TEST_CASE("a recurrent network whose steps have the batch as their last axis") {
  tensor<double, 8, 3> w;
  tensor<double, 8, 4> u;
  tensor<double, 8> b;
  tensor<double, 3, 6, 10> xs;
  tensor<double, 4, 10> y;
  fill(w), fill(u, 0.3), fill(b), fill(xs), fill(y);
  auto step = compile<wrt<0, 1, 2>>(recurrent, w, u, b, xs, y);
  auto shared = parallel<3, test_workers::threads>(step);
  CHECK(shared(w, u, b, xs, y) == doctest::Approx(step(w, u, b, xs, y)).epsilon(1e-14));
  CHECK(distance(step.grad<0>(), shared.grad<0>()) < 1e-13);
  CHECK(distance(step.grad<1>(), shared.grad<1>()) < 1e-13);
  CHECK(distance(step.grad<2>(), shared.grad<2>()) < 1e-13);
}

constexpr auto of_images = [](auto k, auto c, auto w, auto x, auto y) {
  auto const a = max_pool<2>(relu(conv2d(x, k) + reshape<1, 1, -1>(c)));
  return nn::softmax_cross_entropy(w * reshape<-1, decltype(y)::extent[0]>(a), y);
};

TEST_CASE("a network of images") {
  tensor<float, 3, 3, 2, 4> k;
  tensor<float, 4> c;
  tensor<float, 5, 36> w;
  tensor<float, 8, 8, 2, 9> x;
  tensor<int, 9> y;
  fill(k), fill(c), fill(w), fill(x), fill(y);
  auto step = compile<wrt<0, 1, 2>>(of_images, k, c, w, x, y);
  auto shared = parallel<2, test_workers::threads>(step);
  CHECK(shared(k, c, w, x, y) == doctest::Approx(step(k, c, w, x, y)).epsilon(1e-6));
  CHECK(distance(step.grad<0>(), shared.grad<0>()) < 1e-5);
  CHECK(distance(step.grad<1>(), shared.grad<1>()) < 1e-5);
  CHECK(distance(step.grad<2>(), shared.grad<2>()) < 1e-5);
}

/// The extents of the whole stand in the loss as numbers.
constexpr auto mixture = [](auto alpha, auto means, auto x) {
  auto const likelihood =
      sum_map([&](auto point) { return logsumexp(alpha - 0.5 * reshape<4>(sum<0>(square(point - means)))); }, x);
  return likelihood - 50 * logsumexp(alpha) + sum(square(means));
};

TEST_CASE("a mixture of Gaussians, point by point") {
  tensor<double, 4> alpha;
  tensor<double, 3, 4> means;
  tensor<double, 3, 50> x;
  fill(alpha), fill(means), fill(x);
  auto step = compile<wrt<0, 1>>(mixture, alpha, means, x);
  auto shared = parallel<3, test_workers::threads>(step);
  CHECK(shared(alpha, means, x) == doctest::Approx(step(alpha, means, x)).epsilon(1e-14));
  CHECK(distance(step.grad<0>(), shared.grad<0>()) < 1e-13);
  CHECK(distance(step.grad<1>(), shared.grad<1>()) < 1e-13);
}

constexpr auto jacobians = [](auto cameras, auto points, auto weights, auto camera_of, auto point_of) {
  return jacobian_map<wrt<0, 1, 2>>(
             [](auto camera, auto point, auto weight) { return weight * sin(camera(0) * point - camera(1)); },
             gather<1>(cameras, camera_of), gather<1>(points, point_of), weights)
      .jacobian;
};

TEST_CASE("derivatives of each observation, of cameras and points that all workers have") {
  tensor<double, 2, 3> cameras;
  tensor<double, 2, 6> points;
  tensor<double, 11> weights;
  tensor<int, 11> camera_of, point_of;
  fill(cameras), fill(points), fill(weights);
  for (int i = 0; i < 11; ++i) camera_of(i) = i % 3, point_of(i) = i * 5 % 6;
  auto step = compile<wrt<>>(jacobians, cameras, points, weights, camera_of, point_of);
  auto shared = parallel<4, test_workers::threads>(step);
  CHECK(distance(step(cameras, points, weights, camera_of, point_of),
                 shared(cameras, points, weights, camera_of, point_of)) < 1e-14);
}

template <class T>
struct block {
  nn::layer_norm<T, 6> norm;
  nn::dense<T, 6, 6> mix;
  ETCH_MEMBERS(block, norm, mix)
  constexpr auto operator()(auto x) const { return x + mix(gelu(norm(x))); }
};

TEST_CASE("equal layers side by side, and norms of each column") {
  nn::repeated<3, block<double>> model;
  tensor<double, 6, 8> x, y;
  fill(x), fill(y);
  for (auto& each : model.layers) fill(each, 0.4);
  constexpr auto loss = [](auto layers, auto v, auto z) { return mean(square(layers(v) - z)); };
  auto step = compile(loss, model, x, y);
  auto shared = parallel<3, test_workers::threads>(step);
  CHECK(shared(model, x, y) == doctest::Approx(step(model, x, y)).epsilon(1e-13));
  CHECK(distance(step.grad<0>(), shared.grad<0>()) < 1e-12);
}

}  // namespace
