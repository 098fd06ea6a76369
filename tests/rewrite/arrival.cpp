#include <etch/rewrite/arrival.hpp>

#include "rewrite/masked_losses.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace etch;

namespace {

template <class... F>
void check_programs(std::tuple<masked::loss<F>...> const& losses) {
  auto const check = [](auto const& each) {
    CAPTURE(std::string(each.name));
    auto const g = grad(each.f)(each.x);
    for (int i = 0; i < 3; ++i) CHECK(g(i) == doctest::Approx(each.gradient(i)));
  };
  std::apply([&](auto const&... each) { (check(each), ...); }, losses);
}

// The derivative of the derivative, where only what was taken is smooth.
template <class F>
struct slope {
  constexpr auto operator()(auto x) const { return std::get<1>(jvp(F())(x, 1.0)); }
};
constexpr auto root = [](auto x) {
  auto const d = sqrt(x);
  return select(x > 0, d * (1 + d), 0.0);
};
constexpr slope<decltype(root)> first;
constexpr slope<slope<decltype(root)>> second;
constexpr auto indexed = [](auto x) {
  return sum(std::get<1>(jvp([](auto v) { return select(v(0) > 0, log(v)(0), v(1) * v(1)); })(x, x)));
};

// Constant evaluation knows no NaN: these are constants because nothing is multiplied with what was not taken.
constexpr auto squared = [](auto x) {
  auto const d = 1 / (x + 1);
  return select(x > -1, d * d, 0.0);
};
static_assert(grad(squared)(1.0) == -0.25);

}  // namespace

TEST_CASE("a value of a branch that is not taken may be used twice") { check_programs(masked::shared); }
TEST_CASE("whatever lies between a branch that is not taken and what is singular, nothing arrives") {
  check_programs(masked::between);
  check_programs(masked::mixed);
}
TEST_CASE("loops keep from what a branch did not take") { check_programs(masked::loops); }

TEST_CASE("nothing arrives at any order") {
  CHECK(grad(root)(0.0) == 0);
  CHECK(grad(first)(0.0) == 0);
  CHECK(grad(second)(0.0) == 0);
  CHECK(grad(first)(4.0) == doctest::Approx(-0.25 / 8));
  CHECK(grad(indexed)(tensor<double, 2>{0, 3}) == tensor<double, 2>{0, 12});
}

TEST_CASE("a mask reaches the entries that an adjoint reaches") {
  graph g;
  g.simplifying = true;
  term const x = input(g, element::f64, make_shape(2, 3), 0), m = input(g, element::f64, make_shape(1, 3), 1);
  CHECK(pass::detail::any_to(m, make_shape(1, 1)).extent() == make_shape(1, 1));
  CHECK(pass::detail::any_to(fit(m, make_shape(2, 3)), make_shape(1, 3)) == m);  // a repeated mask is not counted
  term const y = emit<op::sum>(1, x);
  sequence<term> operands;
  operands.push_back(x);
  auto const none = [](term, sequence<term>&) {};
  term const of_columns = pass::detail::reached(reach::along_axes, *y, operands, 0, m, none);
  CHECK(of_columns.extent() == x.extent());
  CHECK_FALSE(pass::detail::reached(reach::whole, *y, operands, 0, m, none).exists());
  CHECK(pass::detail::reached(reach::whole, *y, operands, 0, fit(input(g, element::f64, shape{}, 2), make_shape(1, 3)),
                              none)
            .extent() == x.extent());
}

TEST_CASE("parts that leave no gap need no mask") {
  graph g;
  g.simplifying = true;
  term const one = constant(g, element::f64, 1);
  shape const whole = make_shape(4);
  sequence<term> parts;
  parts.push_back(embed(fit(one, make_shape(3)), whole, region(0, 0)));
  CHECK(pass::detail::either(parts).exists());
  parts.push_back(embed(fit(one, make_shape(1)), whole, region(0, 3)));
  CHECK_FALSE(pass::detail::either(parts).exists());
}

TEST_CASE("programs that choose nothing, and values behind their choices, have no masks") {
  graph g;
  term const x = input(g, element::f64, make_shape(2), 0), y = emit<op::sqrt>(0, x), z = emit<op::exp>(0, x),
             chosen = emit<op::select>(0, emit<op::less>(0, x, z), y, z), after = emit<op::exp>(0, chosen);
  g.outputs.push_back(after.id);
  sequence<int> leaves;
  leaves.push_back(x.id);
  sequence<char> const found = pass::detail::guarded(g, pass::influenced(g, leaves), {});
  CHECK(found[static_cast<std::size_t>(y.id)]);
  CHECK(found[static_cast<std::size_t>(x.id)]);
  CHECK_FALSE(found[static_cast<std::size_t>(chosen.id)]);
  CHECK_FALSE(found[static_cast<std::size_t>(after.id)]);
}

TEST_CASE("a product of points keeps its rows or columns apart") {
  graph g;
  g.simplifying = true;
  term const w = input(g, element::f64, make_shape(4, 3), 0), x = input(g, element::f64, make_shape(3, 5), 1),
             m = input(g, element::f64, make_shape(1, 5), 2), rows = input(g, element::f64, make_shape(4, 1), 3);
  sequence<term> operands;
  operands.push_back(w), operands.push_back(x);
  auto const none = [](term, sequence<term>&) {};
  term const y = emit<op::matmul>(op::matmul::of_points, w, x), other = emit<op::matmul>(0, w, x);
  auto const reached = [&](term of, std::size_t i, term mask) {
    return pass::detail::reached(reach::lines, *of, operands, i, mask, none);
  };
  CHECK(reached(y, 1, m) == fit(m, make_shape(3, 5)));
  CHECK(reached(y, 0, m).extent() == make_shape(4, 3));
  CHECK(reached(y, 0, rows) == fit(rows, make_shape(4, 3)));
  CHECK(reached(y, 1, rows).extent() == make_shape(3, 5));
  CHECK_FALSE(reached(y, 1, input(g, element::f64, make_shape(4, 5), 4)).exists());
  CHECK_FALSE(reached(other, 1, m).exists());
}
