#include <etch/op/hyperbolic.hpp>
#include <etch/op/reduce.hpp>

#include "math/ulps.hpp"
#include "op/orders.hpp"
#include "op/special.hpp"

using namespace etch;
using namespace special;
using orders::derivatives;

namespace {

constexpr auto functions = [](auto a, auto b, auto c) { return sum(sinh(a)) + sum(cosh(b)) + sum(tanh(c)); };
constexpr auto inverses = [](auto a, auto b, auto c) { return sum(asinh(a)) + sum(acosh(b)) + sum(atanh(c)); };

}  // namespace

TEST_CASE("hyperbolic functions far out: infinite, or flat") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    std::vector<T> const at{0, 1000, -1000, inf, -inf, nan}, by_sinh{1, inf, inf, inf, inf, nan},
        by_cosh{0, inf, -inf, inf, -inf, nan}, by_tanh{1, 0, 0, 0, 0, nan};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(at, shift);
      auto const check = [&](auto const& step) {
        auto const [value, gradients] = step(x, x, x);
        check_repeated(std::get<0>(gradients), by_sinh, shift);
        check_repeated(std::get<1>(gradients), by_cosh, shift);
        check_repeated(std::get<2>(gradients), by_tanh, shift);
        static_cast<void>(value);
      };
      check(value_and_grad<wrt<0, 1, 2>>(functions));
      if constexpr (N > 1) check(value_and_grad<wrt<0, 1, 2>, precise>(functions));
    }
  });
}

TEST_CASE("inverse functions have infinite slope at the ends of their domains, and none beyond") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>, below = std::nextafter(T(1), T(0)),
            beyond = std::nextafter(T(1), T(2));
    std::vector<T> const at_asinh{0, inf, -inf, nan, T(0.75), 0, 0}, by_asinh{1, 0, 0, nan, T(0.8), 1, 1};
    std::vector<T> const at_acosh{1, below, -1, inf, -inf, nan, T(1.25)},
        by_acosh{inf, nan, nan, 0, nan, nan, T(4) / 3};
    std::vector<T> const at_atanh{1, -1, beyond, -beyond, inf, nan, 0}, by_atanh{inf, inf, nan, nan, nan, nan, 1};
    for (std::size_t shift = 0; shift < 7; ++shift) {
      auto const check = [&](auto const& step) {
        auto const [value, gradients] =
            step(repeated<T, N>(at_asinh, shift), repeated<T, N>(at_acosh, shift), repeated<T, N>(at_atanh, shift));
        check_repeated(std::get<0>(gradients), by_asinh, shift);
        check_repeated(std::get<2>(gradients), by_atanh, shift);
        for (std::size_t i = 0; i < N; ++i)
          CHECK(ulps::distance<T>(std::get<1>(gradients)[i], static_cast<long double>(by_acosh[(i + shift) % 7])) <= 4);
        static_cast<void>(value);
      };
      check(value_and_grad<wrt<0, 1, 2>>(inverses));
      if constexpr (N > 1) check(value_and_grad<wrt<0, 1, 2>, precise>(inverses));
    }
  });
}

TEST_CASE("derivatives of higher order") {
  using all = std::vector<double>;
  CHECK(derivatives([](term x) { return sinh(x); }, 0, 4) == all{0, 1, 0, 1, 0});
  CHECK(derivatives([](term x) { return cosh(x); }, 0, 4) == all{1, 0, 1, 0, 1});
  for (bool const precise : {false, true}) {
    CHECK(derivatives([](term x) { return tanh(x); }, 0, 5, precise) == all{0, 1, 0, -2, 0, 16});
    CHECK(derivatives([](term x) { return asinh(x); }, 0, 5, precise) == all{0, 1, 0, -1, 0, 9});
    CHECK(derivatives([](term x) { return atanh(x); }, 0, 5, precise) == all{0, 1, 0, 2, 0, 24});
  }
  // acosh' = (x² - 1)^(-1/2), acosh'' = -x (x² - 1)^(-3/2)
  all const of_acosh = derivatives([](term x) { return acosh(x); }, 1.25, 2);
  CHECK(of_acosh[1] == doctest::Approx(4.0 / 3).epsilon(1e-14));
  CHECK(of_acosh[2] == doctest::Approx(-1.25 * 64 / 27).epsilon(1e-14));
}

TEST_CASE("derivatives of one variable at a few points known by heart") {
  CHECK(grad([](auto x) { return tanh(x); })(0.0) == 1);
  CHECK(grad([](auto x) { return asinh(x); })(0.75) == doctest::Approx(0.8));
  CHECK(grad([](auto x) { return atanh(x); })(0.5) == doctest::Approx(4.0 / 3));
  CHECK(grad([](auto x) { return square(cosh(x)) - square(sinh(x)); })(3.0) == doctest::Approx(0));
}

TEST_CASE_TEMPLATE("rules are within 4 ulp where asked to be precise", T, float, double) {
  constexpr int n = 128;
  constexpr auto each = [](auto a, auto b, auto c, auto d, auto e) { return functions(a, a, b) + inverses(c, d, e); };
  auto const step = value_and_grad<wrt<1, 2, 3, 4>, precise>(each);
  ulps::samples<T> some;
  double worst = 0;
  for (int round = 0; round < 20; ++round) {
    tensor<T, n> x, any, above, inside;
    T const reach = sizeof(T) == 4 ? 40 : 300;  // up to where the slope of tanh is nearly subnormal
    for (std::size_t i = 0; i < n; ++i)
      x[i] = some.between(-reach, reach), any[i] = some.any(), above[i] = 1 + std::exp2(some.between(-20, 60)),
      inside[i] = 1 - std::exp2(some.between(-20, 1));
    auto const gradients = step(x, x, any, above, inside).grad;
    for (std::size_t i = 0; i < n; ++i) {
      auto const v = static_cast<long double>(x[i]), w = static_cast<long double>(any[i]),
                 a = static_cast<long double>(above[i]), u = static_cast<long double>(inside[i]);
      worst = std::max({worst, ulps::distance<T>(std::get<0>(gradients)[i], 1 / (std::cosh(v) * std::cosh(v))),
                        ulps::distance<T>(std::get<1>(gradients)[i], 1 / std::hypot(1.0L, w)),
                        ulps::distance<T>(std::get<2>(gradients)[i], 1 / std::sqrt((a - 1) * (a + 1))),
                        ulps::distance<T>(std::get<3>(gradients)[i], 1 / ((1 - u) * (1 + u)))});
    }
  }
  CHECK(worst <= 4);
}
