// cond, while_loop: one branch runs, loops stop early; every order, program = constant = tape, in loops and maps.
#include <etch/etch.hpp>

#include "transform/same.hpp"
#include "transform/three_steps.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;
using three_steps::counted, three_steps::three;

namespace {

constexpr auto piece = [](auto x) {
  return cond(x > 0.0, [](auto a) { return sqrt(a) * a; }, [](auto a) { return -a; }, x);
};

}  // namespace

TEST_CASE("one branch: values and derivatives to the third order, at compile time too") {
  CHECK(value_and_grad(piece)(4.0).value == 8);
  CHECK(grad(piece)(4.0) == 3);
  CHECK(derivative<2>(piece)(4.0) == 0.375);
  CHECK(derivative<3>(piece)(4.0) == doctest::Approx(-0.375 / 8));
  CHECK(value_and_grad(piece)(-4.0).value == 4);
  CHECK(grad(piece)(-4.0) == -1);
  CHECK(derivative<2>(piece)(-4.0) == 0);
  static_assert(value_and_grad(piece)(4.0).grad == 3 && value_and_grad(piece)(-4.0).value == 4);
  CHECK(grad(piece)(4.0f) == 3);
}

TEST_CASE(
    "what the other branch would have computed does not exist: no NaN, no failed decomposition, no sign of zero") {
  auto const logs = [](auto x) {
    return cond(x(0) > 0.0, [](auto a) { return sum(log(a)); }, [](auto a) { return sum(a); }, x);
  };
  CHECK(grad(logs)(tensor<double, 2>{0, 0}) == tensor<double, 2>{1, 1});
  CHECK(grad(logs)(tensor<double, 2>{2, 4}) == tensor<double, 2>{0.5, 0.25});
  auto const solved = [](auto a, auto b) {
    return cond(
        a(0, 0) > 0.0, [](auto m, auto v) { return sum(solve(m, v)); }, [](auto, auto v) { return sum(v); }, a, b);
  };
  auto step = compile<wrt<1>>(solved, tensor<double, 2, 2>{}, tensor<double, 2>{});
  CHECK(step(tensor<double, 2, 2>{}, tensor<double, 2>{1, 2}) == 3);
  CHECK(step.status() == status::ok);
  CHECK(step(tensor<double, 2, 2>{2, 0, 0, 4}, tensor<double, 2>{1, 2}) == 1);
  CHECK(step.grad<1>() == tensor<double, 2>{0.5, 0.25});
  auto const zero = [](auto x) { return cond(x > 0.0, [](auto a) { return a; }, [](auto a) { return -0.0 * a; }, x); };
  auto values = compile<wrt<>>(zero, 1.0);
  CHECK(std::signbit(values(0.0)));
  CHECK_FALSE(std::signbit(values(-1.0)));
}

TEST_CASE("branches that capture, return tuples, and take structs of values") {
  auto const f = [](auto x, auto w) {
    auto const [a, b] = cond(
        sum(x) > w(0), [&](auto y) { return std::tuple(w * sum(y), sum(y)); },
        [&](auto y) { return std::tuple(y, 2.0 * w(1)); }, x);
    return sum(square(a)) * b;
  };
  for (double const shift : {0.0, 5.0}) {
    tensor<double, 2> const x{1, 2};
    tensor<double, 2> const w{shift, 0.5};
    auto const value = [&](tensor<double, 2> const& y, tensor<double, 2> const& v) {
      double const s = y[0] + y[1];
      if (s > v[0]) return (v[0] * v[0] + v[1] * v[1]) * s * s * s;
      return (y[0] * y[0] + y[1] * y[1]) * 2 * v[1];
    };
    auto const [v, g] = value_and_grad<wrt<0, 1>>(f)(x, w);
    CHECK(v == doctest::Approx(value(x, w)));
    for (std::size_t i = 0; i < 2; ++i) {
      auto up = x, down = x;
      up[i] += 1e-6, down[i] -= 1e-6;
      CHECK(std::get<0>(g)[i] == doctest::Approx((value(up, w) - value(down, w)) / 2e-6).epsilon(1e-8));
      auto more = w, less = w;
      more[i] += 1e-6, less[i] -= 1e-6;
      CHECK(std::get<1>(g)[i] == doctest::Approx((value(x, more) - value(x, less)) / 2e-6).epsilon(1e-8));
    }
    CHECK(same::distance(grad<wrt<1>>(f)(x, w), std::get<1>(g)) < 1e-15);
  }
}

TEST_CASE("on tapes, in blocks, and derivatives of derivatives there") {
  tape<double> t;
  auto const x = t.watch(4.0);
  auto const y = piece(x) + counted(x);
  CHECK(value(y) == doctest::Approx(8 + value_and_grad(three)(4.0).value));
  t.backward(y);
  CHECK(t.grad(x) == doctest::Approx(3 + grad(three)(4.0)));
  t.reset();
  auto const z = t.watch(1.3);
  auto const g = grad(counted)(z);
  CHECK(value(g) == doctest::Approx(grad(three)(1.3)));
  t.backward(g);
  CHECK(t.grad(z) == doctest::Approx(derivative<2>(three)(1.3)));
  t.reset();
  auto const b = t.watch(1.3);
  t.backward(t.apply(counted, b) + t.apply(piece, b));
  CHECK(t.grad(b) == doctest::Approx(grad(three)(1.3) + 1.5 * std::sqrt(1.3)));
}

