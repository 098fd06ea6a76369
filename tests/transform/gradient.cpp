// grad, vjp, hvp inside of losses and of plain values: closed forms, differences, program = constant = tape.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace etch;

struct counted {
  tensor<double, 3> a;
  int k;
};
BOOST_HANA_ADAPT_STRUCT(counted, a, k);
struct counted_many {
  tensor<double, 17> a;
  int k;
};
BOOST_HANA_ADAPT_STRUCT(counted_many, a, k);

namespace {

template <class T>
struct layer {
  param<T, 2, 3> w;
  param<T, 2> b;
  ETCH_MEMBERS(layer, w, b)
  constexpr auto operator()(auto x) const { return tanh(w * x + b); }
};

template <class T>
struct numbers {
  T a, b;
  ETCH_MEMBERS(numbers, a, b)
};

constexpr auto rosenbrock = [](auto x) { return 100.0 * square(x(1) - square(x(0))) + square(1.0 - x(0)); };
constexpr auto penalty = [](auto x) { return sum(square(grad(rosenbrock)(x))); };
constexpr auto of_layer = [](auto model, auto x) { return sum(square(model(x))); };
constexpr auto squared_gradient = [](auto model, auto x) {
  auto const g = grad(of_layer)(model, x);
  return sum(square(g.w)) + sum(square(g.b));
};
constexpr auto map_of = [](auto x, auto w) { return tanh(w * x); };
constexpr auto cubic = [](auto x) { return x * x * x; };

// A meta-learner: one step of descent inside of the loss.
constexpr auto after_a_step = [](auto w, auto x) {
  auto const inner = [&](auto v) { return sum(square(v * x - 1.0)); };
  return inner(w - 0.1 * grad(inner)(w));
};

}  // namespace

TEST_CASE("a gradient inside of a loss: its values and its own gradient") {
  constexpr tensor<double, 2> x{0.3, 0.7};
  double const a = -400 * 0.3 * (0.7 - 0.09) - 2 * 0.7, b = 200 * (0.7 - 0.09);
  auto const [v, g] = value_and_grad(penalty)(x);
  CHECK(v == doctest::Approx(a * a + b * b));
  double const h00 = 1200 * 0.09 - 400 * 0.7 + 2, h01 = -400 * 0.3, h11 = 200;
  CHECK(g[0] == doctest::Approx(2 * (h00 * a + h01 * b)));
  CHECK(g[1] == doctest::Approx(2 * (h01 * a + h11 * b)));
  static_assert(value_and_grad(penalty)(x).value > 20449 && value_and_grad(penalty)(x).value < 20450);
  auto const [on_tape, by_tape] = dynamic::value_and_grad(penalty)(x);
  CHECK(on_tape == doctest::Approx(v).epsilon(1e-14));
  for (std::size_t i = 0; i < 2; ++i) CHECK(by_tape[i] == doctest::Approx(g[i]).epsilon(1e-13));
}

TEST_CASE("gradients of structs, of several arguments, and with their value") {
  layer<double> m;
  m.w = same::filled_with<tensor<double, 2, 3>>(1), m.b = same::filled_with<tensor<double, 2>>(2);
  tensor<double, 3> const x{0.1, 0.2, 0.3};
  auto const direct = grad(of_layer)(m, x);
  auto const [v, g] = value_and_grad(squared_gradient)(m, x);
  CHECK(v == doctest::Approx(dot(direct, direct)));
  double const h = 1e-5;
  for (std::size_t i = 0; i < 6; ++i) {
    auto up = m, down = m;
    up.w[i] += h, down.w[i] -= h;
    double const difference =
        (value_and_grad(squared_gradient)(up, x).value - value_and_grad(squared_gradient)(down, x).value) / (2 * h);
    CHECK(g.w[i] == doctest::Approx(difference).epsilon(1e-7));
  }
  auto step = compile<wrt<>>(grad(of_layer), m, x);
  layer<double> const& compiled = step(m, x);
  CHECK(compiled.w == direct.w);
  CHECK(compiled.b == direct.b);
  auto both = compile<wrt<>>(value_and_grad<wrt<1, 0>>(of_layer), m, x);
  CHECK(both(m, x) == doctest::Approx(value_and_grad(of_layer)(m, x).value));
  auto const& [by_x, by_m] = both.result<1>();
  CHECK(by_m.w == direct.w);
  CHECK(by_x == grad<wrt<1>>(of_layer)(m, x));
}

