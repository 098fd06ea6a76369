// Tensors of few numbers beside traced values: constants.
#include <etch/op/operand.hpp>

#include "op/everywhere.hpp"

using namespace everywhere;

namespace {

constexpr tensor<double, 3> gravity{0, -0.5, 9.81};
constexpr tensor<double, 2, 3> mix{1, 2, -3, 4, 0.5, 6};

constexpr auto loss = [](auto x) {
  return sum(square(x + gravity)) + sum(sin(mix * x)) +
         sum(select(x > tensor<double, 3>{1, 0.75, 0.1}, square(x), 2.0 * x)) +
         sum(cwise_product(max(x, 2.0 * x), gravity)) + sum(gravity / x) + sum(x(0) * gravity - gravity * x(1)) +
         sum(pow(x, gravity));
};

}  // namespace

TEST_CASE("a tensor of few numbers is a constant in a program, on a tape, in a block and in constant evaluation") {
  check([] { return std::tuple{sample<3>(1)}; }, loss);
}

TEST_CASE("its entries are those of the same constant written as an argument") {
  tensor<double, 3> const x = sample<3>(2);
  auto const [value, g] = value_and_grad([](auto v) { return sum(exp(mix * v)); })(x);
  auto const [same_value, same] = value_and_grad<wrt<1>>([](auto m, auto v) { return sum(exp(m * v)); })(mix, x);
  CHECK(value == doctest::Approx(same_value).epsilon(1e-15));
  for (std::size_t i = 0; i < 3; ++i) CHECK(g[i] == doctest::Approx(same[i]).epsilon(1e-14));
}

TEST_CASE("NaN, infinities and both zeros are entries as any other") {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr tensor<double, 6> special{nan, nan, inf, -inf, 0.0, -0.0};
  tensor<double, 6> const ones{1, 1, 1, 1, 1, 1};
  auto sums = compile<wrt<>>([](auto x) { return x + special; }, ones);
  tensor<double, 6> const& y = sums(ones);
  CHECK(std::isnan(y[0]));
  CHECK(std::isnan(y[1]));
  CHECK(y[2] == inf);
  CHECK(y[3] == -inf);
  CHECK(y[4] == 1);
  CHECK(y[5] == 1);
}

TEST_CASE("zeros keep their signs, on a tape too") {
  constexpr auto angles = [](auto x) {
    return sum(atan2(tensor<double, 2>{0.0, -0.0}, x)) + 2 * sum(atan2(tensor<double, 2, 2>{-0.0, 1, 0.0, -0.0}, x(0)));
  };
  tensor<double, 2> const x{-0.7, -0.7};
  CHECK(value_and_grad(angles)(x).value == doctest::Approx(2 * (std::atan2(-0.0, -0.7) + std::atan2(1, -0.7))));
  check([] { return std::tuple{tensor<double, 2>{-0.7, -0.7}}; }, angles, false);
}

TEST_CASE("on a tape it is read when it is met: later changes of the tensor change nothing") {
  tape<double> t;
  auto const x = t.watch(tensor<double, 3>{1, 2, 3});
  auto const s = t.watch(2.0);
  tensor<double, 3> c{4, 5, 6};
  auto const loss_now = sum(cwise_product(x, c)) + sum(s * c);
  c = {0, 0, 0};
  CHECK(t.backward(loss_now) == 32 + 30);
  CHECK(t.grad(x) == tensor<double, 3>{4, 5, 6});
  CHECK(t.grad(s) == 15);
}

TEST_CASE("floats beside floats") {
  static constexpr tensor<float, 2> c{0.5f, -1.5f};
  auto const [value, g] = value_and_grad([](auto x) { return sum(square(x * 2 + c)); })(tensor<float, 2>{1, 2});
  CHECK(value == 2.5f * 2.5f + 2.5f * 2.5f);
  CHECK(g == tensor<float, 2>{10, 10});
}
