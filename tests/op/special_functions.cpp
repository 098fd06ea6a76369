#include <etch/op/reduce.hpp>
#include <etch/op/special.hpp>

#include "op/orders.hpp"
#include "op/special.hpp"

using namespace etch;
using namespace special;

namespace {

constexpr double pi = 3.14159265358979323846, apery = 1.2020569031595942854, euler = 0.57721566490153286061;

}  // namespace

TEST_CASE("special functions and their gradients at the special values") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto each = [](auto a, auto b, auto c, auto d) {
      return sum(erf(a)) + sum(erfc(b)) + sum(lgamma(c)) + sum(digamma(d));
    };
    T const inf = infinity<T>, nan = not_a_number<T>, at_0 = static_cast<T>(2 / std::sqrt(pi));
    std::vector<T> const at_erf{0, T(-0.0), 30, -30, inf, -inf, nan}, by_erf{at_0, at_0, 0, 0, 0, 0, nan};
    std::vector<T> const by_erfc{-at_0, -at_0, 0, 0, 0, 0, nan};
    std::vector<T> const at_lgamma{0, T(-0.0), -1, -2, inf, -inf, nan}, by_lgamma{-inf, inf, nan, nan, inf, nan, nan};
    std::vector<T> const at_digamma{0, -1, -2, inf, -inf, nan}, by_digamma{inf, nan, nan, 0, nan, nan};
    for (std::size_t shift = 0; shift < 7; ++shift) {
      auto const [value, gradients] =
          value_and_grad<wrt<0, 1, 2, 3>>(each)(repeated<T, N>(at_erf, shift), repeated<T, N>(at_erf, shift),
                                                repeated<T, N>(at_lgamma, shift), repeated<T, N>(at_digamma, shift));
      check_repeated(std::get<0>(gradients), by_erf, shift);
      check_repeated(std::get<1>(gradients), by_erfc, shift);
      check_repeated(std::get<2>(gradients), by_lgamma, shift);
      check_repeated(std::get<3>(gradients), by_digamma, shift);
      static_cast<void>(value);
    }
  });
}

TEST_CASE("the precise gradient of erf has all its digits where e^(-x²) has few") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto each = [](auto a, auto b) { return sum(erf(a)) + sum(erfc(b)); };
    std::vector<T> x{T(-9.1), T(-5.3), T(-0.7), 0, T(0.3), T(2.9), T(6.1), T(8.7)}, want;
    for (T v : x) {
      auto const wide = static_cast<long double>(v);
      want.push_back(static_cast<T>(2 / std::sqrt(3.14159265358979323846264338327950288L) * std::exp(-wide * wide)));
    }
    auto const [value, gradients] = value_and_grad<wrt<0, 1>, precise>(each)(repeated<T, N>(x), repeated<T, N>(x));
    for (std::size_t i = 0; i < N; ++i) {
      T const truth = want[i % want.size()], bound = 3 * std::numeric_limits<T>::epsilon() * truth;
      CHECK(std::abs(std::get<0>(gradients)[i] - truth) <= bound);
      CHECK(std::abs(std::get<1>(gradients)[i] + truth) <= bound);
    }
    static_cast<void>(value);
  });
}

TEST_CASE("derivatives of log Γ at 1 and 1/2, to order 7, are values of the zeta function") {
  double const zeta_at_1[] = {0,
                              0,
                              pi * pi / 6,
                              apery,
                              std::pow(pi, 4) / 90,
                              1.0369277551433699263,
                              std::pow(pi, 6) / 945,
                              1.0083492773819228268};
  auto const at_1 = orders::derivatives([](term x) { return emit<op::lgamma>(0, x); }, 1, 7);
  auto const at_half = orders::derivatives([](term x) { return emit<op::lgamma>(0, x); }, 0.5, 7);
  CHECK(at_1[0] == 0);
  CHECK(at_half[0] == doctest::Approx(std::log(std::sqrt(pi))).epsilon(1e-15));
  CHECK(at_1[1] == doctest::Approx(-euler).epsilon(1e-15));
  CHECK(at_half[1] == doctest::Approx(-euler - 2 * std::log(2.0)).epsilon(1e-15));
  double factorial = 1;
  for (int n = 2; n <= 7; ++n) {
    factorial *= n - 1;
    double const sign = n % 2 == 0 ? 1 : -1;
    CAPTURE(n);
    CHECK(at_1[static_cast<std::size_t>(n)] == doctest::Approx(sign * factorial * zeta_at_1[n]).epsilon(1e-14));
    CHECK(at_half[static_cast<std::size_t>(n)] ==
          doctest::Approx(sign * factorial * (std::pow(2, n) - 1) * zeta_at_1[n]).epsilon(1e-14));
  }
}

TEST_CASE("derivatives of erf are Hermite polynomials times its first, as usual and precisely") {
  for (bool const precise : {false, true})
    for (double const x : {-1.3, 0.0, 0.4, 2.2}) {
      auto const d = orders::derivatives([](term t) { return emit<op::erf>(0, t); }, x, 5, precise);
      double const first = 2 / std::sqrt(pi) * std::exp(-x * x);
      CHECK(d[0] == doctest::Approx(std::erf(x)).epsilon(1e-15));
      CHECK(d[1] == doctest::Approx(first).epsilon(1e-14));
      CHECK(d[2] == doctest::Approx(-2 * x * first).epsilon(1e-13));
      CHECK(d[3] == doctest::Approx((4 * x * x - 2) * first).epsilon(1e-13));
      CHECK(d[4] == doctest::Approx(-(8 * x * x * x - 12 * x) * first).epsilon(1e-13));
      CHECK(d[5] == doctest::Approx((16 * x * x * x * x - 48 * x * x + 12) * first).epsilon(1e-13));
    }
}

TEST_CASE("the zeta function mixes with scalars, and has no derivative by its first operand") {
  CHECK(grad([](auto x) { return zeta(2, x); })(1.0) == doctest::Approx(-2 * apery).epsilon(1e-15));
  CHECK(grad([](auto x) { return zeta(4, x); })(0.5f) ==
        doctest::Approx(-4 * 31 * 1.0369277551433699263).epsilon(1e-6));
  CHECK(std::isnan(grad([](auto s) { return zeta(s, 3); })(2.0)));
  // Left of 0, from the sum: zeta(2, -1/2) = zeta(2, 1/2) + 4, and one order higher for the slope.
  auto const [value, slope] = value_and_grad([](auto x) { return zeta(2, x); })(-0.5);
  CHECK(value == doctest::Approx(pi * pi / 2 + 4).epsilon(1e-15));
  CHECK(slope == doctest::Approx(-2 * (7 * apery - 8)).epsilon(1e-14));
}

TEST_CASE("a bell curve has partial derivatives by place and width") {
  auto const [value, gradients] = value_and_grad<wrt<0, 1>>([](auto x, auto c) { return gaussian(x, c); })(1.5, 0.75);
  double const y = std::exp(-0.75 * 1.5 * 1.5);
  CHECK(value == doctest::Approx(y).epsilon(1e-15));
  CHECK(std::get<0>(gradients) == doctest::Approx(-2 * 0.75 * 1.5 * y).epsilon(1e-15));
  CHECK(std::get<1>(gradients) == doctest::Approx(-1.5 * 1.5 * y).epsilon(1e-15));
}
