// derivative, laplacian: closed forms and differences, one pass forward and reverse mode, straight code and loops, what
// a choice did not take, program = constant = tape.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr auto wave = [](auto x) { return sin(x) * exp(x); };

template <class T>
struct network {
  param<T, 5, 3> a;
  param<T, 5> b;
  param<T, 2, 5> c;
  ETCH_MEMBERS(network, a, b, c)
  constexpr auto operator()(auto x) const { return sum(c * tanh(a * x + b)); }
};

constexpr auto net = [](auto a, auto b, auto c) { return [=](auto x) { return sum(c * tanh(b * tanh(a * x))); }; };
constexpr auto forward = [](auto a, auto b, auto c, auto x) { return laplacian(net(a, b, c))(x); };
constexpr auto nested = [](auto a, auto b, auto c, auto x) {
  auto const slope = [&]<int I>(std::integral_constant<int, I>) {
    return [&](auto z) { return grad(net(a, b, c))(z)(I); };
  };
  return grad(slope(std::integral_constant<int, 0>{}))(x)(0) + grad(slope(std::integral_constant<int, 1>{}))(x)(1);
};
constexpr auto once = [](auto a, auto b, auto c, auto x) { return sum(grad(net(a, b, c))(x)); };

/// The trace of the Hessian of `network`, from its formula.
double trace_of(network<double> const& m, tensor<double, 3> const& x) {
  double sum = 0;
  for (int i = 0; i < 5; ++i) {
    double z = m.b(i), rows = 0;
    for (int j = 0; j < 3; ++j) z += m.a(i, j) * x(j), rows += m.a(i, j) * m.a(i, j);
    double const t = std::tanh(z);
    sum += (m.c(0, i) + m.c(1, i)) * -2 * t * (1 - t * t) * rows;
  }
  return sum;
}

}  // namespace

TEST_CASE("derivatives of any order of a function of one number") {
  double const x = 0.4, e = std::exp(x), s = std::sin(x), c = std::cos(x);
  CHECK(derivative<0>(wave)(x) == doctest::Approx(s * e));
  CHECK(derivative(wave)(x) == doctest::Approx(e * (s + c)));
  CHECK(derivative<2>(wave)(x) == doctest::Approx(2 * e * c));
  CHECK(derivative<3>(wave)(x) == doctest::Approx(2 * e * (c - s)));
  CHECK(derivative<4>(wave)(x) == doctest::Approx(-4 * e * s));
  CHECK(derivative<5>(wave)(x) == doctest::Approx(-4 * e * (s + c)));
  static_assert(derivative<2>(wave)(0.0) == 2);
  auto const in_loss = [](auto a) { return square(derivative<2>(wave)(a)); };
  CHECK(grad(in_loss)(x) == doctest::Approx(2 * 2 * e * c * 2 * e * (c - s)));
  tape<float> t;
  auto const a = t.watch(0.4f);
  CHECK(value(derivative<2>(wave)(a)) == doctest::Approx(2 * e * c));
}

TEST_CASE("a harmonic function, and a Laplacian that is differentiated at many points") {
  auto const harmonic = [](auto x) { return exp(x(0)) * sin(x(1)); };
  CHECK(std::abs(laplacian(harmonic)(tensor<double, 2>{0.3, 0.8})) < 1e-15);
  auto const residual = [](auto a, auto points) {
    return sum_map([&](auto x) { return square(laplacian([&](auto z) { return sin(a * z(0)) * z(1); })(x)); }, points);
  };
  auto const points = same::filled_with<tensor<double, 2, 13>>(3);
  double const a = 1.5, h = 1e-6;
  auto const [v, g] = value_and_grad(residual)(a, points);
  double expected = 0;
  for (int i = 0; i < 13; ++i) {
    double const l = -a * a * std::sin(a * points(0, i)) * points(1, i);
    expected += l * l;
  }
  CHECK(v == doctest::Approx(expected));
  double const up = value_and_grad(residual)(a + h, points).value, down = value_and_grad(residual)(a - h, points).value;
  CHECK(g == doctest::Approx((up - down) / (2 * h)).epsilon(1e-7));
}

