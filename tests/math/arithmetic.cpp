#include <etch/math/arithmetic.hpp>

#include <etch/op/constants.hpp>
#include <etch/op/elementwise.hpp>
#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>

using namespace etch;

namespace {

template <class T>
inline constexpr std::array<T, 17> numbers{T(0),
                                           -T(0),
                                           T(1),
                                           T(-1),
                                           T(0.1),
                                           T(-3),
                                           std::numeric_limits<T>::infinity(),
                                           -std::numeric_limits<T>::infinity(),
                                           std::numeric_limits<T>::quiet_NaN(),
                                           std::numeric_limits<T>::max(),
                                           -std::numeric_limits<T>::max(),
                                           std::numeric_limits<T>::max() / 2,
                                           std::numeric_limits<T>::min(),
                                           std::numeric_limits<T>::denorm_min(),
                                           -std::numeric_limits<T>::denorm_min(),
                                           std::numeric_limits<T>::epsilon(),
                                           T(0.5)};

/// `f` of every pair of numbers.
template <class T>
constexpr auto table(auto f) {
  std::array<std::array<T, 17>, 17> all{};
  for (std::size_t i = 0; i < 17; ++i)
    for (std::size_t j = 0; j < 17; ++j) all[i][j] = f(numbers<T>[i], numbers<T>[j]);
  return all;
}

template <class T>
void check_constants(auto f) {
  static constexpr auto constants = table<T>(decltype(f){});
  for (std::size_t i = 0; i < 17; ++i)
    for (std::size_t j = 0; j < 17; ++j) {
      T volatile const a = numbers<T>[i], b = numbers<T>[j];  // so that the program computes
      T const expected = f(T(a), T(b)), got = constants[i][j];
      CAPTURE(static_cast<double>(a));
      CAPTURE(static_cast<double>(b));
      CHECK(((std::isnan(got) && std::isnan(expected)) ||
             (got == expected && std::signbit(got) == std::signbit(expected))));
    }
}

constexpr auto total = [](auto a, auto b) { return math::sum(a, b); };
constexpr auto rest = [](auto a, auto b) { return math::difference(a, b); };
constexpr auto times = [](auto a, auto b) { return math::product(a, b); };
constexpr auto quotient = [](auto a, auto b) { return math::ratio(a, b); };

constexpr double inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE_TEMPLATE("constants are what a program computes", T, float, double) {
  check_constants<T>(total);
  check_constants<T>(rest);
  check_constants<T>(times);
  check_constants<T>(quotient);
}

// Infinities and NaN on the way are no reason for a gradient not to be a constant.
static_assert(grad([](auto x) { return select(x > 0, log(x), 0.0); })(0.0) == 0);
static_assert(grad([](auto x) { return sqrt(x); })(0.0) == inf);
static_assert(grad([](auto x) { return 1 / x; })(0.0) == -inf);
static_assert(value_and_grad([](auto x) { return sum(select(x > 0, 1 / x, 1.0)); })(tensor<double, 2>{0, 2}).grad ==
              tensor<double, 2>{0, -0.25});
static_assert(grad([](auto x) { return x * x; })(1e200) == 2e200 &&
              value_and_grad([](auto x) { return square(x); })(1e200).value == inf);

TEST_CASE("a gradient that is NaN is a constant") {
  constexpr double g = grad([](auto x) { return x * sqrt(x); })(0.0);
  CHECK(std::isnan(g));
}
