// Points in lanes whose bodies factor, pick by index, draw random numbers, and mix element types.
#include <etch/etch.hpp>

#include "machine/in_lanes.hpp"
#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>

using namespace etch;
using values::filled_with;

namespace {

/// Of every column x the quadratic form b' A^-1 b and the determinant, A = s I + x x'.
constexpr auto likelihood = [](auto s, auto b, auto xs) {
  return map(
      [&](auto x) {
        auto const column = reshape<3, 1>(x);
        auto const l = cholesky(s * identity<3>() + column * transpose(column));
        auto const y = triangular_solve(l, b);
        auto const back = triangular_solve<true>(transpose(l), y);
        return dot(b, back) + 2.0 * (log(l(0, 0)) + log(l(1, 1)) + log(l(2, 2)));
      },
      xs);
};
constexpr auto total = [](auto s, auto b, auto xs) { return sum(likelihood(s, b, xs)); };

/// The same by the formula of Sherman and Morrison; `of` are derivatives by s, b and x.
double closed_form(double s, double const* b, double const* x, double* of = nullptr) {
  double xx = 0, bx = 0, bb = 0;
  for (int i = 0; i < 3; ++i) xx += x[i] * x[i], bx += b[i] * x[i], bb += b[i] * b[i];
  double const q = s * s + s * xx;
  if (of != nullptr) {
    of[0] = -bb / (s * s) + bx * bx * (2 * s + xx) / (q * q) + 2 / s + 1 / (s + xx);
    for (int i = 0; i < 3; ++i) {
      of[1 + i] = 2 * b[i] / s - 2 * bx * x[i] / q;
      of[4 + i] = -2 * bx * b[i] / q + bx * bx * 2 * s * x[i] / (q * q) + 2 * x[i] / (s + xx);
    }
  }
  return bb / s - bx * bx / q + 2 * std::log(s) + std::log(s + xx);
}

template <class T, int N>
void check_likelihood() {
  CAPTURE(N);
  T const s = T(1.5);
  auto const b = filled_with<tensor<T, 3>>(1);
  auto const xs = filled_with<tensor<T, 3, N>>(2);
  using program = decltype(compile<wrt<0, 1, 2>>(total, s, b, xs));
  static_assert(is_in_lanes<program>);
  auto const step = std::make_unique<program>();
  double value = static_cast<double>((*step)(s, b, xs)), worst = 0, by_s = 0, by_b[3]{};
  CHECK(step->status() == status::ok);
  for (int n = 0; n < N; ++n) {
    double x[3], right[3], of[7];
    for (int i = 0; i < 3; ++i) x[i] = static_cast<double>(xs(i, n)), right[i] = static_cast<double>(b(i));
    value -= closed_form(static_cast<double>(s), right, x, of);
    by_s += of[0];
    for (int i = 0; i < 3; ++i) {
      by_b[i] += of[1 + i];
      worst = std::max(worst, std::abs(of[4 + i] - static_cast<double>(step->template grad<2>()(i, n))));
    }
  }
  worst = std::max(worst, std::abs(value));
  worst = std::max(worst, std::abs(by_s - static_cast<double>(step->template grad<0>())));
  for (int i = 0; i < 3; ++i)
    worst = std::max(worst, std::abs(by_b[i] - static_cast<double>(step->template grad<1>()(i))));
  CHECK(worst <= (sizeof(T) == 4 ? 5e-5 : 1e-12));
}

}  // namespace

TEST_CASE("factors of a matrix for each point, and their gradients") {
  check_likelihood<double, 7>();
  check_likelihood<double, 9>();
  check_likelihood<float, 33>();
}

TEST_CASE("a factorisation that fails is NaN at its point, and the status says so; rest lanes fail for nobody") {
  constexpr auto roots = [](auto xs) { return map([](auto x) { return cholesky(reshape<2, 2>(x))(1, 1); }, xs); };
  constexpr auto solved = [](auto xs) {
    return map([](auto x) { return triangular_solve(reshape<2, 2>(x), slice<0, 0, 2>(x))(1); }, xs);
  };
  tensor<double, 4, 11> xs;
  for (int n = 0; n < 11; ++n) xs(0, n) = 4, xs(3, n) = 1 + n;
  static auto p = compile<wrt<>>(roots, xs);
  static auto q = compile<wrt<>>(solved, xs);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(p)>> && is_in_lanes<std::remove_reference_t<decltype(q)>>);
  auto const& y = p(xs);
  CHECK(p.status() == status::ok);
  for (int n = 0; n < 11; ++n) CHECK(y(n) == doctest::Approx(std::sqrt(1.0 + n)));
  for (int bad : {0, 1, 2, 3, 9, 10}) {
    auto broken = xs;
    broken(3, bad) = -1;
    auto const& z = p(broken);
    CHECK(p.status() == status::not_positive_definite);
    for (int n = 0; n < 11; ++n) CHECK((n == bad ? std::isnan(z(n)) : z(n) == doctest::Approx(std::sqrt(1.0 + n))));
    broken(3, bad) = 0;
    auto const& w = q(broken);
    CHECK(q.status() == status::singular);
    for (int n = 0; n < 11; ++n) CHECK((n == bad ? std::isnan(w(n)) : w(n) == 0));
  }
  p(xs);
  CHECK(p.status() == status::ok);
}

