#include <etch/core/counted_tensor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <limits>

namespace {

using namespace etch;

TEST_CASE("a new tensor counts its bound, and resize says how many count") {
  tensor<float, 3, upto<5>> x;
  CHECK(x.count() == 5);
  CHECK(x.size() == 15);
  x(2, 4) = 7;
  x.resize(2);
  CHECK(x.count() == 2);
  CHECK(x.size() == 6);
  CHECK(x.end() - x.begin() == 6);
  CHECK(x.matrix().cols() == 2);
  CHECK(x.flat().size() == 6);
  CHECK_THROWS_AS(x.at(2, 2), etch::exception);
  x.resize(5);
  CHECK(x.at(2, 4) == 7);  // what did not count has kept its value
  CHECK_THROWS_AS(x.resize(6), etch::exception);
  CHECK_THROWS_AS(x.resize(-1), etch::exception);
  CHECK(x.count() == 5);
  x.resize(0);
  CHECK(x.begin() == x.end());
}

TEST_CASE("entries are copied from a span, whole columns of them") {
  tensor<double, 2, upto<3>> x;
  std::array<double, 4> const four{1, 2, 3, 4};
  x.assign(four);
  CHECK(x.count() == 2);
  CHECK(x(1, 1) == 4);
  CHECK_THROWS_AS(x.assign(std::span<double const>(four).first(3)), etch::exception);
  CHECK_THROWS_AS(x.assign(std::array<double, 8>{}), etch::exception);
  CHECK(x.count() == 2);
}

TEST_CASE("tensors are equal where as many entries count, whatever lies behind them") {
  tensor<double, upto<4>> a, b;
  a(3) = std::numeric_limits<double>::quiet_NaN();
  a.resize(3), b.resize(3);
  CHECK(a == b);
  b.resize(2);
  CHECK_FALSE(a == b);
  CHECK(a.matrix().rows() == 3);
  CHECK(a.matrix().cols() == 1);
}

TEST_CASE("what counts is known in constant evaluation too") {
  constexpr double last = [] {
    tensor<double, 2, upto<5>> x{};
    x.resize(3);
    x.fill(1.5);
    return x(1, 2) + x[7];
  }();
  static_assert(last == 1.5);
  CHECK(alignof(tensor<float, 3, upto<5>>) == 64);
}

}  // namespace
