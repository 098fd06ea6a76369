#include <etch/compile/gradient.hpp>

#include <etch/core/eigen.hpp>
#include <etch/core/named_view.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr auto third_power = [](auto x) { return x * x * x; };
constexpr auto weighted = [](auto w, auto x) { return sum(cwise_product(w, square(x))); };

template <class T>
struct model {
  param<T, 2> weight;
  T bias;
  ETCH_MEMBERS(model, weight, bias)
};

using vector_type = tensor<float, 3>;

// Scalars and small tensors in constant expressions.
static_assert(grad(third_power)(2.0) == 12);
static_assert(grad(third_power)(2.0f) == 12.0f);
static_assert(value_and_grad(third_power)(3.0).value == 27);
constexpr auto at_compile_time = value_and_grad<wrt<0, 1>>(weighted)(tensor<double, 2>{1, 2}, tensor<double, 2>{3, 4});
static_assert(at_compile_time.value == 41);
static_assert(std::get<0>(at_compile_time.grad) == tensor<double, 2>{9, 16});
static_assert(std::get<1>(at_compile_time.grad) == tensor<double, 2>{6, 16});
static_assert(grad([](auto m) { return sum(m * m); })(tensor<double, 2, 2>{1, 2, 3, 4}) ==
              tensor<double, 2, 2>{7, 11, 9, 13});
constexpr double slope = grad([](auto x) { return sin(exp(x)); })(0.5);

}  // namespace

// The gradient has the type of its argument; several are a tuple in the order of `wrt`.
static_assert(std::is_same_v<decltype(grad(third_power)(1.0f)), float>);
static_assert(std::is_same_v<decltype(grad(weighted)(vector_type(), vector_type())), vector_type>);

TEST_CASE("constant evaluation and the compiled program agree") {
  double const at = 0.5;
  CHECK(grad([](auto x) { return sin(exp(x)); })(at) == doctest::Approx(slope).epsilon(1e-14));
  CHECK(slope == doctest::Approx(std::cos(std::exp(0.5)) * std::exp(0.5)).epsilon(1e-14));
}

TEST_CASE("value and gradient can be destructured, for one position and for several") {
  auto const [value, gradient] = value_and_grad(weighted)(vector_type{1, 2, 3}, vector_type{1, 1, 2});
  CHECK(value == 15);
  CHECK(gradient == vector_type{1, 1, 4});
  static_assert(std::is_same_v<decltype(value), float const> && std::is_same_v<decltype(gradient), vector_type const>);
  auto const [again, both] = value_and_grad<wrt<1, 0>>(weighted)(vector_type{1, 2, 3}, vector_type{1, 1, 2});
  static_assert(std::is_same_v<decltype(both), std::tuple<vector_type, vector_type> const>);
  CHECK(again == value);
  CHECK(std::get<0>(both) == vector_type{2, 4, 12});
  CHECK(std::get<1>(both) == vector_type{1, 1, 4});
}

TEST_CASE("structs, arrays, tuples and Eigen objects get gradients of their own type") {
  model<double> const m{{2, 3}, 5};
  auto const g = grad([](auto a) { return sum(square(a.weight)) * a.bias; })(m);
  static_assert(std::is_same_v<decltype(g), model<double> const>);
  CHECK(g.weight == tensor<double, 2>{20, 30});
  CHECK(g.bias == 13);
  std::tuple<float, std::array<double, 2>> const t{2.0f, {3, 4}};
  auto const h = grad([](auto a) { return std::get<0>(a) * std::get<1>(a)[0] * std::get<1>(a)[1]; })(t);
  static_assert(std::is_same_v<decltype(h), std::tuple<float, std::array<double, 2>> const>);
  CHECK(h == std::tuple<float, std::array<double, 2>>{12.0f, {8, 6}});
  Eigen::Matrix<double, 2, 3, Eigen::RowMajor> rows;
  rows << 1, 2, 3, 4, 5, 6;
  Eigen::Vector3d const v(1, 10, 100);
  auto const e = grad<wrt<0, 1>>([](auto a, auto x) { return sum(square(a * x)); })(rows, v);
  Eigen::Matrix<double, 2, 3> const by_hand = 2 * (rows * v) * v.transpose();
  CHECK(std::get<0>(e) == by_hand);
  CHECK(std::get<1>(e) == Eigen::Vector3d(2 * rows.transpose() * (rows * v)));
}

TEST_CASE("a workspace too large for the stack is found elsewhere") {
  tensor<double, 60, 60> a;
  for (int i = 0; i < 60; ++i) a(i, i) = i + 1;
  // tr-like sum of (a a)(a a): for a diagonal matrix the sum of fourth powers, with slope 4 d³ on the diagonal.
  auto const [value, g] = value_and_grad([](auto x) {
    auto const two = x * x;
    return sum(two * two);
  })(a);
  double expected = 0;
  for (int i = 1; i <= 60; ++i) expected += std::pow(i, 4);
  CHECK(value == expected);
  for (int i = 0; i < 60; ++i) CHECK(g(i, i) == 4 * std::pow(i + 1, 3));
}

namespace {

constexpr auto robust_distance = [](auto const& p, auto const& q) {
  return (p - q).squaredNorm() / (1 + (p - q).squaredNorm());
};

[[gnu::noinline]] void distance_into(Eigen::Vector3d const& p, Eigen::Vector3d const& q, Eigen::Vector3d& to) {
  static auto step = compile<wrt<0>>(robust_distance, Eigen::Vector3d(), Eigen::Vector3d());
  step(p, q, into(to));
}

}  // namespace

// g++ 12.2 took what is written to the further entries of a member for written to the first (compile/storage.hpp).
TEST_CASE("all entries of a small gradient reach whoever calls the function that computes it") {
  Eigen::Vector3d p(1, 2, 3), q(0, 1, 5), by_p(0, 0, 0);
  auto const [value, g] = value_and_grad(robust_distance)(p, q);
  double const first = g(0), second = g(1), third = g(2);
  CHECK(value == doctest::Approx(6.0 / 7));
  CHECK(first == doctest::Approx(2.0 / 49));
  CHECK(second == doctest::Approx(2.0 / 49));
  CHECK(third == doctest::Approx(-4.0 / 49));
  q(2) = 1;
  distance_into(p, q, by_p);
  double const x = by_p(0), z = by_p(2);
  CHECK(x == doctest::Approx(2.0 / 49));
  CHECK(z == doctest::Approx(4.0 / 49));
}
