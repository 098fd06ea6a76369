// Sums over points of products, which a step adds up for several registers of points: against the program of one point,
// called for each.
#include <etch/machine/unroll_and_jam.hpp>

#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

using namespace etch;
using values::filled_with;

namespace {

constexpr auto net = [](auto w, auto b, auto v, auto x) { return sum(square(v * tanh(w * x + b))); };
constexpr auto linear = [](auto w, auto b, auto v, auto x) { return dot(tanh(w * x), b) + sum(v) * x(0); };
/// Products of as many small matrices as `w` has slices; the last dimension is that of the slices.
constexpr auto slices = [](auto w, auto b, auto v, auto x) {
  constexpr int d = decltype(x)::extent[0], k = decltype(w)::extent[2];
  auto const away = reshape<d, 1, k>(x - b);
  return logsumexp(v - 0.5 * reshape<k>(sum<0>(square(w * away))));
};
/// The product that is summed is read once more, and so is what it is made of.
constexpr auto read_again = [](auto w, auto b, auto v, auto x) {
  auto const h = tanh(w * x + b);
  return sum(square(h)) + dot(h, v * h);
};

/// The sum of `F` over points.
template <class F>
struct over_points {
  constexpr auto operator()(auto const& w, auto const& b, auto const& v, auto const& xs) const {
    return sum_map([&](auto x) { return F{}(w, b, v, x); }, xs);
  }
};

template <class T, int M, class X>
auto column_of(X const& xs, int n) {
  tensor<T, M> x;
  for (int i = 0; i < M; ++i) x[static_cast<std::size_t>(i)] = xs(i, n);
  return x;
}

/// The largest error of value and gradients, relative to what the terms of a sum come to, over `count` points.
template <class T, int M, class F, class W, class B, class V, class X>
double worst_error(F f, W const& w, B const& b, V const& v, X const& xs, int count) {
  auto const step = std::make_unique<decltype(compile<wrt<0, 1, 2, 3>>(over_points<F>{}, w, b, v, xs))>();
  auto const one = std::make_unique<decltype(compile<wrt<0, 1, 2, 3>>(f, w, b, v, tensor<T, M>()))>();
  for (int call = 0; call < 2; ++call) (*step)(w, b, v, xs);
  double value = 0, size = 1, worst = 0;
  std::vector<double> gradients;
  for (int n = 0; n < count; ++n) {
    double const of_point = static_cast<double>((*one)(w, b, v, column_of<T, M>(xs, n)));
    value += of_point, size += std::abs(of_point);
    std::size_t at = 0;
    auto const add = [&](auto const& g) {
      for (T each : g) {
        if (at == gradients.size()) gradients.push_back(0);
        gradients[at++] += static_cast<double>(each);
        size = std::max(size, std::abs(gradients[at - 1]));
      }
    };
    add(one->template grad<0>()), add(one->template grad<1>()), add(one->template grad<2>());
    for (int i = 0; i < M; ++i)
      worst = std::max(worst, std::abs(static_cast<double>(step->template grad<3>()(i, n) -
                                                           one->template grad<3>()[static_cast<std::size_t>(i)])));
  }
  worst = std::max(worst, std::abs(static_cast<double>(step->value()) - value));
  std::size_t at = 0;
  auto const compare = [&](auto const& g) {
    for (T each : g)
      worst = std::max(worst, std::abs(static_cast<double>(each) - (gradients.empty() ? 0 : gradients[at++])));
  };
  compare(step->template grad<0>()), compare(step->template grad<1>()), compare(step->template grad<2>());
  return worst / size;
}

template <class T, int N, int H, int M, int O>
void check(auto f) {
  CAPTURE(N);
  CAPTURE(H);
  CAPTURE(M);
  double const error = worst_error<T, M>(f, filled_with<tensor<T, H, M>>(1), filled_with<tensor<T, H>>(2),
                                         filled_with<tensor<T, O, H>>(3), filled_with<tensor<T, M, N>>(4), N);
  CHECK(error <= (sizeof(T) == 4 ? 2e-5 : 1e-13));
}
template <class T, int N, int D, int K>
void check_slices() {
  CAPTURE(N);
  double const error = worst_error<T, D>(slices, filled_with<tensor<T, D, D, K>>(1), filled_with<tensor<T, D, K>>(2),
                                         filled_with<tensor<T, K>>(3), filled_with<tensor<T, D, N>>(4), N);
  CHECK(error <= (sizeof(T) == 4 ? 2e-5 : 1e-13));
}

}  // namespace

