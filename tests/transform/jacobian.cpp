// jacobian: closed forms and differences; rows = columns, straight code = loops, program = constant = tape.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

template <class T>
struct pose {
  param<T, 2> position;
  T angle;
  ETCH_MEMBERS(pose, position, angle)
};

constexpr auto map_of = [](auto x, auto w) { return tanh(w * x); };
constexpr auto wide = [](auto x) { return tanh(x) * sum(square(x)); };
constexpr auto few_of_many = [](auto x) { return stack<0>(sum(square(x)), sum(exp(x)), prod(x)); };
constexpr auto many_of_few = [](auto x) { return sin(linspace<19>(x(0), x(1)) * x(1)); };
constexpr auto rotated = [](auto p, auto q) {
  return std::tuple(stack<0>(p.position(0) + cos(p.angle) * q(0), p.position(1) + sin(p.angle) * q(0)), p.angle * q(1));
};

template <class F, class X>
double worst_of_jacobian(F f, X const& x, auto const& jacobian) {
  double worst = 0, h = 1e-6;
  auto program = std::make_unique<decltype(compile<wrt<>>(f, x))>();
  for (std::size_t j = 0; j < x.size(); ++j) {
    auto up = x, down = x;
    up[j] += h, down[j] -= h;
    auto const above = (*program)(up), below = (*program)(down);
    for (std::size_t i = 0; i < above.size(); ++i)
      worst = std::max(worst, std::abs((above[i] - below[i]) / (2 * h) - jacobian[i + j * above.size()]));
  }
  return worst;
}

}  // namespace

TEST_CASE("by rows, by columns, by shape: of the first argument, of others, of several") {
  tensor<double, 2, 3> const w{1, 2, 3, 4, 5, 6};
  tensor<double, 3> const x{0.1, 0.2, -0.3};
  auto const expected = [&](int i, int j) {
    double const z = std::tanh(w(i, 0) * x[0] + w(i, 1) * x[1] + w(i, 2) * x[2]);
    return (1 - z * z) * w(i, j);
  };
  auto const check = [&](tensor<double, 2, 3> const& j) {
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 3; ++b) CHECK(j(a, b) == doctest::Approx(expected(a, b)));
  };
  check(jacobian(map_of)(x, w)), check(jacfwd(map_of)(x, w)), check(jacrev(map_of)(x, w));
  constexpr auto constant = jacobian(map_of)(tensor<double, 3>{0.1, 0.2, -0.3}, tensor<double, 2, 3>{1, 2, 3, 4, 5, 6});
  check(constant);
  auto const all = jacobian<wrt<1, 0>>(map_of)(x, w);
  static_assert(std::is_same_v<std::remove_const_t<decltype(all)>, tensor<double, 2, 9>>);
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 3; ++b) CHECK(all(a, 6 + b) == doctest::Approx(expected(a, b)));
    for (int k = 0; k < 6; ++k)
      CHECK(all(a, k) ==
            doctest::Approx(k % 2 == a ? expected(a, 0) / w(a, 0) * x[static_cast<std::size_t>(k / 2)] : 0));
  }
}

TEST_CASE("in loops, where there are many rows and columns") {
  auto const x = same::filled_with<tensor<double, 19>>(1);
  auto const rows = jacrev(wide)(x), columns = jacfwd(wide)(x);
  CHECK(same::distance(rows, columns) < 1e-14);
  CHECK(worst_of_jacobian(wide, x, rows) < 1e-7);
  CHECK(worst_of_jacobian(few_of_many, x, jacobian(few_of_many)(x)) < 1e-6);
  CHECK(same::distance(jacobian(few_of_many)(x), jacfwd(few_of_many)(x)) < 1e-13);
  tensor<double, 2> const few{0.3, 1.2};
  CHECK(worst_of_jacobian(many_of_few, few, jacobian(many_of_few)(few)) < 1e-7);
  CHECK(same::distance(jacobian(many_of_few)(few), jacrev(many_of_few)(few)) < 1e-13);
}

TEST_CASE("structs and tuples, leaf by leaf; on a tape; inside of a loss") {
  pose<double> p;
  p.position = {1, 2}, p.angle = 0.4;
  tensor<double, 2> const q{3, 5};
  auto const j = jacobian(rotated)(p, q);
  static_assert(std::is_same_v<std::remove_const_t<decltype(j)>, tensor<double, 3, 3>>);
  tensor<double, 3, 3> const expected{1, 0, 0, 0, 1, 0, -3 * std::sin(0.4), 3 * std::cos(0.4), 5};
  CHECK(same::distance(j, expected) < 1e-15);
  CHECK(same::distance(jacfwd(rotated)(p, q), expected) < 1e-15);
  auto const determinant = [](auto a, auto b) { return det(jacobian(rotated)(a, b)) * a.angle; };
  auto const [v, g] = value_and_grad<wrt<0, 1>>(determinant)(p, q);
  CHECK(v == doctest::Approx(2));
  CHECK(std::get<0>(g).angle == doctest::Approx(5));
  CHECK(std::get<1>(g)[1] == doctest::Approx(0.4));
  tape<double> t;
  auto const x = t.watch(tensor<double, 3>{0.1, 0.2, -0.3});
  auto const on_tape = jacobian([](auto a) { return tanh(a) * a(1); })(x);
  auto const off_tape = jacobian([](auto a) { return tanh(a) * a(1); })(tensor<double, 3>{0.1, 0.2, -0.3});
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) CHECK(value(on_tape)(a, b) == doctest::Approx(off_tape(a, b)));
}

TEST_CASE("of a step written with vectors not much more is left than of the same number by number") {
  auto const by_vectors = [](auto x) { return x + 0.01 * stack<0>(x(1) * x(2), x(0), sin(x(2)), -x(3)); };
  auto const by_numbers = [](auto x) {
    return stack<0>(x(0) + 0.01 * (x(1) * x(2)), x(1) + 0.01 * x(0), x(2) + 0.01 * sin(x(2)), x(3) - 0.01 * x(3));
  };
  tensor<double, 4> const x{1, 2, 0.5, 3};
  tensor<double, 4, 4> const expected{1, 0.01, 0, 0, 0.005, 1, 0, 0, 0.02, 0, 1 + 0.01 * std::cos(0.5),
                                      0, 0,    0, 0, 0.99};
  auto const look_at = [&](auto vectors, auto numbers) {
    auto p = compile<wrt<>>(vectors, x);
    auto q = compile<wrt<>>(numbers, x);
    p(x), q(x);
    CHECK(same::distance(p.value(), expected) < 1e-15);
    CHECK(same::distance(q.value(), expected) < 1e-15);
    CHECK(2 * p.facts.nodes <= 3 * q.facts.nodes);
  };
  look_at(jacrev(by_vectors), jacrev(by_numbers));
  look_at(jacfwd(by_vectors), jacfwd(by_numbers));
}
