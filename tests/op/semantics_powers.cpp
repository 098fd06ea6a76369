// The promises of powers and what is like them.
#include "op/semantics.hpp"

using namespace etch;
using namespace semantics;

TEST_CASE("x sqrt(x) at 0 is NaN by the chain rule, x^1.5 has slope 0") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b) { return sum(cwise_product(a, sqrt(a))) + sum(pow(b, 1.5)); };
    check_slopes<T, N>(f, slopes<T>{{0, 4}, {none<T>, 3}}, slopes<T>{{0, 4, 1}, {0, 3, T(1.5)}});
  });
}

TEST_CASE("norm of zeros and hypot(0, 0) have gradient 0") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b, auto c) { return norm(a) + sum(hypot(b, c)); };
    check_slopes<T, N>(f, slopes<T>{{0}, {0}}, slopes<T>{{0, 3, 0}, {0, T(0.6), 0}},
                       slopes<T>{{0, 4, -2}, {0, T(0.8), -1}});
  });
  CHECK(value_and_grad([](auto a) { return norm(a); })(tensor<double, 7>{}).value == 0);
}

TEST_CASE("pow: (0, 0), powers of 0, and negative bases") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b, auto w) { return sum(cwise_product(pow(a, b), w)); };
    constexpr T tiny = std::numeric_limits<T>::denorm_min();  // whose reciprocal is infinite
    check_slopes<T, N>(f, slopes<T>{{0, 0, 0, -2, -1, 2, 0, tiny}, {0, 0, inf<T>, 12, none<T>, 12, 1, 0}},
                       slopes<T>{{0, 2, T(0.5), 3, T(0.5), 3, 1, 0},
                                 {0, 0, 0, none<T>, none<T>, T(8 * 0.69314718055994530942), 0, std::log(tiny)}},
                       slopes<T>{{1, 1, 1, 1, 1, 1, 1, 1}, {1, 0, 0, -8, none<T>, 8, 0, 1}});
  });
}

TEST_CASE("x^2 at 0 is right to every order, whatever the exponent is made of") {
  for (element const type : {element::f32, element::f64}) {
    CHECK(derivatives(type, 0, 3, [](term x) { return pow(x, 2); }) == std::vector<double>{0, 0, 2, 0});
    CHECK(derivatives(type, 0, 4, [](term x) { return pow(x, 3); }) == std::vector<double>{0, 0, 0, 6, 0});
    // An exponent that the graph does not know: two as a function of x whose own derivative vanishes.
    auto const two = [](term x) { return stop_gradient(x) + 2; };
    CHECK(derivatives(type, 0, 4, [&](term x) { return pow(x, two(x)); }) == std::vector<double>{0, 0, 2, 0, 0});
    // (2 + x)^x at 0 has the second derivative log(2)^2 + 1, to which the derivative by base and
    // exponent, 1 / a where b is 0, belongs.
    CHECK(derivatives(type, 0, 2, [](term x) { return pow(2 + x, x); })[2] ==
          doctest::Approx(1.48045301391820142).epsilon(1e-6));
  }
}

TEST_CASE("xlogy(0, 0) is 0, with slope 0 in y") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b, auto w) { return sum(cwise_product(xlogy(a, b), w)); };
    check_slopes<T, N>(f, slopes<T>{{0, 0, 2, 2}, {-inf<T>, 0, 0, -inf<T>}}, slopes<T>{{0, 1, 1, 0}, {0, 0, 2, inf<T>}},
                       slopes<T>{{1, 1, 1, 1}, {0, 0, 0, -inf<T>}});
  });
}
