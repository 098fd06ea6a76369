#include <etch/op/power.hpp>
#include <etch/op/reduce.hpp>

#include "math/ulps.hpp"
#include "op/orders.hpp"
#include "op/special.hpp"

using namespace etch;
using namespace special;
using orders::derivatives;

namespace {

constexpr auto roots = [](auto a, auto b, auto c, auto d) {
  return sum(sqrt(a)) + sum(rsqrt(b)) + sum(cbrt(c)) + sum(cwise_product(d, sqrt(d)));
};
constexpr auto products = [](auto a, auto b, auto c, auto d) {
  return sum(square(a)) + sum(cube(b)) + sum(pow(c, 5)) + sum(pow(d, -3.0));
};
constexpr auto powers = [](auto a, auto b) { return sum(pow(a, b)); };
constexpr auto one_and_a_half = [](auto a, auto b) { return sum(pow(a, 1.5)) + sum(pow(b, 0.5)); };
constexpr auto lengths = [](auto a, auto b) { return sum(hypot(a, b)); };

}  // namespace

TEST_CASE("roots have infinite slope at both zeros and none below") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    std::vector<T> const at_sqrt{0, T(-0.0), 4, -1, nan, inf, -inf}, by_sqrt{inf, inf, T(0.25), nan, nan, 0, nan};
    std::vector<T> const at_rsqrt{0, T(-0.0), 4, -1, nan, inf}, by_rsqrt{-inf, -inf, T(-0.0625), nan, nan, 0};
    std::vector<T> const at_cbrt{0, T(-0.0), 8, -8, nan, inf, -inf}, by_cbrt{inf, inf, T(1) / 12, T(1) / 12, nan, 0, 0};
    std::vector<T> const at_product{0, 4, nan}, by_product{nan, 3, nan};
    for (std::size_t shift = 0; shift < 7; ++shift) {
      auto const [value, gradients] =
          value_and_grad<wrt<0, 1, 2, 3>>(roots)(repeated<T, N>(at_sqrt, shift), repeated<T, N>(at_rsqrt, shift),
                                                 repeated<T, N>(at_cbrt, shift), repeated<T, N>(at_product, shift));
      check_repeated(std::get<0>(gradients), by_sqrt, shift);
      check_repeated(std::get<1>(gradients), by_rsqrt, shift);
      check_repeated(std::get<2>(gradients), by_cbrt, shift);
      check_repeated(std::get<3>(gradients), by_product, shift);
      static_cast<void>(value);
    }
  });
}

TEST_CASE("whole powers at zeros and infinities") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    T const thousandth = T(-3) / 10000;
    std::vector<T> const at{0, 2, -2, inf, -inf, nan}, by_square{0, 4, -4, inf, -inf, nan},
        by_cube{0, 12, 12, inf, inf, nan}, by_fifth{0, 80, 80, inf, inf, nan};
    std::vector<T> const at_inverse{2, -2, 10, inf, nan}, by_inverse{T(-0.1875), T(-0.1875), thousandth, 0, nan};
    for (std::size_t shift = 0; shift < 6; ++shift) {
      tensor<T, N> const x = repeated<T, N>(at, shift);
      auto const [value, gradients] =
          value_and_grad<wrt<0, 1, 2, 3>>(products)(x, x, x, repeated<T, N>(at_inverse, shift));
      check_repeated(std::get<0>(gradients), by_square, shift);
      check_repeated(std::get<1>(gradients), by_cube, shift);
      check_repeated(std::get<2>(gradients), by_fifth, shift);
      for (std::size_t i = 0; i < N; ++i) {
        double const got = static_cast<double>(std::get<3>(gradients)[i]),
                     want = static_cast<double>(by_inverse[(i + shift) % 5]);
        CHECK((std::isnan(want) ? std::isnan(got) : got == doctest::Approx(want)));
      }
      static_cast<void>(value);
    }
  });
}

TEST_CASE("powers where the base or the exponent is 0, and of negative bases") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    std::vector<T> const base{0, 0, 0, T(-0.0), 0, -2, -2, -2, 1, 2, nan, 2, 0},
        exponent{0, 2, T(0.5), T(1.5), -1, 3, T(0.5), -2, nan, 0, 2, nan, 1},
        by_base{0, 0, inf, 0, -inf, 12, nan, T(0.25), nan, 0, nan, nan, 1},
        by_exponent{0, 0, 0, 0, -inf, nan, nan, nan, 0, T(std::log(T(2))), nan, nan, 0};
    for (std::size_t shift = 0; shift < base.size(); ++shift) {
      auto const [value, gradients] =
          value_and_grad<wrt<0, 1>>(powers)(repeated<T, N>(base, shift), repeated<T, N>(exponent, shift));
      check_repeated(std::get<0>(gradients), by_base, shift);
      check_repeated(std::get<1>(gradients), by_exponent, shift);
      static_cast<void>(value);
      if constexpr (N > 1) {
        auto const precise_gradients =
            value_and_grad<wrt<0, 1>, precise>(powers)(repeated<T, N>(base, shift), repeated<T, N>(exponent, shift))
                .grad;
        check_repeated(std::get<0>(precise_gradients), by_base, shift);
        check_repeated(std::get<1>(precise_gradients), by_exponent, shift);
      }
    }
  });
}

