#include <etch/op/linalg/product.hpp>
#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

using namespace etch;

namespace {

template <class A, class B>
using total_of = typename decltype(std::declval<A>() + std::declval<B>())::scalar_type;

/// A literal of type `L` takes the element type of the tensor, on either side.
template <class L>
constexpr bool literal_yields =
    std::is_same_v<total_of<expr<float, 3>, L>, float> && std::is_same_v<total_of<L, expr<float, 3>>, float> &&
    std::is_same_v<total_of<expr<double, 3>, L>, double> && std::is_same_v<total_of<L, expr<double, 3>>, double> &&
    std::is_same_v<decltype(std::declval<L>() * std::declval<expr<float, 3>>()), expr<float, 3>>;

using array = array_expr<float, 3, 3>;
using matrix_type = expr<float, 3, 3>;

}  // namespace

static_assert(literal_yields<float> && literal_yields<double> && literal_yields<bool> && literal_yields<char>);
static_assert(literal_yields<std::int8_t> && literal_yields<std::uint8_t> && literal_yields<short> &&
              literal_yields<unsigned short>);
static_assert(literal_yields<int> && literal_yields<unsigned> && literal_yields<long> &&
              literal_yields<unsigned long> && literal_yields<long long>);

// A traced scalar gives way to a tensor; two scalars meet in the wider type; integers take the floating type.
static_assert(std::is_same_v<total_of<expr<double>, expr<float, 3>>, float>);
static_assert(std::is_same_v<total_of<expr<double, 3>, expr<float>>, double>);
static_assert(std::is_same_v<total_of<expr<double>, expr<float>>, double>);
static_assert(std::is_same_v<total_of<expr<int, 3>, expr<float, 3>>, float>);
static_assert(std::is_same_v<total_of<expr<double>, expr<int, 3>>, double>);
static_assert(std::is_same_v<total_of<expr<std::uint8_t, 3>, float>, float>);

// `*` is the matrix product, a scaling beside a scalar, element-wise for arrays; `.matrix()` leads back.
static_assert(std::is_same_v<decltype(expr<float, 2, 3>() * expr<float, 3, 4>()), expr<float, 2, 4>>);
static_assert(std::is_same_v<decltype(expr<float>() * expr<float, 3, 4>()), expr<float, 3, 4>>);
static_assert(std::is_same_v<decltype(matrix_type().array() * matrix_type()), array>);
static_assert(
    std::is_same_v<decltype((matrix_type().array() * matrix_type()).matrix() * expr<float, 3>()), expr<float, 3>>);
static_assert(std::is_same_v<decltype(2 * array() + 1), array>);

// A large plain tensor beside a traced value is a mistake with a sentence of its own
// (tests/errors/plain_tensor.cpp), a small one a constant.
static_assert(operand_pair<expr<float, 3>, tensor<float, 3>> && operand_pair<tensor<float>, expr<float>>);
static_assert(operand_pair<expr<float, 3>, Eigen::Vector3f> && operand_pair<Eigen::Map<Eigen::Array3f const>, array>);
static_assert(!detail::stray_pair<expr<float, 3>, expr<float>> && !detail::stray_pair<float, expr<float, 3>>);
static_assert(!operand_pair<tensor<float, 3>, tensor<float, 3>> && !operand_pair<tensor<float, 3>, float>);
static_assert(!operand_pair<term, tensor<float, 3>> && !operand_pair<expr<float, 3>, Eigen::Vector3cf>);

TEST_CASE("the derivative of a constant over a number, at every magnitude of both") {
  auto const check = [](auto over, double c) {
    auto slope = compile<wrt<0>>(over, 0.0);
    for (double const b : {0.5, -3.0, 1e-3, 7e10, 1e-150, -1e-154, 1e150, 1e-200, -1e200, 4e307, 0.0,
                           std::numeric_limits<double>::infinity()}) {
      CAPTURE(c);
      CAPTURE(b);
      slope(b);
      double const got = slope.template grad<0>(), want = -(1 / b) * (c / b);
      CHECK((got == want || std::abs(got - want) <= 1e-15 * std::abs(want)));
    }
  };
  check([](auto b) { return 1 / b; }, 1);
  check([](auto b) { return -1 / b; }, -1);
  check([](auto b) { return 0.3 / b; }, 0.3);
  check([](auto b) { return -7e20 / b; }, -7e20);
  check([](auto b) { return 1e-300 / b; }, 1e-300);
  check([](auto b) { return 1e300 / b; }, 1e300);
}