TEST_CASE("the Laplacian of a network in one pass forward takes two thirds of the operations of nested reverse mode") {
  constexpr auto flops = [](auto f) {
    return decltype(compile<wrt<>>(f, tensor<double, 64, 2>{}, tensor<double, 64, 64>{}, tensor<double, 1, 64>{},
                                   tensor<double, 2>{}))::facts.flops;
  };
  constexpr auto gradient = flops(once), by_taylor = flops(forward), by_reverse = flops(nested);
  MESSAGE("operations of the gradient " << gradient << ", of the Laplacian " << by_taylor << ", nested " << by_reverse);
  CHECK(by_taylor * 10 <= gradient * 21);
  CHECK(by_reverse * 10 >= gradient * 29);
}

TEST_CASE("derivatives of whole powers are exact, by every way to write them") {
  static_assert(derivative<3>([](auto x) { return x * x * x; })(2.0) == 6);
  static_assert(derivative<3>([](auto x) { return cube(x); })(2.0) == 6);
  static_assert(derivative<4>([](auto x) { return pow(x, 4); })(-1.5) == 24);
  static_assert(derivative<5>([](auto x) { return square(square(x)); })(3.0) == 0);
  static_assert(derivative<2>([](auto x) { return pow(x, 2.0); })(0.0) == 2);
  CHECK(derivative<3>([](auto x) { return 1 / x; })(2.0) == -0.375);
  CHECK(derivative<4>([](auto x) { return log(x); })(2.0) == doctest::Approx(-0.375));
  CHECK(derivative<6>([](auto x) { return exp(2 * x); })(0.5) == doctest::Approx(64 * std::exp(1.0)));
  CHECK(derivative<3>([](auto) { return 3.0; })(2.0) == 0);
  CHECK(derivative<1>([](auto x) { return x; })(2.0f) == 1.0f);
  CHECK(derivative<2>([](auto x) { return x; })(2.0f) == 0.0f);
}

TEST_CASE("what a choice did not take has no derivative, behind infinite slopes too, at every order") {
  auto const behind_a_choice = [](auto x) { return sqrt(select(x > 0.0, x * x * x, 0.0)) + x * x; };
  CHECK(derivative<2>(behind_a_choice)(-1.0) == 2);
  CHECK(derivative<3>(behind_a_choice)(-1.0) == 0);
  CHECK(derivative<2>(behind_a_choice)(4.0) == doctest::Approx(0.75 / 2 + 2));
  auto const undefined = [](auto x) { return select(x > 0.0, log(x) * x, x * x * x); };
  CHECK(derivative<2>(undefined)(-2.0) == -12);
  CHECK(derivative<3>(undefined)(0.0) == 6);
  CHECK(derivative<3>(undefined)(2.0) == doctest::Approx(-0.25));
  auto const beside_a_constant = [](auto x) { return sum(sqrt(concat<0>(stack<0>(x * x), zeros<2>()))); };
  CHECK(derivative<2>(beside_a_constant)(3.0) == doctest::Approx(0).epsilon(1e-15));
  auto const rectified = [](auto x) { return sqrt(relu(x)) + relu(x) * x * x; };
  CHECK(derivative<2>(rectified)(-4.0) == 0);
  CHECK(derivative<2>(rectified)(4.0) == doctest::Approx(6 * 4 - 0.25 / 8));
  auto const one_of_two = [](auto x) { return sum(sqrt(select(x > 0.0, cube(x), 0.0))) + sum(square(x)); };
  CHECK(laplacian(one_of_two)(tensor<double, 2>{-1, 4}) == doctest::Approx(4 + 0.75 / 2));
  CHECK(derivative<3>(beside_a_constant)(3.0) == doctest::Approx(0).epsilon(1e-15));
}