TEST_CASE("real literals as exponents") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    std::vector<T> const at{0, 4, -1, nan}, by_more{0, 3, nan, nan}, by_half{inf, T(0.25), nan, nan};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      auto const [value, gradients] =
          value_and_grad<wrt<0, 1>>(one_and_a_half)(repeated<T, N>(at, shift), repeated<T, N>(at, shift));
      check_repeated(std::get<0>(gradients), by_more, shift);
      check_repeated(std::get<1>(gradients), by_half, shift);
      static_cast<void>(value);
    }
  });
}

TEST_CASE("hypot is 0 with gradients 0 at the origin, and overflows nowhere") {
  in_all_sizes([]<class T, int N>() {
    T const nan = not_a_number<T>, large = std::ldexp(T(3), std::numeric_limits<T>::max_exponent - 4),
            other = large / 3 * 4, small = std::numeric_limits<T>::min();
    std::vector<T> const a{0, 3, large, -3, small, nan, 1}, b{0, 4, other, 0, 0, 1, nan},
        by_a{0, T(0.6), T(0.6), -1, 1, nan, nan}, by_b{0, T(0.8), T(0.8), 0, 0, nan, nan};
    for (std::size_t shift = 0; shift < a.size(); ++shift) {
      auto const [value, gradients] =
          value_and_grad<wrt<0, 1>>(lengths)(repeated<T, N>(a, shift), repeated<T, N>(b, shift));
      check_repeated(std::get<0>(gradients), by_a, shift);
      check_repeated(std::get<1>(gradients), by_b, shift);
      if (N == 1 && shift == 0) CHECK(value == 0);
      if (N == 1 && shift == 2) CHECK(value == large / 3 * 5);
    }
  });
}

TEST_CASE("derivatives of whole powers are right to every order, at 0 too") {
  using all = std::vector<double>;
  for (auto const power :
       {+[](term x) { return pow(x, 2); }, +[](term x) { return pow(x, 2.0f); }, +[](term x) { return square(x); },
        +[](term x) { return pow(x, constant(*x.owner, x->type, 2)); }})
    CHECK(derivatives(power, 0, 4) == all{0, 0, 2, 0, 0});
  CHECK(derivatives([](term x) { return cube(x); }, 0, 4) == all{0, 0, 0, 6, 0});
  CHECK(derivatives([](term x) { return pow(x, 3); }, 0, 4) == all{0, 0, 0, 6, 0});
  CHECK(derivatives([](term x) { return emit<op::pow>(0, x, constant(*x.owner, x->type, 3)); }, 0, 4) ==
        all{0, 0, 0, 6, 0});
  CHECK(derivatives([](term x) { return emit<op::pow>(0, x, constant(*x.owner, x->type, 3)); }, -2, 4) ==
        all{-8, 12, -12, 6, 0});
  CHECK(derivatives([](term x) { return pow(x, -1); }, 2, 3) == all{0.5, -0.25, 0.25, -0.375});
  CHECK(derivatives([](term x) { return pow(x, 0); }, 0, 2) == all{1, 0, 0});
  CHECK(derivatives([](term x) { return sqrt(x); }, 4, 3) == all{2, 0.25, -1.0 / 32, 3.0 / 256});
  CHECK(derivatives([](term x) { return sqrt(x); }, 0, 2) == all{0, infinity<double>, -infinity<double>});
  CHECK(derivatives([](term x) { return hypot(x, 0); }, -3, 2) == all{3, -1, 0});
  // d²/dx² hypot(x, 4) = 16 / y³, d³/dx³ = -48 x / y⁵
  std::vector<double> const of_hypot = derivatives([](term x) { return hypot(x, 4); }, 3, 3);
  CHECK(of_hypot[2] == doctest::Approx(16.0 / 125).epsilon(1e-14));
  CHECK(of_hypot[3] == doctest::Approx(-144.0 / 3125).epsilon(1e-14));
  // d²/dx² a^x = a^x log(a)²
  CHECK(derivatives([](term x) { return pow(2.0, x); }, 3, 2)[2] ==
        doctest::Approx(8 * std::log(2) * std::log(2)).epsilon(1e-14));
}