TEST_CASE("a function that captures traced values, also of an inner loop") {
  auto const loss = [](auto w, auto x) { return after_a_step(w, x); };
  tensor<double, 3> const w{0.5, -0.2, 0.1};
  double const x = 0.7;
  auto const [v, g] = value_and_grad<wrt<0, 1>>(loss)(w, x);
  double expected = 0, by_x = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double const r = w[i] * x - 1, s = (w[i] - 0.2 * x * r) * x - 1;
    expected += s * s;
    CHECK(std::get<0>(g)[i] == doctest::Approx(2 * s * x * (1 - 0.2 * x * x)));
    by_x += 2 * s * (w[i] - 0.4 * x * r - 0.2 * x * x * w[i]);
  }
  CHECK(v == doctest::Approx(expected));
  CHECK(std::get<1>(g) == doctest::Approx(by_x));
  // x belongs to the graph outside, and the function captures the carry of the loop.
  auto const in_loop = [](auto s, auto y) {
    return repeat<3>(
        [&](auto c) {
          return c + grad([&](auto a) { return a * a * c; })(y) + std::get<1>(jvp([&](auto a) { return a * c; })(y, y));
        },
        s);
  };
  auto const [r, gr] = value_and_grad<wrt<0, 1>>(in_loop)(2.0, 0.1);
  CHECK(r == doctest::Approx(2.0 * std::pow(1.3, 3)));
  CHECK(std::get<0>(gr) == doctest::Approx(std::pow(1.3, 3)));
  CHECK(std::get<1>(gr) == doctest::Approx(2.0 * 9 * std::pow(1.3, 2)));
}

TEST_CASE("vjp: results with adjoints of their own, all activity masks") {
  auto const w = same::filled_with<tensor<double, 2, 3>>(1);
  tensor<double, 3> const x{0.1, 0.2, 0.3};
  tensor<double, 2> const u{1, -2};
  auto const weighted = [](auto a, auto b, auto c) { return dot(c, map_of(a, b)); };
  auto const expected = value_and_grad<wrt<0, 1>>(weighted)(x, w, u);
  auto const [y, gx, gw] = vjp(map_of)(x, w, u);
  CHECK(same::distance(gx, std::get<0>(expected.grad)) < 1e-15);
  CHECK(same::distance(gw, std::get<1>(expected.grad)) < 1e-15);
  CHECK(dot(y, u) == doctest::Approx(expected.value));
  auto const [y1, only_w] = vjp<wrt<1>>(map_of)(x, w, u);
  CHECK(only_w == gw);
  auto const [y2, w_first, x_second] = vjp<wrt<1, 0>>(map_of)(x, w, u);
  CHECK(w_first == gw);
  CHECK(x_second == gx);
  auto step = compile<wrt<>>(vjp(map_of), x, w, u);
  CHECK(step(x, w, u) == y);
  CHECK(step.result<1>() == gx);
  CHECK(step.result<2>() == gw);
  // Equal, stopped and constant results.
  auto const several = [](auto a) { return std::tuple(a * a, a * a, stop_gradient(a) * a, 3.0); };
  auto const [all, g] = vjp(several)(5.0, std::tuple(1.0, 10.0, 100.0, 1000.0));
  CHECK(std::get<3>(all) == 3);
  CHECK(g == 10 + 100 + 500);
  constexpr auto at_compile_time = vjp(cubic)(2.0, 0.5);
  static_assert(std::get<0>(at_compile_time) == 8 && std::get<1>(at_compile_time) == 6);
}

