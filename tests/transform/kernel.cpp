// kernel: functions of the user's on memory, with derivatives of every order that they give, in programs, constants,
// loops, points, checkpoints, on tapes and in blocks; compared with closed forms, differences and traced functions.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

// x³, entry by entry, at every order that its structs give. No span has a fixed extent here.
struct cube_adjoint_of_x {  // of 3 x² u by (u, y, x)
  static constexpr void forward(std::span<double const> u, std::span<double const>, std::span<double const> x,
                                std::span<double> gx) {
    for (std::size_t i = 0; i < x.size(); ++i) gx[i] = 3 * x[i] * x[i] * u[i];
  }
  static constexpr void backward(std::span<double const> w, std::span<double const>, std::span<double const> u,
                                 std::span<double const>, std::span<double const> x, std::span<double> gu,
                                 std::span<double> gy, std::span<double> gx) {
    for (double& each : gy) each = 0;
    for (std::size_t i = 0; i < gu.size(); ++i) gu[i] = 3 * x[i] * x[i] * w[i];
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = 6 * x[i] * u[i] * w[i];
  }
  static constexpr void along(std::span<double const> vu, std::span<double const>, std::span<double const> vx,
                              std::span<double const>, std::span<double const> u, std::span<double const>,
                              std::span<double const> x, std::span<double> dg) {
    for (std::size_t i = 0; i < x.size(); ++i)
      dg[i] = (vu.empty() ? 0 : 3 * x[i] * x[i] * vu[i]) + (vx.empty() ? 0 : 6 * x[i] * u[i] * vx[i]);
  }
};
struct cube {
  using adjoint = cube_adjoint_of_x;
  static constexpr void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * x[i] * x[i];
  }
};
constexpr auto cubed = kernel<cube>;

// Twice x: another function of the same shapes.
struct twice {
  static constexpr void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  }
  static constexpr void backward(std::span<double const> u, std::span<double const>, std::span<double const>,
                                 std::span<double> gx) {
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = 2 * u[i];
  }
};

int calls_of_backward = 0;

// sin(a) b, a vector and a number, of any floating type; counts how often it is asked for gradients.
struct scaled_sine {
  template <class T>
  static void forward(std::span<T const> a, std::span<T const> b, std::span<T> y) {
    for (std::size_t i = 0; i < a.size(); ++i) y[i] = std::sin(a[i]) * b[0];
  }
  template <class T>
  static void backward(std::span<T const> u, std::span<T const>, std::span<T const> a, std::span<T const> b,
                       std::span<T> ga, std::span<T> gb) {
    ++calls_of_backward;
    for (std::size_t i = 0; i < ga.size(); ++i) ga[i] = u[i] * std::cos(a[i]) * b[0];
    if (gb.empty()) return;
    gb[0] = 0;
    for (std::size_t i = 0; i < a.size(); ++i) gb[0] += u[i] * std::sin(a[i]);
  }
  template <class T>
  static void along(std::span<T const> va, std::span<T const> vb, std::span<T const>, std::span<T const> a,
                    std::span<T const> b, std::span<T> dy) {
    for (std::size_t i = 0; i < a.size(); ++i)
      dy[i] = (va.empty() ? 0 : va[i] * std::cos(a[i]) * b[0]) + (vb.empty() ? 0 : std::sin(a[i]) * vb[0]);
  }
};
constexpr auto sine = [](auto a, auto b) { return cwise_product(sin(a), b); };

// The sum of the entries of each row of a table that a label picks: spans of fixed extent, a result of another shape.
struct picked_sum {
  template <class Table, class Label>
  using result = double;
  static constexpr void forward(std::span<double const, 6> table, std::span<int const, 1> label,
                                std::span<double, 1> y) {
    y[0] = table[static_cast<std::size_t>(label[0])] + table[static_cast<std::size_t>(label[0]) + 3];
  }
  static constexpr void backward(std::span<double const, 1> u, std::span<double const, 1>, std::span<double const, 6>,
                                 std::span<int const, 1> label, std::span<double, 6> gx) {
    for (double& each : gx) each = 0;
    gx[static_cast<std::size_t>(label[0])] = gx[static_cast<std::size_t>(label[0]) + 3] = u[0];
  }
};

// Prefix sums of a matrix, in memory order: an op that mixes entries, so that a wrong order shows.
struct prefix {
  static constexpr void forward(auto x, auto y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = sum += x[i];
  }
  static constexpr void backward(auto u, auto, auto, auto gx) {
    double sum = 0;
    for (std::size_t i = gx.size(); i-- > 0;) gx[i] = sum += u[i];
  }
};

// The root of x, which has an infinite slope at 0.
struct root {
  static constexpr void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = math::sqrt(x[i]);
  }
  static constexpr void backward(std::span<double const> u, std::span<double const> y, std::span<double const>,
                                 std::span<double> gx) {
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = u[i] / (2 * y[i]);
  }
};