TEST_CASE("any number of points") {
  check<double, 1, 7, 6, 3>(net);
  check<double, 2, 7, 6, 3>(net);
  check<double, 16, 7, 6, 3>(net);
  check<double, 33, 7, 6, 3>(net);
  check<double, 63, 7, 6, 3>(net);
  check<double, 100, 7, 6, 3>(net);
}
TEST_CASE("matrices of any shape") {
  check<double, 50, 5, 7, 7>(net);
  check<double, 50, 1, 40, 1>(net);
  check<double, 50, 40, 1, 1>(net);
  check<double, 50, 7, 13, 5>(net);
  check<double, 50, 6, 6, 6>(net);
}
TEST_CASE("floats") {
  check<float, 100, 7, 6, 3>(net);
  check<float, 37, 7, 13, 5>(net);
}
TEST_CASE("few other sums, and products that are read") {
  check<double, 45, 7, 6, 3>(linear);
  check<double, 45, 7, 6, 7>(read_again);
  check<float, 45, 7, 6, 7>(read_again);
}
TEST_CASE("slices of small matrices") {
  check_slices<double, 41, 4, 3>();
  check_slices<double, 96, 6, 5>();
  check_slices<float, 96, 6, 5>();
}

TEST_CASE("points of which so many count as a call says") {
  auto const w = filled_with<tensor<double, 7, 6>>(1);
  auto const b = filled_with<tensor<double, 7>>(2);
  auto const v = filled_with<tensor<double, 3, 7>>(3);
  for (int count : {0, 1, 7, 8, 9, 16, 31, 64, 90}) {
    CAPTURE(count);
    tensor<double, 6, upto<90>> xs;
    xs.resize(count);
    auto const from = filled_with<tensor<double, 6, 90>>(4);
    for (int n = 0; n < count; ++n)
      for (int i = 0; i < 6; ++i) xs(i, n) = from(i, n);
    CHECK(worst_error<double, 6>(net, w, b, v, xs, count) <= 1e-13);
  }
}

TEST_CASE("what is not a number at some points reaches their sums and no others") {
  auto const w = filled_with<tensor<double, 7, 6>>(1);
  auto xs = filled_with<tensor<double, 6, 50>>(2);
  auto const of_all = [](auto p, auto points) { return sum_map([&](auto x) { return sum(square(p * x)); }, points); };
  auto step = compile<wrt<0, 1>>(of_all, w, xs);
  xs(3, 20) = std::nan("");
  step(w, xs);
  for (int n = 0; n < 50; ++n)
    for (int i = 0; i < 6; ++i) CHECK(std::isnan(step.grad<1>()(i, n)) == (n == 20));
  for (double each : step.grad<0>()) CHECK(std::isnan(each));
  xs(3, 20) = 0.5;
  step(w, xs);
  for (double each : step.grad<0>()) CHECK(std::isfinite(each));
}

TEST_CASE("sums take the memory of several registers where a cache holds it") {
  if constexpr (register_bytes > 0) {
    using P = decltype(compile<wrt<0, 1, 2>>(over_points<std::remove_const_t<decltype(net)>>{}, tensor<double, 7, 6>(),
                                             tensor<double, 7>(), tensor<double, 3, 7>(), tensor<double, 6, 100>()));
    constexpr pass::loop_room room = P::executable::rooms[0];
    CHECK(room.abreast == run::detail::most_registers_abreast);
    CHECK(room.kept > 0);
    CHECK(room.kept <= room.bytes);
  }
}
