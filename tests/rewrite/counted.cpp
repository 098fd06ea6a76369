// What counts goes through every part of a program: constant evaluation, derivatives of derivatives, loops of points
// within each other, accumulation, facts.
#include <etch/rewrite/counted.hpp>

#include <etch/etch.hpp>
#include <etch/view/why_not_finite.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

using namespace etch;

void fill(auto& x, double by) {
  double i = 0;
  for (auto& each : x) each = std::sin(by * ++i) / 2;
}
using plane = tensor<double, 2, upto<11>>;

TEST_CASE("constant evaluation, plain calls and programs count alike") {
  static constexpr auto loss = [](auto x) { return mean(square(x)) + sum(mean<1>(x)); };
  constexpr double known = [] {
    plane x{};
    x.resize(3);
    for (std::size_t i = 0; i < plane::capacity; ++i) x[i] = static_cast<double>(i);
    return value_and_grad(loss)(x).grad(1, 2);
  }();
  static_assert(known > 1.999999 && known < 2.000001);  // 2 * 5 / 6 + 1 / 3
  plane x;
  x.resize(3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  auto const both = value_and_grad(loss)(x);
  CHECK(both.grad(1, 2) == doctest::Approx(known));
  CHECK(both.grad.count() == 3);
}

TEST_CASE("loops of points within each other") {
  plane x, y;
  x.resize(5), y.resize(5);
  fill(x, 0.3), fill(y, 0.8);
  auto step = compile<wrt<0, 1>>(
      [](auto a, auto b) { return etch::sum_map([&](auto p) { return sum(exp(-sum<0>(square(b - p)))); }, a); }, x, y);
  double value = 0, slope = 0;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      double const dx = y(0, j) - x(0, i), dy = y(1, j) - x(1, i), e = std::exp(-dx * dx - dy * dy);
      value += e;
      if (i == 3) slope += 2 * dx * e;
    }
  CHECK(step(x, y) == doctest::Approx(value).epsilon(1e-13));
  CHECK(step.grad<0>()(0, 3) == doctest::Approx(slope).epsilon(1e-12));
}

TEST_CASE("results count, derivatives of derivatives too") {
  plane x, v;
  x.resize(6), v.resize(6);
  fill(x, 0.3), fill(v, 0.9);
  auto step = compile<wrt<>>(
      [](auto a) {
        auto const j = etch::jacobian_map([](auto p) { return p(0) * sin(p(1)); }, a);
        return std::tuple{j.value, j.jacobian};
      },
      x);
  step(x);
  CHECK(step.result<0>().count() == 6);
  CHECK(step.result<0>()[5] == doctest::Approx(x(0, 5) * std::sin(x(1, 5))));
  CHECK(step.result<1>()(1, 5) == doctest::Approx(x(0, 5) * std::cos(x(1, 5))));
  auto const h = hvp([](auto a) { return sum(cube(a)) / a.count(); })(x, v);
  CHECK(h.count() == 6);
  CHECK(h(1, 4) == doctest::Approx(x(1, 4) * v(1, 4)));
}

TEST_CASE("gradients are added to what counts, and to nothing behind it") {
  tensor<double, 3, upto<7>> x, g;
  x.resize(4), g.resize(4);
  fill(x, 0.3);
  for (std::size_t i = 0; i < g.capacity; ++i) g[i] = 1;
  auto step = compile([](auto a) { return sum(square(a)); }, x);
  step(x, add_to(g));
  CHECK(g(2, 3) == doctest::Approx(1 + 2 * x(2, 3)));
  CHECK(g[12] == 1);
  auto const before = x;
  step(x, into(x));
  CHECK(x.count() == 4);
  CHECK(x(2, 3) == doctest::Approx(2 * before(2, 3)));
}

TEST_CASE("a call with two counts is refused, facts are affine in the count") {
  on_mistake = [](char const* sentence) { throw etch::exception(sentence); };
  tensor<double, 2, upto<5>> a, b;
  auto step = compile([](auto x, auto y) { return sum(x * 2) + sum(y); }, a, b);
  CHECK(step.facts.bound == 5);
  CHECK(step.facts.flops_at(5) == step.facts.flops);
  CHECK(step.facts.flops_at(2) == step.facts.flops - 3 * step.facts.flops_of_each);
  CHECK(step.facts.flops_of_each == 2 * 3);  // a product and two sums
  CHECK((step.facts.saved_bytes_of_each == 0 && step.facts.unplanned_bytes_of_each == 2 * 8));
  a.resize(3), b.resize(4);
  CHECK_THROWS_WITH_AS(step(a, b), doctest::Contains("3 entries count in one argument of a call and 4 in another"),
                       etch::exception);
  on_mistake = etch::detail::print_and_abort;
}

TEST_CASE("what is not finite counts only where it counts") {
  tensor<double, 2, upto<5>> x;
  x.resize(3);
  x[7] = std::numeric_limits<double>::quiet_NaN();
  auto step = compile<wrt<0>, check_finite>([](auto a) { return sum(log(a + 1.0)); }, x);
  step(x);
  CHECK(step.status() == status::ok);
  x(1, 2) = std::numeric_limits<double>::quiet_NaN();
  step(x);
  CHECK(step.not_finite() == "argument 0");
  CHECK(why_not_finite(compile([](auto a) { return sum(log(a)); }, x), x).find("argument 0") != std::string::npos);
}

}  // namespace
