#include <etch/op/exponential.hpp>
#include <etch/op/reduce.hpp>

#include "math/elementary.hpp"
#include "math/ulps.hpp"
#include "op/orders.hpp"
#include "op/special.hpp"

using namespace etch;
using namespace special;
using orders::derivatives;

namespace {

constexpr auto exponentials = [](auto a, auto b, auto c) { return sum(exp(a)) + sum(exp2(b)) + sum(expm1(c)); };
constexpr auto logarithms = [](auto a, auto b, auto c, auto d) {
  return sum(log(a)) + sum(log2(b)) + sum(log10(c)) + sum(log1p(d));
};
constexpr auto pairs = [](auto a, auto b, auto c, auto d) { return sum(logaddexp(a, b)) + sum(xlogy(c, d)); };

template <class T>
T rounded(long double x) {
  return static_cast<T>(x);
}
constexpr long double ln2 = 0.693147180559945309417L, ln10 = 2.30258509299404568402L;

}  // namespace

TEST_CASE("exponentials are flat far to the left, and NaN stays") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    std::vector<T> const at{0, -1000, -inf, inf, nan, 1000}, by_exp{1, 0, 0, inf, nan, inf},
        by_exp2{rounded<T>(ln2), 0, 0, inf, nan, inf};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(at, shift);
      auto const [value, gradients] =
          value_and_grad<wrt<0, 1, 2>>(exponentials)(x, repeated<T, N>({0, -1100, -inf, inf, nan, 1100}, shift), x);
      check_repeated(std::get<0>(gradients), by_exp, shift);
      check_repeated(std::get<1>(gradients), by_exp2, shift);
      check_repeated(std::get<2>(gradients), by_exp, shift);
      static_cast<void>(value);
    }
  });
}

TEST_CASE("logarithms have infinite slope at their pole, whatever the sign of zero, and none beyond") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>, tiny = -std::numeric_limits<T>::denorm_min();
    std::vector<T> const at{0, T(-0.0), -1, 2, nan, inf, -inf, tiny}, by_log{inf, inf, nan, T(0.5), nan, 0, nan, nan},
        by_log2{inf, inf, nan, rounded<T>(0.5L / ln2), nan, 0, nan, nan},
        by_log10{inf, inf, nan, rounded<T>(0.5L / ln10), nan, 0, nan, nan};
    std::vector<T> const at_log1p{-1, std::nextafter(T(-1), T(-2)), -2, 1, nan, inf, -inf, 0},
        by_log1p{inf, nan, nan, T(0.5), nan, 0, nan, 1};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(at, shift);
      auto const [value, gradients] =
          value_and_grad<wrt<0, 1, 2, 3>>(logarithms)(x, x, x, repeated<T, N>(at_log1p, shift));
      check_repeated(std::get<0>(gradients), by_log, shift);
      check_repeated(std::get<1>(gradients), by_log2, shift);
      check_repeated(std::get<2>(gradients), by_log10, shift);
      check_repeated(std::get<3>(gradients), by_log1p, shift);
      static_cast<void>(value);
    }
  });
}

TEST_CASE("logaddexp and xlogy with infinite and vanishing operands") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    std::vector<T> const a{-inf, inf, -inf, inf, 1, 1e4, nan, 1, 0}, b{-inf, inf, 1, -1, -inf, T(-1e4), 1, nan, 0},
        by_a{0, T(0.5), 0, 1, 1, 1, nan, nan, T(0.5)}, by_b{0, T(0.5), 1, 0, 0, 0, nan, nan, T(0.5)};
    std::vector<T> const c{0, 0, 0, 0, 2, 2, 2, nan, 0}, d{0, 1, -1, inf, 0, T(-0.0), -1, 1, nan},
        by_c{-inf, 0, nan, inf, -inf, -inf, nan, 0, nan}, by_d{0, 0, 0, 0, inf, inf, nan, nan, nan};
    for (std::size_t shift = 0; shift < a.size(); ++shift) {
      auto const check = [&](auto const& step) {
        auto const [value, gradients] = step(repeated<T, N>(a, shift), repeated<T, N>(b, shift),
                                             repeated<T, N>(c, shift), repeated<T, N>(d, shift));
        check_repeated(std::get<0>(gradients), by_a, shift);
        check_repeated(std::get<1>(gradients), by_b, shift);
        check_repeated(std::get<2>(gradients), by_c, shift);
        check_repeated(std::get<3>(gradients), by_d, shift);
        static_cast<void>(value);
      };
      check(value_and_grad<wrt<0, 1, 2, 3>>(pairs));
      if constexpr (N > 1) check(value_and_grad<wrt<0, 1, 2, 3>, precise>(pairs));
    }
    if constexpr (N != 5) return;
    auto const zero =
        value_and_grad<wrt<0, 1>>([](auto x, auto y) { return sum(xlogy(x, y)); })(tensor<T, N>{}, tensor<T, N>{});
    CHECK(zero.value == 0);
    CHECK(value_and_grad<wrt<0, 1>>([](auto x, auto y) { return sum(logaddexp(x, y)); })(repeated<T, N>({-inf}),
                                                                                         repeated<T, N>({-inf}))
              .value == -inf);
  });
}

