#include <etch/core/plain_reductions.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace {

using namespace etch;

constexpr tensor<double, 2, 3> x{3, -1, 4, 1, -5, 9};
constexpr tensor<float, 3> single{0.5f, 2, -4};
constexpr tensor<int, 4> whole{2, 7, 7, -3};
constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

static_assert(sum(x) == 11 && mean(x) == 11.0 / 6 && prod(x) == 540 && max(x) == 9 && min(x) == -5 && argmax(x) == 5 &&
              argmin(x) == 4);
static_assert(dot(x, x) == 133 && squared_norm(x) == 133 && norm(tensor<double, 2>{3, -4}) == 5 &&
              norm(tensor<double, 2>{}) == 0);
static_assert(std::is_same_v<decltype(sum(single)), float> && std::is_same_v<decltype(norm(single)), float> &&
              sum(single) == -1.5f && mean(single) == -0.5f && max(single) == 2 && dot(single, single) == 20.25f &&
              norm(single) == 4.5f);
static_assert(sum(whole) == 13 && prod(whole) == -294 && max(whole) == 7 && argmax(whole) == 1 && argmin(whole) == 3);
static_assert(sum(tensor<bool, 3>{true, false, true}) == 2);
static_assert(variance(tensor<double, 4>{1, 2, 3, 4}) == 1.25 && variance(tensor<double, 3>{1, 2, 3}, 1) == 1 &&
              stddev(tensor<double, 2>{1, 3}) == 1 && stddev(tensor<double, 3>{2, 2, 2}) == 0);
static_assert(sum(tensor<double>{7}) == 7 && norm(tensor<double>{-7}) == 7);

TEST_CASE("NaN wins as it does in the operations of the same names") {
  tensor<double, 4> const with_nan{1, nan, 3, -infinity};
  CHECK(max(with_nan) != max(with_nan));
  CHECK(min(with_nan) != min(with_nan));
  CHECK(argmax(with_nan) == 1);
  CHECK(argmin(with_nan) == 1);
  CHECK(norm(with_nan) != norm(with_nan));
  tensor<double, 2> const first{nan, 5};
  CHECK(argmax(first) == 0);
  CHECK(max(tensor<double, 2>{-infinity, -infinity}) == -infinity);
}

TEST_CASE("a norm is right where squares are not") {
  CHECK(norm(tensor<double, 2>{3e200, -4e200}) == doctest::Approx(5e200));
  CHECK(norm(tensor<double, 2>{3e-200, 4e-200}) / 5e-200 == doctest::Approx(1));
  CHECK(norm(tensor<float, 2>{3e30f, 4e30f}) == doctest::Approx(5e30f));
  CHECK(norm(tensor<double, 2>{infinity, 1}) == infinity);
  CHECK(norm(tensor<double, 1>{std::numeric_limits<double>::denorm_min()}) ==
        std::numeric_limits<double>::denorm_min());
}

TEST_CASE("sums of float are rounded once") {
  static tensor<float, 1 << 15> many;
  many.fill(0.1f);
  CHECK(sum(many) == static_cast<float>((1 << 15) * static_cast<double>(0.1f)));
}

}  // namespace