// How often a function ran tells that equal calls are one.
int calls_of_forward = 0;
struct counted {
  static void forward(std::span<double const> x, std::span<double> y) {
    ++calls_of_forward;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + 1;
  }
  static void backward(std::span<double const> u, std::span<double const>, std::span<double const>,
                       std::span<double> gx) {
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = u[i];
  }
};

template <class A>
void near(A const& a, A const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]));
}

constexpr tensor<double, 3> at{1, 2, -3};

}  // namespace

TEST_CASE("value and gradient, in programs, constants, on tapes and in blocks") {
  auto const loss = [](auto x) { return sum(cubed(2.0 * x)); };
  auto step = compile(loss, at);
  CHECK(step(at) == 8 * (1 + 8 - 27));
  CHECK(step.grad<0>() == tensor<double, 3>{24, 96, 216});
  constexpr auto constant = value_and_grad(loss)(at);
  static_assert(constant.value == -144 && constant.grad(2) == 216);
  CHECK(grad(loss)(at) == tensor<double, 3>{24, 96, 216});
  CHECK(dynamic::value_and_grad(loss)(at).grad == tensor<double, 3>{24, 96, 216});
  tape<double> t;
  auto const x = t.watch(at);
  CHECK(t.backward(t.apply(loss, x)) == -144);
  CHECK(t.grad(x)(1) == 96);
}

TEST_CASE("of plain values it is a function of them") {
  CHECK(cubed(at) == tensor<double, 3>{1, 8, -27});
  CHECK(cubed(2.0) == 8);
  static_assert(cubed(at)(2) == -27);
}

TEST_CASE("second and third derivatives are those that the adjoint's struct gives") {
  auto const loss = [](auto x) { return sum(cubed(x)); };
  auto const traced = [](auto x) { return sum(cwise_product(x, square(x))); };
  CHECK(hessian(loss)(at) == hessian(traced)(at));
  tensor<double, 3> const v{0.5, -1, 2};
  CHECK(hvp(loss)(at, v) == hvp(traced)(at, v));
  CHECK(std::get<1>(jvp(loss)(at, v)) == std::get<1>(jvp(traced)(at, v)));
  CHECK(jacobian(cubed)(at) == jacobian([](auto x) { return cwise_product(x, square(x)); })(at));
  CHECK(jacfwd(cubed)(at) == jacrev(cubed)(at));
  CHECK(derivative<2>(cubed)(2.0) == 12);
  CHECK(laplacian(loss)(at) == 0);
  auto const penalty = [](auto x) { return sum(square(grad([](auto z) { return sum(cubed(z)); })(x))); };
  near(grad(penalty)(at), tensor<double, 3>{36, 36 * 8, -36 * 27});
  near(dynamic::value_and_grad(penalty)(at).grad, tensor<double, 3>{36, 36 * 8, -36 * 27});
  CHECK(check_gradient(loss, at).ok);
  CHECK(std::get<1>(jvp(grad(loss))(at, v)) == hvp(traced)(at, v));
}

TEST_CASE("every activity mask of two inputs, in float and double") {
  auto const ours = [](auto a, auto b) { return sum(square(kernel<scaled_sine>(a, b))); };
  auto const plain = [](auto a, auto b) { return sum(square(sine(a, b))); };
  auto const all = [&]<class T>(T b) {
    tensor<T, 3> const a{T(0.5), T(-1), T(2)};
    calls_of_backward = 0;
    near(grad<wrt<0>>(ours)(a, b), grad<wrt<0>>(plain)(a, b));
    CHECK(calls_of_backward == 1);
    CHECK(grad<wrt<1>>(ours)(a, b) == doctest::Approx(grad<wrt<1>>(plain)(a, b)));
    CHECK(calls_of_backward == 2);
    auto const [ga, gb] = grad<wrt<0, 1>>(ours)(a, b);
    CHECK(calls_of_backward == 3);  // both at once
    near(ga, grad<wrt<0>>(plain)(a, b));
    CHECK(gb == doctest::Approx(grad<wrt<1>>(plain)(a, b)));
    calls_of_backward = 0;
    CHECK(compile<wrt<>>(ours, a, b)(a, b) == doctest::Approx(compile<wrt<>>(plain, a, b)(a, b)));
    CHECK(calls_of_backward == 0);
    auto const [ta, tb] = dynamic::value_and_grad<wrt<0, 1>>(ours)(a, b).grad;
    near(ta, ga);
    CHECK(tb == doctest::Approx(gb));
    near(dynamic::value_and_grad<wrt<0>>(ours)(a, b).grad, ga);
    CHECK(dynamic::value_and_grad<wrt<1>>(ours)(a, b).grad == doctest::Approx(gb));
  };
  all(0.7);
  all(0.7f);
}

