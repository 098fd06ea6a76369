#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

TEST_CASE("a comparison holds in every kernel alike, however these contract products and sums") {
  // x² - y² is 0 everywhere, but for how it is rounded: its root must not be differentiated where it is none.
  tensor<double, 8, 8> w;
  static tensor<double, 8, 40> x, y;
  nn::generator random(3);
  for (double& e : w) e = random.normal();
  for (double& e : x) e = random.normal();
  y = x;
  constexpr auto loss = [](auto weight, auto a, auto b) {
    auto const squares = square(a), difference = squares - square(b);
    return sum(square(weight * select(difference > 0, sqrt(difference), 0))) + sum(cos(weight * exp(-squares)));
  };
  static auto step = compile<wrt<0, 1, 2>>(loss, w, x, y);
  step(w, x, y);
  int wrong = 0;
  for (double const e : step.grad<1>()) wrong += !std::isfinite(e);
  for (double const e : step.grad<2>()) wrong += !std::isfinite(e);
  CHECK(wrong == 0);
}

namespace {

/// 1 / (x² - y²) where that is not 0.
constexpr auto inverse_or_0 = [](auto x, auto y) {
  auto const t = square(x) - square(y);
  return select(t != 0, 1 / t, 0);
};

/// How many entries of the value and the gradients of `loss` at x = y are not 0.
template <class T, int... Extent>
int not_zero(auto loss) {
  tensor<T, Extent...> x;
  nn::generator random(7);
  for (T& e : x) e = static_cast<T>(random.normal());
  tensor<T, Extent...> const y = x;
  static auto step = compile<wrt<0, 1>>(loss, x, y);
  int count = step(x, y) != 0;
  for (T const e : step.template grad<0>()) count += e != 0;
  for (T const e : step.template grad<1>()) count += e != 0;
  return count;
}

}  // namespace

TEST_CASE_TEMPLATE("a difference of equal squares is 0 for a comparison, and for what it lets pass", T, float, double) {
  constexpr auto whole = [](auto x, auto y) { return sum(inverse_or_0(x, y)); };
  CHECK(not_zero<T>(whole) == 0);
  CHECK(not_zero<T, 1>(whole) == 0);
  CHECK(not_zero<T, 3>(whole) == 0);
  CHECK(not_zero<T, 17>(whole) == 0);
  CHECK(not_zero<T, 64, 5>(whole) == 0);
  // Points in lanes, and entries one after the other, which a compiler might bring together.
  CHECK(not_zero<T, 3, 37>(
            [](auto x, auto y) { return sum_map([](auto a, auto b) { return sum(inverse_or_0(a, b)); }, x, y); }) == 0);
  CHECK(not_zero<T, 4>([](auto x, auto y) {
          return inverse_or_0(x(0), y(0)) + inverse_or_0(x(1), y(1)) + inverse_or_0(x(2), y(2)) +
                 inverse_or_0(x(3), y(3));
        }) == 0);
}

TEST_CASE("so it is in loops, behind them, and in what is moved into them or out of them") {
  CHECK(not_zero<double, 3, 37>([](auto x, auto y) {
          auto const ts = scan(
              [](auto, auto points) {
                auto const& [a, b] = points;
                return square(a) - square(b);
              },
              zeros<3>(), std::tuple(x, y));
          return sum(select(ts != 0, 1 / ts, 0));
        }) == 0);
  // The carry is compared in the next step.
  CHECK(not_zero<double, 17>([](auto x, auto y) {
          auto const last = repeat<3>(
              [&](auto carry) {
                auto const& [t, total] = carry;
                auto const next = total + select(t != 0, 1 / t, 0);
                return std::tuple(square(x) - square(y), next);
              },
              std::tuple(square(x) - square(y), 0 * x));
          return sum(std::get<1>(last));
        }) == 0);
  CHECK(not_zero<double, 9>([](auto x, auto y) {
          auto const t = cond(
              sum(square(x)) >= 0, [](auto a, auto b) { return square(a) - square(b); },
              [](auto a, auto b) { return a + b; }, x, y);
          return sum(select(t != 0, 1 / t, 0));
        }) == 0);
  CHECK(not_zero<double, 37>([](auto x, auto y) {
          auto const a = x(3), b = y(3);
          return sum_map(
              [&](auto z) {
                auto const t = square(a) - square(b);
                return select(t * (1 + square(z(0))) != 0, 1 / t, 0);
              },
              reshape<1, 37>(stop_gradient(x)));
        }) == 0);
}

TEST_CASE("the largest of sums of products is found again where a tape goes back") {
  tensor<double, 32, 50> w, x, r;
  nn::generator random(1);
  for (auto* all : {&w, &x, &r})
    for (double& e : *all) e = random.normal();
  tape<double> t;
  auto const watched = t.watch(w);
  t.backward(t.apply([](auto a, auto b, auto c) { return sum(max<0>(cwise_product(a, b) + c)); }, watched, x, r));
  int taken = 0;
  for (double const e : t.grad(watched)) taken += std::isfinite(e) && e != 0;
  CHECK(taken == 50);
}

namespace {

/// w z / (x² + y² - c) where that is positive; c is just below x² + y², rounded as written.
struct just_positive {
  static constexpr int side = 32;
  using matrix = tensor<double, side, side>;
  matrix w, x, y, z, below;

  just_positive() {
    nn::generator random(2);
    for (auto* all : {&w, &x, &y})
      for (double& e : *all) e = 0.1 * random.normal();
    z.fill(1e-17);
    for (int i = 0; i < side * side; ++i) {
      double volatile const a = x.data()[i] * x.data()[i], b = y.data()[i] * y.data()[i], sum = a + b;
      below.data()[i] = std::nextafter(sum, -1.0);
    }
  }
};

}  // namespace

TEST_CASE("what a mask lets pass is computed again as the mask found it: on tapes and within a budget") {
  static just_positive const in;
  constexpr auto loss = [](auto w, auto z, auto x, auto y, auto below) {
    auto const t = square(x) + square(y) - below;
    auto const positive = t > 0;
    auto h = select(positive, z / t, 0);
    for (int layer = 0; layer < 4; ++layer) h = sin(w * h);
    return sum(cwise_product(square(h), positive));
  };
  auto const wrong = [](auto const& gradient) {
    int count = 0;
    for (double const e : gradient) count += !std::isfinite(e);
    return count;
  };
  static auto free = compile<wrt<1>>(loss, in.w, in.z, in.x, in.y, in.below);
  free(in.w, in.z, in.x, in.y, in.below);
  CHECK(wrong(free.grad<1>()) == 0);
  static auto lean =
      compile<wrt<1>, budget<decltype(free)::facts.workspace_bytes * 2 / 3>>(loss, in.w, in.z, in.x, in.y, in.below);
  lean(in.w, in.z, in.x, in.y, in.below);
  CHECK(wrong(lean.grad<1>()) == 0);
  tape<double> t;
  auto const z = t.watch(in.z);
  t.backward(t.apply(loss, in.w, z, in.x, in.y, in.below));
  CHECK(wrong(t.grad(z)) == 0);
}