namespace {

/// The ops that `f` makes of its argument.
std::vector<std::string> ops_of(auto f) {
  graph g;
  f(input(g, element::f64, make_shape(3), 0));
  std::vector<std::string> names;
  for (int id = 0; id < g.size(); ++id) names.push_back(facts_of(g[id]).name);
  return names;
}
bool has_pow(auto f) {
  auto const names = ops_of(f);
  return std::find(names.begin(), names.end(), "pow") != names.end();
}

}  // namespace

TEST_CASE("whole literals as exponents become products, all others stay powers") {
  CHECK(ops_of([](term x) { return pow(x, 1); }) == std::vector<std::string>{"input"});
  CHECK(ops_of([](term x) { return pow(x, 2); }) == std::vector<std::string>{"input", "square"});
  CHECK(ops_of([](term x) { return pow(x, 3.0); }) == std::vector<std::string>{"input", "square", "mul"});
  CHECK(ops_of([](term x) { return pow(x, 8u); }) == std::vector<std::string>{"input", "square", "square", "square"});
  CHECK_FALSE(has_pow([](term x) { return pow(x, -7); }));
  CHECK(has_pow([](term x) { return pow(x, 0.5); }));
  CHECK(has_pow([](term x) { return pow(x, 1e9); }));
  CHECK(has_pow([](term x) { return pow(x, -1e300); }));
  CHECK(has_pow([](term x) { return pow(x, not_a_number<double>); }));
  CHECK(has_pow([](term x) { return pow(3, x); }));
  for (int n = -16; n <= 16; ++n)
    if (n != 0) {
      auto const power = [n](term x) { return pow(x, n); };
      double const want = std::pow(1.5, n);
      CHECK(derivatives(power, 1.5, 1)[0] == doctest::Approx(want).epsilon(1e-15));
      CHECK(derivatives(power, 1.5, 1)[1] == doctest::Approx(n * want / 1.5).epsilon(1e-14));
    }
}

TEST_CASE("powers of matrices, with exponents of other types and shapes") {
  tensor<float, 2, 2> const x{1, 2, 3, 4};
  tensor<float, 2> const e{2, 3};
  auto const [value, gradients] = value_and_grad<wrt<0, 1>>([](auto a, auto b) {
    return sum(pow(a, b)) + sum(pow(2, a)) + sum(pow(a.array(), 3)) + sum(hypot(a, 1.0));
  })(x, e);
  CHECK(value == doctest::Approx(1 + 8 + 9 + 64 + 2 + 4 + 8 + 16 + 1 + 8 + 27 + 64 + std::sqrt(2) + std::sqrt(5) +
                                 std::sqrt(10) + std::sqrt(17)));
  CHECK(std::get<0>(gradients)[2] == doctest::Approx(6 + 8 * std::log(2) + 27 + 3 / std::sqrt(10)));
  CHECK(std::get<1>(gradients)[0] == doctest::Approx(9 * std::log(3)));
}

TEST_CASE_TEMPLATE("rules are within 4 ulp where asked to be precise", T, float, double) {
  constexpr int n = 128;
  constexpr auto each = [](auto a, auto b, auto c, auto d, auto e, auto f) {
    return sum(sqrt(a)) + sum(rsqrt(b)) + sum(cbrt(c)) + sum(pow(d, e)) + sum(hypot(f, e));
  };
  auto const step = value_and_grad<wrt<0, 1, 2, 3, 5>, precise>(each);
  ulps::samples<T> some;
  double worst = 0, worst_power = 0;
  for (int round = 0; round < 20; ++round) {
    tensor<T, n> positive, any, base, exponent;
    for (std::size_t i = 0; i < n; ++i)
      positive[i] = std::ldexp(some.between(1, 2), static_cast<int>(some.random() % 80) - 40),
      any[i] = positive[i] * (i % 2 == 0 ? T(1) : T(-1)), base[i] = positive[(i + 1) % n],
      exponent[i] = some.between(-3, 3);
    auto const gradients = step(positive, positive, any, base, exponent, any).grad;
    for (std::size_t i = 0; i < n; ++i) {
      auto const x = static_cast<long double>(positive[i]), z = static_cast<long double>(any[i]),
                 a = static_cast<long double>(base[i]), b = static_cast<long double>(exponent[i]);
      worst = std::max({worst, ulps::distance<T>(std::get<0>(gradients)[i], 0.5L / std::sqrt(x)),
                        ulps::distance<T>(std::get<1>(gradients)[i], -0.5L / (x * std::sqrt(x))),
                        ulps::distance<T>(std::get<2>(gradients)[i], 1 / (3 * std::cbrt(z) * std::cbrt(z))),
                        ulps::distance<T>(std::get<4>(gradients)[i], z / std::hypot(z, b))});
      worst_power = std::max(worst_power, ulps::distance<T>(std::get<3>(gradients)[i], b * std::pow(a, b - 1)));
    }
  }
  CHECK(worst <= 4);
  CHECK(worst_power <= 4);
}