TEST_CASE("directions, along one input and both") {
  tensor<double, 3> const a{0.5, -1, 2}, v{1, 0.25, -2};
  auto const ours = jvp([](auto x, auto y) { return kernel<scaled_sine>(x, y); })(a, 0.7, v, 3.0);
  auto const plain = jvp(sine)(a, 0.7, v, 3.0);
  near(std::get<0>(ours), std::get<0>(plain));
  near(std::get<1>(ours), std::get<1>(plain));
  // the derivative along v, linear in v, has a gradient by v
  auto const by_v = [](auto x, auto w) {
    return sum(std::get<1>(jvp([](auto z) { return kernel<scaled_sine>(z, 2.0); })(x, w)));
  };
  auto const plainly = [](auto x, auto w) { return sum(2.0 * cwise_product(cos(x), w)); };
  near(grad<wrt<1>>(by_v)(a, v), grad<wrt<1>>(plainly)(a, v));
  auto const by_both = [](auto x, auto w) { return sum(std::get<1>(jvp(cubed)(x, w))); };
  auto const cubes = [](auto x, auto w) { return sum(3.0 * cwise_product(square(x), w)); };
  CHECK(grad<wrt<0, 1>>(by_both)(a, v) == grad<wrt<0, 1>>(cubes)(a, v));
}

TEST_CASE("a label among the inputs, a result of another shape, spans of fixed extent") {
  auto const loss = [](auto table, auto label) { return square(kernel<picked_sum>(table, label)); };
  constexpr tensor<double, 3, 2> table{1, 2, 3, 4, 5, 6};
  CHECK(value_and_grad(loss)(table, 1).value == 49);
  CHECK(grad(loss)(table, 1) == tensor<double, 3, 2>{0, 14, 0, 0, 14, 0});
  static_assert(grad(loss)(table, 2)(2, 1) == 18);
  CHECK(dynamic::value_and_grad(loss)(table, 1).grad == tensor<double, 3, 2>{0, 14, 0, 0, 14, 0});
}

TEST_CASE("operands are read in memory order, whatever view they are of") {
  auto const plain = [](auto x) {
    auto const sums = [](auto m) { return reshape<2, 2>(cumsum(flatten(m))); };
    return sum(square(sums(transpose(slice<1, 0, 2>(x))) + sums(slice<1, 1, 2>(x))));
  };
  auto const same = [](auto x) {
    return sum(square(kernel<prefix>(transpose(slice<1, 0, 2>(x))) + kernel<prefix>(slice<1, 1, 2>(x))));
  };
  tensor<double, 2, 3> const x{1, 2, -3, 4, 5, -6};
  CHECK(grad(same)(x) == grad(plain)(x));
  CHECK(dynamic::value_and_grad(same)(x).grad == grad(plain)(x));
  // its result as a part of another value, and as an output
  auto const joined = [](auto z) { return sum(square(concat<0>(kernel<prefix>(z), z))); };
  auto const plainly = [](auto z) { return sum(square(concat<0>(reshape<2, 3>(cumsum(flatten(z))), z))); };
  CHECK(grad(joined)(x) == grad(plainly)(x));
  CHECK(compile<wrt<>>(kernel<prefix>, x)(x) == tensor<double, 2, 3>{1, 3, 0, 4, 9, 3});
  auto const constant = [](auto z) { return sum(kernel<prefix>(broadcast<2, 3>(z(0, 0)))); };
  CHECK(grad(constant)(x)(0, 0) == 21);
}

TEST_CASE("equal calls are one, and different functions of equal shapes are two") {
  auto const used_twice = [](auto x) { return sum(cwise_product(kernel<counted>(x), kernel<counted>(x))); };
  calls_of_forward = 0;
  CHECK(grad(used_twice)(at) == tensor<double, 3>{4, 6, -4});
  CHECK(calls_of_forward == 1);
  auto const one_result = [](auto x) {
    auto const y = cubed(x);
    return sum(cwise_product(y, y) + y);
  };
  CHECK(grad(one_result)(tensor<double, 2>{1, 2}) == tensor<double, 2>{9, 204});
  auto const both = [](auto x) { return sum(cwise_product(cubed(x), kernel<twice>(x))); };  // 2 x⁴
  CHECK(grad(both)(at) == tensor<double, 3>{8, 64, -216});
  auto const only_cubes = [](auto x) { return sum(cwise_product(cubed(x), cubed(x))); };
  CHECK_FALSE(same_program<decltype(compile(both, at)), decltype(compile(only_cubes, at))>);
  auto const again = [](auto z) { return sum(cwise_product(cubed(z), kernel<twice>(z))); };
  CHECK(same_program<decltype(compile(both, at)), decltype(compile(again, at))>);
  auto const with_twice = [](auto x) { return sum(kernel<twice>(x)); };
  auto const with_prefix = [](auto x) { return sum(kernel<prefix>(x)); };
  CHECK(grad(with_twice)(at) == tensor<double, 3>{2, 2, 2});
  CHECK(grad(with_prefix)(at) == tensor<double, 3>{3, 2, 1});
}

