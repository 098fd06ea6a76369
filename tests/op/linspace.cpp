#include <etch/op/linspace.hpp>

#include "op/everywhere.hpp"

using namespace everywhere;

TEST_CASE("plain numbers give a plain tensor, of double where both are integers") {
  static_assert(std::is_same_v<decltype(linspace<3>(0, 1)), tensor<double, 3>>);
  static_assert(std::is_same_v<decltype(linspace<3>(0.0f, 1)), tensor<float, 3>>);
  static_assert(linspace<5>(0, 1) == tensor<double, 5>{0, 0.25, 0.5, 0.75, 1});
  static_assert(linspace<3>(2.0f, -2.0f) == tensor<float, 3>{2, 0, -2});
  static_assert(linspace<1>(3, 7) == tensor<double, 1>(3.0) && linspace<2>(3, 7) == tensor<double, 2>{3, 7});
  constexpr auto thirds = linspace<50>(0.1, 0.7);
  static_assert(thirds(0) == 0.1 && thirds(49) == 0.7, "both ends are reached exactly");
}

TEST_CASE("traced numbers give the same numbers, both ends exact, whatever the distance") {
  auto program = compile<wrt<>>([](auto a, auto b) { return linspace<50>(a, b); }, 0.1, 0.7);
  CHECK(program(0.1, 0.7)(0) == 0.1);
  CHECK(program(0.1, 0.7)(49) == 0.7);
  CHECK(program(0.1, 0.7)(10) == doctest::Approx(linspace<50>(0.1, 0.7)(10)).epsilon(1e-15));
  auto one = compile<wrt<>>([](auto a) { return linspace<1>(a, 5); }, 2.0f);
  CHECK(one(2.0f) == tensor<float, 1>(2.0f));
}

TEST_CASE("the gradient of each end is the weight that it has") {
  auto const [value, g] = value_and_grad<wrt<0, 1>>([](auto a, auto b, auto w) {
    return sum(cwise_product(linspace<5>(a, b), w));
  })(1.0, 5.0, tensor<double, 5>{1, 10, 100, 1000, 10000});
  CHECK(value == 1 + 20 + 300 + 4000 + 50000);
  CHECK(std::get<0>(g) == doctest::Approx(1 + 7.5 + 50 + 250));
  CHECK(std::get<1>(g) == doctest::Approx(2.5 + 50 + 750 + 10000));
}

TEST_CASE("in a program, on a tape and in constant evaluation, to second order") {
  check([] { return std::tuple{sample<2>(1), sample<7>(2)}; },
        [](auto ends, auto w) {
          return sum(cwise_product(exp(linspace<7>(ends(0), square(ends(1)))), w)) +
                 sum(sin(linspace<3>(0, ends(0)))) * w(0);
        });
  check([] { return std::tuple{sample<1>(1)}; },
        [](auto x) { return sum(linspace<2>(x(0), x(0))) + sum(linspace<1>(x(0), 1)); }, false);
}
