#include <etch/op/constants.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <class X>
constexpr auto result(auto f, X const& x) {
  auto program = compile<wrt<>>(f, x);
  return std::remove_cvref_t<decltype(program(x))>(program(x));
}

}  // namespace

TEST_CASE("constants take the element type of what they meet, on either side") {
  constexpr double third = 1.0 / 3;
  tensor<double, 2, 2> const x{third, 1, 2, 3};
  CHECK(result([](auto m) { return m + identity<2>(); }, x) == tensor<double, 2, 2>{third + 1, 1, 2, 4});
  CHECK(result([](auto m) { return 2 * identity<2>() - m; }, x) == tensor<double, 2, 2>{2 - third, -1, -2, -1});
  CHECK(result([](auto m) { return identity<2>() * m * identity<2>(); }, x) == x);
  CHECK(result([](auto m) { return cwise_product(ones<1, 2>(), m) + zeros<2, 2>(); }, x) == x);
  CHECK(result([](auto m) { return m + full<2, 2>(0.1) - -identity<2>() / 10; }, tensor<double, 2, 2>{}) ==
        tensor<double, 2, 2>{0.2, 0.1, 0.1, 0.2});
  CHECK(result([](auto m) { return ones<2>() * row<0>(m); }, x) == tensor<double, 2, 2>{third, third, 2, 2});
  static_assert(std::is_same_v<decltype(result([](auto m) { return m + identity<2>(); }, tensor<float, 2, 2>{})), tensor<float, 2, 2>>);
}

TEST_CASE("constants first in a join take the element type of the others") {
  tensor<double, 2> const x{1.0 / 3, 2};
  CHECK(result([](auto v) { return concat<0>(ones<1>(), v, full<1>(0.1)); }, x) == tensor<double, 4>{1, 1.0 / 3, 2, 0.1});
  CHECK(result([](auto v) { return stack<0>(zeros<2>(), v); }, x) == tensor<double, 2, 2>{0, 1.0 / 3, 0, 2});
  CHECK(result([](auto v) { return concat<1>(identity<2>(), stack<1>(v, v)); }, x) ==
        tensor<double, 2, 4>{1, 0, 0, 1, 1.0 / 3, 2, 1.0 / 3, 2});
  CHECK(grad([](auto v) { return sum(square(concat<0>(ones<1>(), v))); })(x) == tensor<double, 2>{2.0 / 3, 4});
}