TEST_CASE("in loops, points, checkpoints and branches") {
  auto const x = tensor<double, 2>{0.5, -0.75};
  auto const in_scan = [](auto h, auto xs) { return sum(scan([](auto c, auto s) { return cubed(c + s); }, h, xs)); };
  auto const plain_scan = [](auto h, auto xs) {
    return sum(scan([](auto c, auto s) { return cwise_product(c + s, square(c + s)); }, h, xs));
  };
  tensor<double, 2, 3> const xs{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  auto const [gh, gxs] = grad<wrt<0, 1>>(in_scan)(x, xs);
  auto const [ph, pxs] = grad<wrt<0, 1>>(plain_scan)(x, xs);
  near(gh, ph);
  near(gxs, pxs);
  auto const [th, txs] = dynamic::value_and_grad<wrt<0, 1>>(in_scan)(x, xs).grad;
  near(th, ph);
  near(txs, pxs);
  // in a body within a body, beside another function outside
  auto const nested = [](auto z) {
    return sum(kernel<twice>(repeat<2>([](auto c) { return repeat<2>([](auto d) { return cubed(d + 0.5); }, c); }, z)));
  };
  auto const plainly = [](auto z) {
    return 2.0 * sum(repeat<4>([](auto d) { return cwise_product(d + 0.5, square(d + 0.5)); }, z));
  };
  near(grad(nested)(x), grad(plainly)(x));
  static_assert(grad([](auto z) { return repeat<2>([](auto c) { return cubed(c); }, z); })(1.0) == 9);
  auto const in_map = [](auto ps) { return sum_map([](auto p) { return cubed(p) * kernel<twice>(p); }, ps); };
  CHECK(grad(in_map)(tensor<double, 3>{1, 2, 3}) == tensor<double, 3>{8, 64, 216});
  auto const hoisted = [](auto s, auto ps) { return sum_map([&](auto p) { return cubed(s) * p; }, ps); };
  CHECK(grad<wrt<0, 1>>(hoisted)(2.0, tensor<double, 2>{1, 10}) == std::tuple(132.0, tensor<double, 2>{8, 8}));
  auto const in_checkpoint = [](auto z) { return checkpoint([](auto c) { return sum(cubed(c)); })(z); };
  CHECK(grad(in_checkpoint)(tensor<double, 2>{1, 2}) == tensor<double, 2>{3, 12});
  auto const in_branch = [](auto z) { return sum(cond(z(0) > 0.0, cubed, kernel<twice>, z)); };
  CHECK(grad(in_branch)(tensor<double, 2>{1, 2}) == tensor<double, 2>{3, 12});
  CHECK(grad(in_branch)(tensor<double, 2>{-1, 2}) == tensor<double, 2>{2, 2});
  auto const in_while = [](auto z) {
    return while_loop<5>([](auto c) { return c < 100.0; }, [](auto c) { return cubed(c); }, z);
  };
  CHECK(grad(in_while)(2.0) == 9 * 256);  // (x³)³
  CHECK(vmap(cubed)(tensor<double, 2, 2>{1, 2, 3, 4}) == tensor<double, 2, 2>{1, 8, 27, 64});
}

TEST_CASE("behind a select that took another branch nothing arrives") {
  auto const whole = [](auto x, auto p) { return sum(select(p > 0.0, kernel<root>(x), x)); };
  tensor<double, 2> const zeros{0, 4};
  CHECK(grad(whole)(zeros, -1.0) == tensor<double, 2>{1, 1});
  CHECK(dynamic::value_and_grad(whole)(zeros, -1.0).grad == tensor<double, 2>{1, 1});
  CHECK(grad(whole)(tensor<double, 2>{1, 4}, 1.0) == tensor<double, 2>{0.5, 0.25});
  // a condition for each entry, none of which holds: no entry arrives
  auto const by_entry = [](auto x) { return sum(select(x > 9.0, kernel<root>(x), x)); };
  CHECK(grad(by_entry)(zeros) == tensor<double, 2>{1, 1});
  CHECK(dynamic::value_and_grad(by_entry)(zeros).grad == tensor<double, 2>{1, 1});
}

TEST_CASE("a derivative that is not given is a mistake on a tape, when it is asked for") {
  auto const opaque = [](auto x) { return sum(square(grad([](auto z) { return sum(kernel<root>(z)); })(x))); };
  CHECK_THROWS_AS(dynamic::value_and_grad(opaque)(tensor<double, 2>{1, 4}), exception);
}
