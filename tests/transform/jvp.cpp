// jvp: derivatives in a direction against closed forms and finite differences, compiled, on a tape, and of each other.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr auto f = [](auto x, auto y) { return sin(x) * y + x * x * x; };
constexpr auto along = [](auto x, auto y, auto vx, auto vy) { return std::get<1>(jvp(f)(x, y, vx, vy)); };
constexpr auto both = [](auto x, auto y, auto vx, auto vy) { return jvp(f)(x, y, vx, vy); };

constexpr auto recurrent = [](auto w, auto xs) {
  return scan([&](auto c, auto x) { return tanh(w * c + x); }, zeros<2>(), xs);
};
constexpr auto bend = [](auto w, auto xs, auto v) {
  return sum(square(std::get<1>(jvp([&](auto a) { return recurrent(w, a); })(xs, v))));
};

// A value that jvp's function captures is none of its arguments, even where it is the same value.
constexpr auto captured = [](auto x, auto v) { return std::get<1>(jvp([&](auto a) { return a * x; })(x, v)); };
constexpr auto masked = [](auto x, auto v) {
  return std::get<1>(jvp([](auto a) { return select(a > 0, log(a), 0.0); })(x, v));
};
constexpr auto unrelated = [](auto x, auto v) {
  return std::get<1>(jvp([&](auto) { return x * 2.0; })(x, v)) + 0.0 * x;
};
constexpr auto second = [](auto x, auto v) {
  return std::get<1>(jvp([&](auto a) { return std::get<1>(jvp([](auto b) { return sin(b) * b; })(a, v)); })(x, v));
};
constexpr auto picked = [](auto table, auto words, auto v) {
  return std::get<1>(jvp([](auto t, auto w) { return sum(square(gather<0>(t, w))); })(table, words, v, words));
};

}  // namespace

TEST_CASE("in closed form, and differentiated once more") {
  double const x = 0.5, y = 1, vx = 2, vy = 0.3;
  auto const [d, g] = value_and_grad<wrt<0, 1, 2, 3>>(along)(x, y, vx, vy);
  CHECK(d == doctest::Approx(vx * (std::cos(x) * y + 3 * x * x) + vy * std::sin(x)));
  CHECK(std::get<0>(g) == doctest::Approx(vx * (-std::sin(x) * y + 6 * x) + vy * std::cos(x)));
  CHECK(std::get<1>(g) == doctest::Approx(vx * std::cos(x)));
  CHECK(std::get<2>(g) == doctest::Approx(std::cos(x) * y + 3 * x * x));
  CHECK(std::get<3>(g) == doctest::Approx(std::sin(x)));
  CHECK(value_and_grad(second)(x, 1.5).value == doctest::Approx(2.25 * (2 * std::cos(x) - x * std::sin(x))));
}

TEST_CASE("captured values, masks, results that do not depend, labels") {
  CHECK(value_and_grad(captured)(3.0, 2.0).value == 6);
  auto const [m, gm] = value_and_grad([](auto x, auto v) { return sum(masked(x, v)); })(tensor<double, 3>{0, -1, 2},
                                                                                        tensor<double, 3>{1, 1, 1});
  CHECK(m == 0.5);
  CHECK(gm == tensor<double, 3>{0, 0, -0.25});
  CHECK(value_and_grad(unrelated)(3.0, 2.0).value == 0);
  CHECK(value_and_grad(picked)(tensor<double, 4>{1, 2, 3, 4}, tensor<int, 2>{1, 1}, tensor<double, 4>{0, 0.5, 0, 9})
            .value == doctest::Approx(4));
}