TEST_CASE("a quotient by a constant, at every magnitude of it") {
  auto by =
      compile<wrt<>>([](auto x) { return stack<1>(x / 4, x / 1e200, x / -1e-200, x / 3e-30); }, tensor<double, 2>{});
  tensor<double, 2> const x{3e190, -2e-10};
  auto const y = by(x);
  for (int i : {0, 1}) {
    CHECK(y(i, 0) == x(i) / 4);
    CHECK(y(i, 1) == doctest::Approx(x(i) / 1e200).epsilon(1e-15));
    CHECK(y(i, 2) == x(i) / -1e-200);
    CHECK(y(i, 3) == doctest::Approx(x(i) / 3e-30).epsilon(1e-15));
  }
}

TEST_CASE("the product of arrays is element-wise, of matrices it is not") {
  tensor<double, 2, 2> const a{1, 2, 3, 4}, b{5, 6, 7, 8};
  auto both = compile<wrt<>>([](auto x, auto y) { return x * y - (x.array() * y.array()).matrix(); }, a, b);
  CHECK(both(a, b) == tensor<double, 2, 2>{23 - 5, 34 - 12, 31 - 21, 46 - 32});
}

TEST_CASE("literals, a scalar of another type, and labels meet a float tensor") {
  tensor<float, 3> const x{1, 2, 3};
  tensor<int, 3> const labels{0, 2, 1};
  auto const [value, gradients] = value_and_grad<wrt<0, 1>>([](auto a, auto s, auto n) {
    auto y = s * a;  // a double scalar in a float program
    y += n;
    y *= 2u;
    y -= 0.5;
    y /= std::int8_t{4};
    return sum(y + true);
  })(x, 3.0, labels);
  // (2 (3 x + n) - 1/2) / 4 + 1 = 1.5 x + n/2 + 0.875; the slope in s is the sum of x/2.
  CHECK(value == doctest::Approx(9 + 1.5 + 2.625));
  CHECK(std::get<0>(gradients) == tensor<float, 3>{1.5f, 1.5f, 1.5f});
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(std::get<1>(gradients))>, double>);
  CHECK(std::get<1>(gradients) == doctest::Approx(3.0));
}

TEST_CASE("casts convert values, and gradients back") {
  tensor<float, 3> const x{1, 2, 3};
  tensor<double, 3> const y{0.1, 0.2, 0.3};
  auto const [value, gradients] =
      value_and_grad<wrt<0, 1>>([](auto a, auto b) { return sum(cwise_product(cast<double>(a), b)); })(x, y);
  static_assert(std::is_same_v<decltype(value), double const>);
  CHECK(value == doctest::Approx(1.4).epsilon(1e-14));
  CHECK(std::get<0>(gradients) == tensor<float, 3>{0.1f, 0.2f, 0.3f});
  CHECK(std::get<1>(gradients) == tensor<double, 3>{1, 2, 3});
}

// A cast to whole numbers is refused at compile time: tests/errors.

TEST_CASE("identities of arithmetic leave their operand; what would lose a NaN is left alone") {
  graph g;
  g.simplifying = true;
  term const x = input(g, element::f64, make_shape(3), 0);
  CHECK(x + 0 == x);
  CHECK(0 + x == x);
  CHECK(x - 0 == x);
  CHECK(x * 1 == x);
  CHECK(1 * x == x);
  CHECK(x / 1 == x);
  CHECK(-(-x) == x);
  CHECK(0 - x == -x);
  CHECK(x * -1 == -x);
  CHECK(-1 * x == -x);
  CHECK(is<op::mul>(x * 0));
  CHECK(is<op::sub>(x - x));
  CHECK(is<op::div>(x / x));
  term const y = input(g, element::f64, make_shape(), 1);
  term const scale = emit<op::inversion_scale>(0, y);
  CHECK(x / y == x * scale * (1 / (y * scale)));  // the inverse of what divides several entries
  CHECK(x / sqrt(y) == x * (1 / sqrt(y)));
  CHECK(is<op::div>(y / x));
  CHECK(is<op::div>(y / y));
  CHECK(emit<op::cast>(static_cast<attribute>(element::f64), x) == x);
  CHECK(emit<op::cast>(static_cast<attribute>(element::f32), x)->type == element::f32);
}