TEST_CASE("vjp: arguments of integers, Eigen's types in both orders of memory, arrays") {
  auto const picked = [](auto table, auto words) { return square(gather<0>(table, words)); };
  auto const [y, by_table, by_words] =
      vjp(picked)(tensor<double, 3>{1, 2, 3}, tensor<int, 2>{2, 2}, tensor<double, 2>{1, 10});
  CHECK(by_table == tensor<double, 3>{0, 0, 66});
  CHECK(by_words == tensor<int, 2>{0, 0});
  using right = Eigen::Matrix<double, 2, 3, Eigen::RowMajor>;
  right m;
  m << 1, 2, 3, 4, 5, 6;
  Eigen::Matrix<double, 2, 3> const n = m;
  Eigen::Vector2d const u(1, 10);
  auto const product = [](auto a, auto b) { return a * b; };
  auto const [p, by_m, by_x] = vjp(product)(m, Eigen::Vector3d(1, 2, 3), u);
  auto const [q, by_n, by_z] = vjp(product)(n, Eigen::Vector3d(1, 2, 3), u);
  static_assert(std::is_same_v<std::remove_const_t<decltype(by_m)>, right>);
  CHECK(by_m == by_n);
  CHECK(by_m == u * Eigen::RowVector3d(1, 2, 3));
  CHECK(by_x == m.transpose() * u);
  CHECK(by_z == by_x);
  auto const sums = [](auto pair) { return std::array{pair[0] * pair[1], pair[0] + pair[1]}; };
  auto const [r, by_pair] = vjp(sums)(std::array{2.0, 3.0}, std::array{1.0, 10.0});
  CHECK(r == std::array{6.0, 5.0});
  CHECK(by_pair == std::array{13.0, 12.0});
}

TEST_CASE("hvp: against the Hessian, of structs, with further arguments, in a loss, on a tape") {
  constexpr tensor<double, 2> x{0.3, 0.7}, v{1, -2};
  double const h00 = 1200 * 0.09 - 400 * 0.7 + 2, h01 = -400 * 0.3, h11 = 200;
  auto const p = hvp(rosenbrock)(x, v);
  CHECK(p[0] == doctest::Approx(h00 - 2 * h01));
  CHECK(p[1] == doctest::Approx(h01 - 2 * h11));
  constexpr auto constant = hvp(rosenbrock)(x, v);
  CHECK(same::distance(constant, p) < 1e-14);
  layer<double> m, along;
  m.w = same::filled_with<tensor<double, 2, 3>>(1), m.b = same::filled_with<tensor<double, 2>>(2);
  along.w = same::filled_with<tensor<double, 2, 3>>(3), along.b = same::filled_with<tensor<double, 2>>(4);
  tensor<double, 3> const z{0.1, 0.2, 0.3};
  auto const product = hvp(of_layer)(m, z, along);
  double const h = 1e-5;
  auto const up = grad(of_layer)(m + h * along, z), down = grad(of_layer)(m - h * along, z);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(product.w[i] == doctest::Approx((up.w[i] - down.w[i]) / (2 * h)).epsilon(1e-7));
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(product.b[i] == doctest::Approx((up.b[i] - down.b[i]) / (2 * h)).epsilon(1e-7));
  auto const bend = [](auto a, auto b) { return dot(b, hvp(rosenbrock)(a, b)); };
  auto const [c, g] = value_and_grad<wrt<0, 1>>(bend)(x, v);
  CHECK(c == doctest::Approx(h00 - 4 * h01 + 4 * h11));
  CHECK(std::get<0>(g)[0] == doctest::Approx(2400 * 0.3 - 4 * -400));
  CHECK(std::get<1>(g)[1] == doctest::Approx(2 * p[1]));
  tape<double> t;
  auto const a = t.watch(x);
  auto const q = hvp(rosenbrock)(a, t.constant(v));
  CHECK(value(q)(0) == doctest::Approx(p[0]));
  t.backward(dot(q, t.constant(v)));
  CHECK(t.grad(a)(0) == doctest::Approx(std::get<0>(g)[0]));
}

