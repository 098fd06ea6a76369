#include <etch/core/plain_arithmetic.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr tensor<double, 2, 2> a{1, 2, 3, 4}, b{5, 6, 7, 8};
constexpr tensor<float, 3> single{1, 2, 3};

static_assert(a + b == tensor<double, 2, 2>{6, 8, 10, 12} && b - a == tensor<double, 2, 2>{4, 4, 4, 4});
static_assert(-a == tensor<double, 2, 2>{-1, -2, -3, -4} && a / 2 == tensor<double, 2, 2>{0.5, 1, 1.5, 2});
static_assert(2 * a == a * 2.0 && 2 * a == tensor<double, 2, 2>{2, 4, 6, 8});
// A number takes the element type first, as it does beside a traced value.
static_assert((0.1 * single)[2] == 0.1f * 3.0f && (single / 0.1)[0] == 1.0f / 0.1f);
static_assert(tensor<double>{3} * 2.0 + tensor<double>{1} == 7);  // of rank 0: numbers

}  // namespace

TEST_CASE("a step of descent on a plain tensor") {
  tensor<float, 3> w{1, 2, 3}, g{10, 20, 30};
  w -= 0.5 * g;
  CHECK(w == tensor<float, 3>{-4, -8, -12});
  w += g;
  CHECK(w == tensor<float, 3>{6, 12, 18});
  (w *= 2) /= 4;
  CHECK(w == tensor<float, 3>{3, 6, 9});
  w = w - 0.1f * g;
  CHECK(w == tensor<float, 3>{3 - 0.1f * 10, 6 - 0.1f * 20, 9 - 0.1f * 30});
}
