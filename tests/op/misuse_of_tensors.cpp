// Operations on plain tensors stay what they are; the mistakes are tests/errors/*plain_tensors.cpp.
#include <etch/op/misuse_of_tensors.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr tensor<double, 3> a{3, 1, 2};

template <class A, class B>
concept has_a_product = detail::plain_operands<A, B>;

static_assert(max(a) == 3 && min(a) == 1 && dot(a, a) == 14 && a == a && a != 2 * a && a + a == a * 2);
static_assert(!has_a_product<tensor<double>, double> && !has_a_product<tensor<double>, tensor<double>>);
static_assert(has_a_product<tensor<double, 2>, tensor<double>> && has_a_product<int, tensor<double, 2>> &&
              has_a_product<tensor<float, 2>, Eigen::Vector2f> && !has_a_product<Eigen::Vector2f, Eigen::Vector2f>);

}  // namespace

TEST_CASE("numbers and Eigen's objects keep their own operations") {
  Eigen::Vector2d const v(1, 2);
  CHECK((2 * v).eval() == Eigen::Vector2d(2, 4));
  CHECK(tensor<double>{3} * 2.0 == 6);
}