TEST_CASE("what a select did not take does not arrive at a second derivative") {
  auto const safe = [](auto x) { return sum(select(x > 0.0, cwise_product(sqrt(x), x), 0.0)); };
  tensor<double, 3> const x{-1, 0, 4}, ones{1, 1, 1};
  CHECK(grad(safe)(x) == tensor<double, 3>{0, 0, 3});
  CHECK(hvp(safe)(x, ones) == tensor<double, 3>{0, 0, 0.375});
  auto const of_gradient = [](auto a) {
    return sum(square(grad([](auto b) { return sum(select(b > 0.0, cwise_product(sqrt(b), b), 0.0)); })(a)));
  };
  CHECK(grad(of_gradient)(x) == tensor<double, 3>{0, 0, 2 * 3 * 0.375});
}

TEST_CASE("through loops, maps and checkpoints, to the second order") {
  auto const f = [](auto w) {
    auto const h = repeat<4>([&](auto c) { return tanh(cwise_product(w, c) + 0.1); }, 0.5 * w);
    return sum(h) + sum_map([&](auto a) { return sin(a) * a; }, w) + checkpoint([](auto a) { return prod(a); })(w);
  };
  auto const plain = [=](tensor<double, 3> const& w) { return value_and_grad(f)(w); };
  tensor<double, 3> const w{0.3, -0.8, 0.5}, v{1, 0.5, -2};
  auto const product = hvp(f)(w, v);
  double const h = 1e-5;
  auto up_at = w, down_at = w;
  for (std::size_t i = 0; i < 3; ++i) up_at[i] += h * v[i], down_at[i] -= h * v[i];
  auto const up = plain(up_at).grad, down = plain(down_at).grad;
  for (std::size_t i = 0; i < 3; ++i) CHECK(product[i] == doctest::Approx((up[i] - down[i]) / (2 * h)).epsilon(1e-7));
}

TEST_CASE("results that are tuples stay tuples, variables that are tuples, too") {
  auto const two = [](auto a) { return std::tuple(a * a, 3.0 * a); };
  auto const [y, g] = vjp(two)(5.0, std::tuple(1.0, 10.0));
  CHECK(y == std::tuple(25.0, 15.0));
  CHECK(g == 40);
  auto const inside = [](auto x) {
    auto const [z, h] = vjp([](auto a) { return std::tuple(a * a, 3.0 * a); })(x, std::tuple(x, x));
    return h * 1.0 + 0.0 * std::get<0>(z);
  };
  CHECK(value_and_grad(inside)(5.0).value == 65);
  tape<double> t;
  CHECK(value(inside(t.watch(5.0))) == 65);
  auto const a = t.watch(2.0), b = t.watch(3.0);
  auto const [ga, gb] = grad([](auto q) { return std::get<0>(q) * std::get<0>(q) * std::get<1>(q); })(std::tuple(a, b));
  CHECK(value(ga) == 12);
  CHECK(value(gb) == 4);
  CHECK(jacobian([](auto r) { return std::array{r[0] * r[1], r[0] + r[1]}; })(std::array{2.0, 3.0}) ==
        tensor<double, 2, 2>{3, 1, 2, 1});
}

TEST_CASE("on a tape: results that do not depend on the variable, structs with numbers") {
  tape<double> t;
  auto const a = t.watch(2.0), b = t.watch(3.0);
  CHECK(value(grad([](auto, auto y) { return y * y; })(a, b)) == 0);
  CHECK(value(grad([&](auto) { return b; })(a)) == 0);
  CHECK(value(hvp([&](auto) { return b * b; })(a, a)) == 0);
  CHECK(value(derivative<1>([&](auto) { return b * b; })(a)) == 0);
  CHECK(value(std::get<1>(vjp<wrt<0>>([](auto, auto y) { return y * y; })(a, b, a))) == 0);
  CHECK(value(std::get<1>(jvp([&](auto) { return b * b; })(a, a))) == 0);
  CHECK(value(jacobian([&](auto) { return b * b; })(a))(0, 0) == 0);
  auto const m = t.watch(numbers<double>{2, 3});
  auto const g = grad([](auto q) { return q.a * q.a * q.b; })(m);
  CHECK(value(g.a) == 12);
  CHECK(value(g.b) == 4);
  t.backward(g.a * g.b);
  CHECK(t.grad(m.a) == 6 * 4 + 12 * 4);
  CHECK(value(hessian([](auto q) { return q.a * q.a * q.b; })(m))(0, 1) == 4);
  CHECK(value(checkpoint([](auto q) { return q.a * q.b; })(m)) == 6);
}