TEST_CASE("Laplacians of a network: by one argument or a struct, with what is not differentiated beside it") {
  network<double> m;
  m.a = same::filled_with<tensor<double, 5, 3>>(4);
  m.b = same::filled_with<tensor<double, 5>>(7);
  m.c = same::filled_with<tensor<double, 2, 5>>(8);
  auto const x = same::filled_with<tensor<double, 3>>(5);
  auto const of_x = [](auto at, auto model) { return model(at); };
  CHECK(laplacian(of_x)(x, m) == doctest::Approx(trace_of(m, x)));
  // By the parameters: sum over c is linear, and by a and b the Hessian's trace is sum of c f'' (|x|² + 1).
  double expected = 0;
  for (int i = 0; i < 5; ++i) {
    double z = m.b(i), squares = 1;
    for (int j = 0; j < 3; ++j) z += m.a(i, j) * x(j), squares += x(j) * x(j);
    double const t = std::tanh(z);
    expected += (m.c(0, i) + m.c(1, i)) * -2 * t * (1 - t * t) * squares;
  }
  CHECK(laplacian([](auto model, auto at) { return model(at); })(m, x) == doctest::Approx(expected));
  // Points beside one another: some rows of the input move, others are constant.
  auto const heat = [](auto at, auto time) { return sum(sin(concat<0>(at, stack<0>(time)))) * exp(-time); };
  double const decay = std::exp(-0.7);
  CHECK(laplacian(heat)(x, 0.7) == doctest::Approx(-(std::sin(x(0)) + std::sin(x(1)) + std::sin(x(2))) * decay));
  tape<double> t;
  auto const on_tape = t.watch(x);
  CHECK(value(laplacian([&](auto at) { return sum(square(at) * 0.5) + prod(at); })(on_tape)) == doctest::Approx(3));
}

TEST_CASE("where an op has no rule for one pass forward, reverse mode stands in") {
  auto const x = same::filled_with<tensor<double, 3>>(6);
  auto const looped = [](auto at) {
    return sum(scan([](auto h, auto slice) { return tanh(h + slice); }, 0.0 * at(0), at));
  };
  auto const trace = [&](auto f) {
    auto const h = hessian(f)(x);
    return h(0, 0) + h(1, 1) + h(2, 2);
  };
  auto const of_softmax = [](auto at) { return sum(square(softmax(at))) + logsumexp(at) + norm(at); };
  CHECK(laplacian(looped)(x) == doctest::Approx(trace(looped)));
  CHECK(laplacian(of_softmax)(x) == doctest::Approx(trace(of_softmax)));
  auto const along = [](auto t) { return logsumexp(stack<0>(t, 2.0 * t, -t)); };
  double const a = std::exp(0.3), b = a * a, c = 1 / a, z = a + b + c, mean = (a + 2 * b - c) / z;
  CHECK(derivative<2>(along)(0.3) == doctest::Approx((a + 4 * b + c) / z - mean * mean));
}

TEST_CASE("derivatives by the first of several arguments") {
  constexpr auto f = [](auto x, auto a, auto w) { return a * sin(x * sum(w)); };
  tensor<double, 3> const w{0.5, -0.2, 0.9};
  double const x = 0.7, a = 1.5, s = 1.2;
  CHECK(derivative<0>(f)(x, a, w) == doctest::Approx(a * std::sin(x * s)));
  CHECK(derivative(f)(x, a, w) == doctest::Approx(a * s * std::cos(x * s)));
  CHECK(derivative<2>(f)(x, a, w) == doctest::Approx(-a * s * s * std::sin(x * s)));
  CHECK(derivative<3>(f)(x, a, w) == doctest::Approx(-a * s * s * s * std::cos(x * s)));
  auto const in_loss = [](auto at, auto factor, auto weights) {
    constexpr auto g = [](auto y, auto b, auto v) { return b * sin(y * sum(v)); };
    return derivative<2>(g)(at, factor, weights);
  };
  auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>(in_loss)(x, a, w);
  CHECK(value == doctest::Approx(-a * s * s * std::sin(x * s)));
  CHECK(std::get<0>(gradients) == doctest::Approx(-a * s * s * s * std::cos(x * s)));
  CHECK(std::get<1>(gradients) == doctest::Approx(-s * s * std::sin(x * s)));
  for (double each : std::get<2>(gradients))
    CHECK(each == doctest::Approx(-2 * a * s * std::sin(x * s) - a * s * s * x * std::cos(x * s)));
  // At a number that no argument gives, by what the others are.
  auto const at_a_number = [](auto b) {
    constexpr auto g = [](auto y, auto c) { return c * c * y * y; };
    return derivative<2>(g)(0.3, b);
  };
  CHECK(value_and_grad(at_a_number)(3.0).grad == doctest::Approx(12.0));
}