TEST_CASE("through a scan, against differences of differences") {
  tensor<double, 2, 2> w{0.3, -0.2, 0.5, 0.1};
  tensor<double, 2, 3> xs{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, v{1, -1, 0.5, 2, 0.1, -0.3};
  auto const state = [&](tensor<double, 2, 2> const& m, double s) {
    std::array<double, 2> c{};
    for (int t = 0; t < 3; ++t) {
      std::array<double, 2> next{};
      for (int i = 0; i < 2; ++i)
        next[static_cast<std::size_t>(i)] = std::tanh(m(i, 0) * c[0] + m(i, 1) * c[1] + xs(i, t) + s * v(i, t));
      c = next;
    }
    return c;
  };
  auto const expected = [&](tensor<double, 2, 2> const& m) {
    double const h = 1e-5;
    auto const p = state(m, h), n = state(m, -h);
    double const a = (p[0] - n[0]) / (2 * h), b = (p[1] - n[1]) / (2 * h);
    return a * a + b * b;
  };
  auto const [value, g] = value_and_grad<wrt<0, 1>>(bend)(w, xs, v);
  CHECK(value == doctest::Approx(expected(w)).epsilon(1e-8));
  for (std::size_t i = 0; i < 4; ++i) {
    auto up = w, down = w;
    up[i] += 1e-3, down[i] -= 1e-3;
    CHECK(std::get<0>(g)[i] == doctest::Approx((expected(up) - expected(down)) / 2e-3).epsilon(1e-5));
  }
  auto const [on_tape, by_tape] = dynamic::value_and_grad<wrt<0, 1>>(bend)(w, xs, v);
  CHECK(on_tape == doctest::Approx(value).epsilon(1e-14));
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(std::get<0>(by_tape)[i] == doctest::Approx(std::get<0>(g)[i]).epsilon(1e-12));
}

TEST_CASE("on a tape: of scalars, and as a compiled block") {
  double const expected = 2.64899278536200997, bent = 2.30442369135871;  // at (0.5, 2) along (1, 0.3)
  double const d = std::cos(0.5) * 2 + 0.75 + 0.3 * std::sin(0.5);
  CHECK(d == doctest::Approx(expected));
  tape<double> t;
  auto a = t.watch(0.5), b = t.watch(2.0);
  auto const [y, dy] = jvp(f)(a, b, var<double>(1.0), var<double>(0.3));
  CHECK(value(y) == doctest::Approx(std::sin(0.5) * 2 + 0.125));
  CHECK(value(dy) == doctest::Approx(expected));
  t.backward(dy);
  CHECK(t.grad(a) == doctest::Approx(bent));
  t.reset();
  a = t.watch(0.5), b = t.watch(2.0);
  auto const [z, dz] = t.apply(both, a, b, 1.0, 0.3);
  CHECK(value(dz) == doctest::Approx(expected));
  t.backward(dz);
  CHECK(t.grad(a) == doctest::Approx(bent));
}

TEST_CASE("it is itself a function to be compiled, and a block of a tape") {
  double const x = 0.5, y = 1;
  auto const r =
      value_and_grad<wrt<0, 1>, allow_unused>(jvp(f))(x, y, 2.0, 0.3);  // the tuple's first value is the loss
  CHECK(std::get<0>(r.value) == doctest::Approx(std::sin(x) * y + x * x * x));
  CHECK(std::get<0>(r.grad) == doctest::Approx(std::cos(x) * y + 3 * x * x));
  CHECK(std::get<1>(r.grad) == doctest::Approx(std::sin(x)));
  tape<double> t;
  auto const a = t.watch(x), b = t.watch(y);
  auto const [v, d] = t.apply(jvp(f), a, b, 2.0, 0.3);
  CHECK(value(v) == doctest::Approx(std::get<0>(r.value)));
  t.backward(d);
  CHECK(t.grad(a) == doctest::Approx(2 * (-std::sin(x) * y + 6 * x) + 0.3 * std::cos(x)));
  CHECK(t.grad(b) == doctest::Approx(2 * std::cos(x)));
  CHECK(grad(checkpoint(f))(x, y) == doctest::Approx(std::cos(x) * y + 3 * x * x));
}

TEST_CASE("numbers for directions, and for values") {
  auto const by_number = [](auto x, auto y) { return std::get<1>(jvp(f)(x, y, 1, 0.0)); };  // of f by x
  auto const at_number = [](auto vx) { return std::get<1>(jvp(f)(0.5, vx * 0.0 + 1.0, vx, 0)); };
  auto const [d, g] = value_and_grad<wrt<0, 1>>(by_number)(0.5, 1.0);
  CHECK(d == doctest::Approx(std::cos(0.5) + 0.75));
  CHECK(std::get<0>(g) == doctest::Approx(-std::sin(0.5) + 3));
  CHECK(std::get<1>(g) == doctest::Approx(std::cos(0.5)));
  CHECK(grad(at_number)(2.0) == doctest::Approx(std::cos(0.5) + 0.75));
  tape<float> t;
  auto const x = t.watch(0.5f), y = t.watch(1.0f);
  auto const [v, dx] = jvp(f)(x, y, 1, 0.0);
  t.backward(dx);
  CHECK(value(v) == doctest::Approx(std::sin(0.5) + 0.125));
  CHECK(t.grad(x) == doctest::Approx(-std::sin(0.5) + 3));
  CHECK(t.grad(y) == doctest::Approx(std::cos(0.5)));
}