TEST_CASE("numbers for adjoints and directions, floats, and values that do not depend") {
  auto const in_loss = [](auto x) {
    auto const [y, g] = vjp(cubic)(x, 2.0);
    return y + g + hvp(cubic)(x, 1);
  };
  CHECK(value_and_grad(in_loss)(2.0).value == 8 + 24 + 12);
  CHECK(grad(in_loss)(2.0) == 12 + 24 + 6);
  CHECK(value_and_grad(in_loss)(2.0f).value == 8 + 24 + 12);
  auto const unrelated = [](auto x) { return grad([](auto) { return 3.0; })(x) + x; };
  CHECK(grad(unrelated)(2.0) == 1);
  CHECK(std::get<1>(vjp([](auto, auto b) { return b * b; })(tensor<double, 2>{1, 2}, 3.0, 1.0)) ==
        tensor<double, 2>{0, 0});
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(hvp(cubic)(nan, 1.0)));
}

TEST_CASE("the members of integers have no derivatives, whatever the order") {
  constexpr auto f = [](auto p) {
    return sum(square(square(p[BOOST_HANA_STRING("a")]))) * cast<double>(p[BOOST_HANA_STRING("k")]);
  };
  counted const at{{1, 2, -0.5}, 2}, along{{1, -1, 2}, 7};
  auto const product = hvp(f)(at, along);
  auto const h = hessian(f)(at);
  auto const rows = jacrev(f)(at), columns = jacfwd(f)(at);
  CHECK(laplacian(f)(at) == doctest::Approx(24 * (1 + 4 + 0.25)));
  for (int i = 0; i < 3; ++i) {
    CHECK(rows(0, i) == doctest::Approx(8 * at.a(i) * at.a(i) * at.a(i)));
    CHECK(columns(0, i) == doctest::Approx(rows(0, i)));
  }
  for (int i = 0; i < 3; ++i) CHECK(product.a(i) == doctest::Approx(24 * at.a(i) * at.a(i) * along.a(i)));
  CHECK(product.k == 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(h(i, j) == doctest::Approx(i == j ? 24 * at.a(i) * at.a(i) : 0));
  counted_many many{{}, 3};
  for (int i = 0; i < 17; ++i) many.a(i) = 0.1 * i - 0.5;
  auto const slopes = jacfwd(f)(many);  // columns and directions by a loop
  double trace = 0;
  for (int i = 0; i < 17; ++i) {
    CHECK(slopes(0, i) == doctest::Approx(12 * many.a(i) * many.a(i) * many.a(i)));
    trace += 36 * many.a(i) * many.a(i);
  }
  CHECK(laplacian(f)(many) == doctest::Approx(trace));
  auto const squares = hessian(f)(many);
  for (int i = 0; i < 17; ++i) CHECK(squares(i, i) == doctest::Approx(36 * many.a(i) * many.a(i)));
  auto const of_gradient = [](auto p) {
    auto const all = value_grad_hessian([](auto q) { return sum(square(q[BOOST_HANA_STRING("a")])); })(p);
    return sum(all.grad[BOOST_HANA_STRING("a")]) + cast<double>(all.grad[BOOST_HANA_STRING("k")]) + sum(all.hessian);
  };
  CHECK(compile<wrt<>>(of_gradient, at)(at) == doctest::Approx(2 * (1 + 2 - 0.5) + 6));
}
