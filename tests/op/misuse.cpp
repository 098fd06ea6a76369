#include <etch/tape/tape.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

/// Generic code as its users write it.
constexpr auto larger(auto a, auto b) {
  using std::max;
  return max(a, b);
}

/// The graph of a function of one number, in which a mistake may have been noted.
template <class F>
constexpr bool is_mistaken(F f) {
  return pass::trace<F, double>(f).mistaken;
}

}  // namespace

TEST_CASE("numbers are served by std as before") {
  static_assert(larger(2, 3) == 3 && larger(2.0, 1.0) == 2 && std::min(1u, 2u) == 1 && std::clamp(5, 0, 3) == 3);
  static_assert(std::max<double>(1, 2.5) == 2.5 && std::max({1, 3, 2}) == 3);
}

TEST_CASE("variables of a tape are compared by std, since they have values") {
  tape<double> t;
  auto const x = t.watch(2.0), y = t.watch(3.0);
  CHECK(value(std::max(x, y)) == 3);
  t.backward(std::min(x, y) * y);
  CHECK(t.grad(x) == 3);
}

TEST_CASE("a number beside a traced value in a choice that is made while tracing") {
  static_assert(!is_mistaken([](auto x) {
    auto s = 0 * x;
    for (int i = 0; i < 3; ++i) s += i == 0 ? 0.0 : x;
    return s;
  }));
}

TEST_CASE("a position beyond its axis is a sentence on a tape") {
  tape<double> t;
  auto const x = t.watch(tensor<double, 3>{1, 2, 3});
  CHECK_THROWS_WITH_AS(x(3), "etch: position out of range: 3 where the axis has 3 entries", exception);
  CHECK_THROWS_WITH_AS(x(-1), "etch: position out of range: -1 where the axis has 3 entries", exception);
  CHECK_THROWS_WITH_AS(x.segment<2>(2), "etch: position out of range: 3 where the axis has 3 entries", exception);
  auto const a = t.watch(tensor<double, 2, 3>{});
  CHECK_THROWS_WITH_AS(a.row(2), "etch: position out of range: 2 where the axis has 2 entries", exception);
  CHECK_THROWS_WITH_AS(a(1, 4), "etch: position out of range: 4 where the axis has 3 entries", exception);
}