TEST_CASE("a logarithm behind a select leaves nothing where it was not chosen") {
  in_all_sizes([]<class T, int N>() {
    std::vector<T> const at{0, -1, 4}, by{0, 0, T(0.25)};
    for (std::size_t shift = 0; shift < 3; ++shift)
      check_repeated(grad([](auto x) { return sum(select(less_than(0, x), log(x), 0)); })(repeated<T, N>(at, shift)),
                     by, shift);
  });
}

TEST_CASE("derivatives of higher order") {
  using all = std::vector<double>;
  CHECK(derivatives([](term x) { return exp(x); }, 0, 4) == all{1, 1, 1, 1, 1});
  CHECK(derivatives([](term x) { return expm1(x); }, 0, 3) == all{0, 1, 1, 1});
  CHECK(derivatives([](term x) { return log(x); }, 2, 4) == all{std::log(2), 0.5, -0.25, 0.25, -0.375});
  CHECK(derivatives([](term x) { return log1p(x); }, 1, 3) == all{std::log(2), 0.5, -0.25, 0.25});
  for (double const zero : {0.0, -0.0})
    CHECK(derivatives([](term x) { return log(x); }, zero, 2) ==
          all{-infinity<double>, infinity<double>, -infinity<double>});
  for (double const beyond : derivatives([](term x) { return log(x); }, -1, 3)) CHECK(std::isnan(beyond));
  // logaddexp(x, 0) = softplus(x): derivatives s, s (1 - s), s (1 - s) (1 - 2 s) with s = 1/2 at 0
  CHECK(derivatives([](term x) { return logaddexp(x, 0); }, 0, 3) == all{std::log(2), 0.5, 0.25, 0});
  CHECK(derivatives([](term x) { return logaddexp(x, 0); }, 0, 3, true) == all{std::log(2), 0.5, 0.25, 0});
  CHECK(derivatives([](term x) { return logaddexp(x, x + 1000); }, 3, 2) == all{1003, 1, 0});
  // x log(x): log(x) + 1, 1/x, -1/x²
  CHECK(derivatives([](term x) { return xlogy(x, x); }, 1, 3) == all{0, 1, 1, -1});
  CHECK(derivatives([](term x) { return exp2(x); }, 3, 2)[2] ==
        doctest::Approx(static_cast<double>(8 * ln2 * ln2)).epsilon(1e-15));
}

TEST_CASE_TEMPLATE("rules are within 4 ulp where asked to be precise", T, float, double) {
  constexpr int n = 128;
  constexpr auto each = [](auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h) {
    return exponentials(a, b, c) + sum(log2(d)) + sum(log10(e)) + sum(log1p(f)) + sum(logaddexp(g, h)) +
           sum(xlogy(h, d));
  };
  auto const step = value_and_grad<wrt<0, 1, 2, 3, 4, 5, 6>, precise>(each);
  ulps::samples<T> some;
  double const limit = sizeof(T) == 4 ? 80 : 700;
  double worst = 0;
  for (int round = 0; round < 20; ++round) {
    tensor<T, n> x, positive, above, p, q;
    for (std::size_t i = 0; i < n; ++i)
      x[i] = some.between(static_cast<T>(-limit), static_cast<T>(limit)), positive[i] = std::abs(some.any()),
      above[i] = std::expm1(some.between(-10, 10)), p[i] = some.between(0, static_cast<T>(limit)), q[i] = p[i] + x[i];
    auto const gradients = step(x, x, x, positive, p, above, p, q).grad;
    for (std::size_t i = 0; i < n; ++i) {
      auto const v = static_cast<long double>(x[i]), w = static_cast<long double>(above[i]);
      worst = std::max(
          {worst, ulps::distance<T>(std::get<0>(gradients)[i], std::exp(v)),
           ulps::distance<T>(std::get<1>(gradients)[i], ln2 * std::exp2(v)),
           ulps::distance<T>(std::get<2>(gradients)[i], std::exp(v)),
           ulps::distance<T>(std::get<4>(gradients)[i], 1 / (ln10 * static_cast<long double>(p[i]))),
           ulps::distance<T>(std::get<5>(gradients)[i], 1 / (1 + w)),
           ulps::distance<T>(std::get<6>(gradients)[i],
                             1 / (1 + std::exp(static_cast<long double>(q[i]) - static_cast<long double>(p[i]))))});
    }
  }
  CHECK(worst <= 4);
}
