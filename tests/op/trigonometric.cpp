#include <etch/op/reduce.hpp>
#include <etch/op/trigonometric.hpp>

#include "math/ulps.hpp"
#include "op/orders.hpp"
#include "op/special.hpp"

using namespace etch;
using namespace special;
using orders::derivatives;

namespace {

constexpr auto circular = [](auto a, auto b, auto c) { return sum(sin(a)) + sum(cos(b)) + sum(tan(c)); };
constexpr auto inverses = [](auto a, auto b, auto c) { return sum(asin(a)) + sum(acos(b)) + sum(atan(c)); };
constexpr auto angle = [](auto a, auto b) { return sum(atan2(a, b)); };

}  // namespace

TEST_CASE("circular functions are undefined at infinity, their gradients too") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    std::vector<T> const at{0, inf, -inf, nan}, by_sin{1, nan, nan, nan}, by_cos{0, nan, nan, nan};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(at, shift);
      auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>(circular)(x, x, x);
      check_repeated(std::get<0>(gradients), by_sin, shift);
      check_repeated(std::get<1>(gradients), by_cos, shift);
      check_repeated(std::get<2>(gradients), by_sin, shift);
      if (N > 1) CHECK(std::isnan(value));
    }
  });
}

TEST_CASE("inverse functions have infinite slope at the ends of their domains, and none beyond") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>, beyond = std::nextafter(T(1), T(2));
    std::vector<T> const at{1, -1, 0, beyond, -beyond, nan, inf}, by_asin{inf, inf, 1, nan, nan, nan, nan},
        by_acos{-inf, -inf, -1, nan, nan, nan, nan};
    std::vector<T> const at_atan{0, 1, -1, inf, -inf, nan, 3}, by_atan{1, T(0.5), T(0.5), 0, 0, nan, T(0.1)};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(at, shift);
      auto const check = [&](auto const& step) {
        auto const [value, gradients] = step(x, x, repeated<T, N>(at_atan, shift));
        check_repeated(std::get<0>(gradients), by_asin, shift);
        check_repeated(std::get<1>(gradients), by_acos, shift);
        for (std::size_t i = 0; i < N; ++i)
          CHECK(ulps::distance<T>(std::get<2>(gradients)[i],
                                  static_cast<long double>(by_atan[(i + shift) % at.size()])) <= 4);
        static_cast<void>(value);
      };
      check(value_and_grad<wrt<0, 1, 2>>(inverses));
      if constexpr (N > 1) check(value_and_grad<wrt<0, 1, 2>, precise>(inverses));
    }
  });
}

TEST_CASE("the angle of a point, in every quadrant and on the axes") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>;
    std::vector<T> const a{0, 0, 2, -2, 1, -1, 0, nan, 1, 1}, b{2, -2, 0, 0, -1, 1, 0, 1, nan, inf},
        by_a{T(0.5), T(-0.5), 0, 0, T(-0.5), T(0.5), nan, nan, nan, nan},
        by_b{0, 0, T(-0.5), T(0.5), T(-0.5), T(0.5), nan, nan, nan, 0};
    for (std::size_t shift = 0; shift < a.size(); ++shift) {
      auto const gradients = value_and_grad<wrt<0, 1>>(angle)(repeated<T, N>(a, shift), repeated<T, N>(b, shift)).grad;
      for (std::size_t i = 0; i < N; ++i) {  // a register's quotient may be a product with the inverse
        auto const is_close = [](T got, T want) { return ulps::distance<T>(got, static_cast<long double>(want)) <= 2; };
        CHECK(is_close(std::get<0>(gradients)[i], by_a[(i + shift) % a.size()]));
        CHECK(is_close(std::get<1>(gradients)[i], by_b[(i + shift) % a.size()]));
      }
    }
  });
}

TEST_CASE("the angle of a point of which one coordinate is a constant, at all sizes of the other") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>, least = std::numeric_limits<T>::min();
    std::vector<T> const at{0,
                            T(-0.0),
                            1,
                            -3,
                            7,
                            least,
                            std::numeric_limits<T>::denorm_min(),
                            -1 / least,
                            inf,
                            nan,
                            std::sqrt(std::numeric_limits<T>::max()),
                            T(1e-15),
                            T(-1e15)};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(at, shift);
      auto const check = [&](tensor<T, N> const& gradient, long double c) {
        for (std::size_t i = 0; i < N; ++i) {
          long double const each = static_cast<long double>(x[i]), want = c / (c * c + each * each);
          // What is below all normal numbers may be 0.
          bool const vanishes = std::abs(want) <= static_cast<long double>(least) && std::abs(gradient[i]) <= least;
          CHECK((vanishes || ulps::distance<T>(gradient[i], want) <= 4));
        }
      };
      check(grad([](auto y) { return sum(atan2(y, 2)); })(x), 2);
      check(grad([](auto y) { return sum(atan2(y, -0.125)); })(x), -0.125L);
      check(grad([](auto y) { return sum(atan2(y, 1e-12)); })(x), static_cast<long double>(static_cast<T>(1e-12)));
      check(grad([](auto y) { return sum(atan2(y, 3e9)); })(x), 3e9L);
      check(grad([](auto y) { return sum(atan2(-3, y)); })(x), 3);
      if constexpr (sizeof(T) == 8) check(grad([](auto y) { return sum(atan2(y, 1e200)); })(x), 1e200L);
    }
  });
}

