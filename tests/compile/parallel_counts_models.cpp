// Networks, points and matrices of Eigen's whose batch counts, among workers.
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

#include "compile/parallel_agree.hpp"
#include "compile/threads.hpp"

#include <vector>

namespace {

using namespace etch;
using namespace parallel_numbers;

TEST_CASE("sequences, whose steps take a mean over the batch too") {
  tensor<double, 4, 4> u;
  tensor<double, 4, 6, upto<9>> xs;
  fill(u, 0.3), fill(xs);
  constexpr auto loss = [](auto w, auto all) {
    auto const series = permute<0, 2, 1>(all);  // [4, count, 6]: six steps
    auto const last = etch::scan(
        [&](auto h, auto x) {
          auto const next = tanh(w * h + x);
          return etch::step{next, mean(square(next))};
        },
        reshape<4, -1>(slice<2, 0, 1>(series)), series);
    return mean(square(last.carry)) + sum(last.y);
  };
  auto step = compile(loss, u, xs);
  auto shared = parallel<2, test_workers::threads>(step);
  for (int n : {9, 8, 5, 2, 1}) {
    CAPTURE(n);
    xs.resize(n);
    CHECK(shared(u, xs) == doctest::Approx(step(u, xs)).epsilon(1e-13));
    agree(step.grad<0>(), shared.grad<0>(), 1e-13);
  }
}

TEST_CASE("a network of images") {
  tensor<float, 3, 3, 2, 4> k;
  tensor<float, 4> c;
  tensor<float, 5, 36> w;
  tensor<float, 8, 8, 2, upto<9>> x;
  tensor<int, upto<9>> y;
  fill(k), fill(c), fill(w), fill(x), fill(y);
  constexpr auto loss = [](auto kernel, auto bias, auto out, auto images, auto labels) {
    auto const a = max_pool<2>(relu(conv2d(images, kernel) + reshape<1, 1, -1>(bias)));
    return nn::softmax_cross_entropy(out * reshape<36, -1>(a), labels);
  };
  auto step = compile<wrt<0, 1, 2>>(loss, k, c, w, x, y);
  auto shared = parallel<2>(step);
  for (int n : {9, 6, 1}) {
    CAPTURE(n);
    x.resize(n), y.resize(n);
    CHECK(shared(k, c, w, x, y) == doctest::Approx(step(k, c, w, x, y)).epsilon(1e-5));
    agree(step.grad<0>(), shared.grad<0>(), 1e-5);
    agree(step.grad<1>(), shared.grad<1>(), 1e-5);
    agree(step.grad<2>(), shared.grad<2>(), 1e-5);
  }
}

TEST_CASE("points in the caller's memory, any number of them") {
  std::vector<double> memory(2 * 1001);
  nn::generator random(5);
  for (double& each : memory) each = random.normal();
  tensor<double, 2> centre{0.25, -0.5};
  constexpr auto spread = [](auto c, auto all) {
    return sum_map([&](auto p) { return exp(-0.5 * sum(square(p - c))); }, all) / all.count();
  };
  points<double, 2> const none{std::span<double const>()};
  auto step = compile(spread, centre, none);
  auto shared = parallel<4, test_workers::threads>(step);
  for (std::size_t n : {1u, 2u, 3u, 4u, 5u, 63u, 64u, 1001u}) {
    CAPTURE(n);
    points<double, 2> const all{std::span<double const>(memory.data(), 2 * n)};
    CHECK(shared(centre, all) == doctest::Approx(step(centre, all)).epsilon(1e-13));
    agree(step.grad<0>(), shared.grad<0>(), 1e-13);
  }
}

TEST_CASE("matrices of Eigen's with as many columns as they have") {
  using columns = Eigen::Matrix<double, 4, Eigen::Dynamic, 0, 4, 12>;
  tensor<double, 3, 4> w;
  fill(w);
  columns x = columns::Random(4, 12);
  auto step = compile([](auto u, auto v) { return mean(square(u * v)); }, w, x);
  auto shared = parallel<2>(step);
  for (int n : {12, 7, 2, 1}) {
    CAPTURE(n);
    x.conservativeResize(4, n);
    CHECK(shared(w, x) == doctest::Approx(step(w, x)).epsilon(1e-14));
    agree(step.grad<0>(), shared.grad<0>(), 1e-14);
  }
}

}  // namespace