TEST_CASE("on a tape, branches and bodies that capture numbers on it") {
  tape<double> t;
  auto const x = t.watch(2.0), s = t.watch(3.0);
  auto const y = cond(x > 1.0, [&] { return s * s; }, [&] { return x * x; });
  t.backward(y);
  CHECK(t.grad(s) == 6);
  CHECK(t.grad(x) == 0);
  t.reset();
  auto const a = t.watch(1.0), b = t.watch(3.0);
  t.backward(while_loop<5>([](auto c) { return c < 20.0; }, [&](auto c) { return c * b; }, a));
  CHECK(t.grad(a) == 27);
  CHECK(t.grad(b) == 27);
}

TEST_CASE("within loops, maps and checkpoints, and each other") {
  auto const in_map = [](auto xs) { return sum_map([](auto a) { return piece(a); }, xs); };
  CHECK(grad(in_map)(tensor<double, 3>{4, -1, 9}) == tensor<double, 3>{3, -1, 4.5});
  auto const in_loop = [](auto x) { return repeat<3>([](auto c) { return piece(c) - 1.0; }, x); };
  auto const plain = [](double c) {
    for (int i = 0; i < 3; ++i) c = (c > 0 ? std::sqrt(c) * c : -c) - 1;
    return c;
  };
  for (double const at : {1.3, 0.4, -0.7, 4.0}) {
    CHECK(value_and_grad(in_loop)(at).value == doctest::Approx(plain(at)));
    CHECK(grad(in_loop)(at) == doctest::Approx((plain(at + 1e-6) - plain(at - 1e-6)) / 2e-6).epsilon(1e-7));
  }
  auto const in_checkpoint = [](auto x) { return checkpoint([](auto a) { return counted(a) * piece(a); })(x); };
  auto const directly = [](auto x) { return three(x) * piece(x); };
  CHECK(grad(in_checkpoint)(1.3) == doctest::Approx(grad(directly)(1.3)));
  auto const nested = [](auto x) {
    return while_loop<4>(
        [](auto c) { return c < 10.0; },
        [](auto c) { return cond(c > 3.0, [](auto a) { return a * a; }, [](auto a) { return 2.0 * a; }, c); }, x);
  };
  CHECK(value_and_grad(nested)(1.0).value == 16);
  CHECK(grad(nested)(1.0) == 2 * 4 * 4);
  CHECK(value_and_grad(nested)(20.0).value == 20);
}

TEST_CASE("loops that begin with constants, of double and of float; branches without arguments") {
  auto const sums = [](auto x) {
    return while_loop<10>([](auto c) { return c < 2.0; }, [&](auto c) { return c + x; }, 0.0);
  };
  CHECK(value_and_grad(sums)(0.75).value == 2.25);
  CHECK(grad(sums)(0.75) == 3);
  CHECK(grad(sums)(0.75f) == 3);
  auto const vectors = [](auto x) {
    return sum(while_loop<10>([](auto c) { return max(c) < 2.0; }, [&](auto c) { return c + x; }, zeros<2>()));
  };
  CHECK(grad(vectors)(tensor<double, 2>{0.75, 0.1}) == tensor<double, 2>{3, 3});
  auto const pair = [](auto x) {
    return std::get<0>(while_loop<10>([](auto c) { return std::get<1>(c) < 3.0; },
                                      [](auto c) { return std::tuple(square(std::get<0>(c)), std::get<1>(c) + 1.0); },
                                      std::tuple(x, 0.0)));
  };
  CHECK(grad(pair)(2.0) == 8 * 128);
  auto const branches = [](auto x) { return cond(x > 1.0, [&] { return x * x; }, [&] { return 3.0 * x; }); };
  CHECK(grad(branches)(2.0) == 4);
  CHECK(grad(branches)(0.5) == 3);
}

TEST_CASE("a loop of plain values is a plain loop") {
  constexpr double y = while_loop<10>([](double c) { return c < 100; }, [](double c) { return 2 * c; }, 3.0);
  static_assert(y == 192);
  CHECK(while_loop<3>([](double c) { return c < 100; }, [](double c) { return 2 * c; }, 3.0) == 24);
}

TEST_CASE("a condition that is a number: the choice is made while the program is traced") {
  auto const f = [](auto x) { return cond(true, [](auto a) { return a * a; }, [](auto a) { return -a; }, x); };
  CHECK(grad(f)(3.0) == 6);
}

TEST_CASE("a branch captures what lies further inside than the condition and its operands") {
  auto const in_points = [](auto p, auto xs) {
    return sum_map([&](auto a) { return cond(p > 0.1, [&](auto b) { return a * b; }, [&](auto b) { return b; }, p); },
                   xs);
  };
  auto const other_branch = [](auto p, auto xs) {
    return sum_map([&](auto a) { return cond(p > 0.9, [&](auto b) { return b; }, [&](auto b) { return a * b; }, p); },
                   xs);
  };
  auto const in_steps = [](auto p, auto xs) {
    auto const step = [&](auto carry, auto a) {
      return carry * cond(p > 0.1, [&](auto b) { return a * b; }, [](auto b) { return b; }, p);
    };
    return scan(step, 0.0 * p + 1.0, xs);
  };
  tensor<double, 3> const xs{1, 2, 3};
  for (auto const& [value, g] :
       {value_and_grad<wrt<0, 1>>(in_points)(0.3, xs), value_and_grad<wrt<0, 1>>(other_branch)(0.3, xs)}) {
    CHECK(value == doctest::Approx(1.8));
    CHECK(std::get<0>(g) == doctest::Approx(6));
    for (int i = 0; i < 3; ++i) CHECK(std::get<1>(g)(i) == doctest::Approx(0.3));
  }
  auto const [product, slopes] = value_and_grad<wrt<0, 1>>(in_steps)(0.5, xs);
  CHECK(product == doctest::Approx(0.75));
  CHECK(std::get<0>(slopes) == doctest::Approx(4.5));
  CHECK(std::get<1>(slopes)(1) == doctest::Approx(0.375));
}