TEST_CASE("derivatives of higher order") {
  using all = std::vector<double>;
  CHECK(derivatives([](term x) { return sin(x); }, 0, 5) == all{0, 1, 0, -1, 0, 1});
  CHECK(derivatives([](term x) { return cos(x); }, 0, 5) == all{1, 0, -1, 0, 1, 0});
  CHECK(derivatives([](term x) { return tan(x); }, 0, 5) == all{0, 1, 0, 2, 0, 16});
  CHECK(derivatives([](term x) { return asin(x); }, 0, 5) == all{0, 1, 0, 1, 0, 9});
  CHECK(derivatives([](term x) { return asin(x); }, 0, 5, true) == all{0, 1, 0, 1, 0, 9});
  CHECK(derivatives([](term x) { return atan(x); }, 0, 5) == all{0, 1, 0, -2, 0, 24});
  CHECK(derivatives([](term x) { return atan(x); }, 0, 5, true) == all{0, 1, 0, -2, 0, 24});
  CHECK(derivatives([](term x) { return atan2(x, 1); }, 0, 5) == all{0, 1, 0, -2, 0, 24});
  CHECK(derivatives([](term x) { return atan2(x, 1); }, 0, 5, true) == all{0, 1, 0, -2, 0, 24});
  all const of_acos = derivatives([](term x) { return acos(x); }, 0, 3);
  CHECK(all(of_acos.begin() + 1, of_acos.end()) == all{-1, 0, -1});
}

TEST_CASE("derivatives of one variable at a few points known by heart") {
  constexpr double pi = 3.14159265358979323846;
  CHECK(grad([](auto x) { return cos(x); })(pi / 2) == doctest::Approx(-1));
  CHECK(grad([](auto x) { return tan(x); })(pi / 4) == doctest::Approx(2));
  CHECK(grad([](auto x) { return asin(x); })(0.6) == doctest::Approx(1.25));
  CHECK(grad([](auto x) { return acos(x); })(0.8) == doctest::Approx(-1 / 0.6));
  CHECK(grad([](auto x) { return atan2(2, x); })(1.0) == doctest::Approx(-0.4));
  CHECK(grad([](auto x) { return square(sin(x)) + square(cos(x)); })(1e5) == doctest::Approx(0));
}

TEST_CASE_TEMPLATE("rules are within 4 ulp where asked to be precise", T, float, double) {
  constexpr int n = 128;
  constexpr auto each = [](auto a, auto b, auto c, auto d, auto e, auto f) {
    return circular(a, a, b) + inverses(c, c, d) + angle(e, f);
  };
  auto const step = value_and_grad<wrt<1, 2, 3, 4, 5>, precise>(each);
  ulps::samples<T> some;
  double worst = 0;
  for (int round = 0; round < 20; ++round) {
    tensor<T, n> x, inside, any, a, b;
    for (std::size_t i = 0; i < n; ++i)
      x[i] = some.between(-1000, 1000), inside[i] = 1 - std::exp2(some.between(-20, 1)), any[i] = some.any(),
      a[i] = some.any(), b[i] = a[i] * some.between(-4, 4);
    auto const gradients = step(x, x, inside, any, a, b).grad;
    for (std::size_t i = 0; i < n; ++i) {
      auto const v = static_cast<long double>(x[i]), w = static_cast<long double>(any[i]),
                 p = static_cast<long double>(a[i]), q = static_cast<long double>(b[i]);
      long double const h = std::hypot(p, q);
      worst = std::max({worst, ulps::distance<T>(std::get<0>(gradients)[i], 1 / (std::cos(v) * std::cos(v))),
                        ulps::distance<T>(std::get<2>(gradients)[i], 1 / (1 + w * w))});
      // A subnormal h has few digits, and a gradient that nearly overflows.
      if (std::isfinite(b[i]) && std::isnormal(static_cast<T>(h)))
        worst = std::max({worst, ulps::distance<T>(std::get<3>(gradients)[i], q / h / h),
                          ulps::distance<T>(std::get<4>(gradients)[i], -p / h / h)});
    }
    auto const of_asin =
        value_and_grad<wrt<0, 1>, precise>([](auto s, auto c) { return sum(asin(s)) + sum(acos(c)); })(inside, inside)
            .grad;
    for (std::size_t i = 0; i < n; ++i) {
      auto const u = static_cast<long double>(inside[i]);
      long double const slope = 1 / std::sqrt((1 - u) * (1 + u));
      worst = std::max({worst, ulps::distance<T>(std::get<0>(of_asin)[i], slope),
                        ulps::distance<T>(std::get<1>(of_asin)[i], -slope)});
    }
  }
  CHECK(worst <= 4);
}