TEST_CASE("entries of a table by an index for each point, and what comes back to the table") {
  constexpr auto loss = [](auto table, auto xs, auto ks) {
    return sum_map([&](auto x, auto k) { return square(gather<0>(table, k)) * x + cast<double>(k) * x; }, xs, ks);
  };
  auto const table = filled_with<tensor<double, 5>>(1);
  auto const xs = filled_with<tensor<double, 17>>(2);
  tensor<int, 17> ks;
  for (int n = 0; n < 17; ++n) ks(n) = (n * 3 + 1) % 5;
  static auto step = compile<wrt<0, 1>>(loss, table, xs, ks);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(step)>>);
  double value = step(table, xs, ks), by_table[5]{};
  for (int n = 0; n < 17; ++n) {
    double const t = table(ks(n));
    value -= t * t * xs(n) + ks(n) * xs(n);
    by_table[ks(n)] += 2 * t * xs(n);
    CHECK(step.grad<1>()(n) == doctest::Approx(t * t + ks(n)));
  }
  CHECK(std::abs(value) < 1e-13);
  for (int i = 0; i < 5; ++i) CHECK(step.grad<0>()(i) == doctest::Approx(by_table[i]));
}

TEST_CASE("random numbers from a key for each point, in a loop") {
  constexpr auto drawn = [](auto xs, auto keys) {
    return map(
        [](auto x, auto key) {
          auto const u = random_uniform<float, 4>(key);
          return scan([&](auto h, auto each) { return x * h + each; }, 0.0f * x, u);
        },
        xs, keys);
  };
  auto const xs = filled_with<tensor<float, 19>>(1);
  tensor<std::int64_t, 19> keys;
  for (int n = 0; n < 19; ++n) keys(n) = 7 + 12345678901 * n;
  static auto p = compile<wrt<>>(drawn, xs, keys);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(p)>>);
  auto const& y = p(xs, keys);
  for (int n = 0; n < 19; ++n) {
    nn::generator words(static_cast<std::uint64_t>(keys(n)), 0);
    float h = 0;
    for (int t = 0; t < 4; ++t) h = xs(n) * h + static_cast<float>(words.bits() >> 8) * 0x1p-24f;
    CHECK(y(n) == doctest::Approx(h).epsilon(1e-6));
  }
}

TEST_CASE("float and double, comparisons of integers, and running sums in one body") {
  constexpr auto loss = [](auto xs, auto zs, auto ks) {
    return sum_map(
        [](auto x, auto z, auto k) {
          auto const sums = cumsum<0>(x);  // float
          auto const wide = cast<double>(sums(2) * sums(1)) * sin(z);
          return wide + select(cast<double>(k) == 2.0, z * z, exp(z));
        },
        xs, zs, ks);
  };
  auto const xs = filled_with<tensor<float, 3, 13>>(1);
  auto const zs = filled_with<tensor<double, 13>>(2);
  tensor<std::int8_t, 13> ks;
  for (int n = 0; n < 13; ++n) ks(n) = static_cast<std::int8_t>(n % 4);
  static auto step = compile<wrt<0, 1>>(loss, xs, zs, ks);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(step)>>);
  double value = step(xs, zs, ks);
  for (int n = 0; n < 13; ++n) {
    float const b = xs(0, n) + xs(1, n), c = b + xs(2, n);
    double const product = static_cast<double>(c * b), z = zs(n), s = std::sin(z);
    value -= product * s + (n % 4 == 2 ? z * z : std::exp(z));
    CHECK(step.grad<1>()(n) == doctest::Approx(product * std::cos(z) + (n % 4 == 2 ? 2 * z : std::exp(z))));
    float const g = static_cast<float>(s);
    CHECK(step.grad<0>()(0, n) == doctest::Approx(g * (b + c)).epsilon(1e-5));
    CHECK(step.grad<0>()(1, n) == doctest::Approx(g * (b + c)).epsilon(1e-5));
    CHECK(step.grad<0>()(2, n) == doctest::Approx(g * b).epsilon(1e-5));
  }
  CHECK(std::abs(value) < 1e-5);
}
