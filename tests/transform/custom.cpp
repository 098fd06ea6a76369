// custom_vjp, custom_jvp: derivatives of the user's own, right or deliberately other than the function's, at every
// order, in programs, constants, loops, points, checkpoints, on tapes and in blocks.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace etch;

namespace {

// x³, which claims to be its own derivative: then so it is at every order.
constexpr auto own = custom_vjp([](auto x) { return cwise_product(x, square(x)); },
                                [](auto u, auto y, auto) { return cwise_product(u, y); });
constexpr auto layer = [](auto x, auto w) { return sin(w * x); };
constexpr auto by_adjoints = custom_vjp(layer, [](auto u, auto, auto x, auto w) {
  auto const back = cwise_product(u, cos(w * x));
  return std::tuple(transpose(w) * back, reshape<2, 1>(back) * reshape<1, 3>(x));
});
constexpr auto by_directions =
    custom_jvp(layer, [](auto x, auto w, auto vx, auto vw) { return cwise_product(cos(w * x), w * vx + vw * x); });

constexpr auto plain_sum = [](auto x, auto w) { return sum(square(layer(x, w))); };
constexpr auto adjoint_sum = [](auto x, auto w) { return sum(square(by_adjoints(x, w))); };
constexpr auto direction_sum = [](auto x, auto w) { return sum(square(by_directions(x, w))); };

}  // namespace

TEST_CASE("a rule that is not the function's shows which one is used, at every order") {
  CHECK(grad(own)(2.0) == 8);
  CHECK(derivative<2>(own)(2.0) == 8);
  CHECK(derivative<4>(own)(2.0) == 8);
  CHECK(own(2.0) == 8);
  CHECK(std::get<1>(jvp(own)(2.0, 0.5)) == 4);
  static_assert(derivative<3>(own)(2.0) == 8);
  auto const vector = [](auto x) { return sum(own(x)); };
  CHECK(grad(vector)(tensor<double, 3>{1, 2, 3}) == tensor<double, 3>{1, 8, 27});
  CHECK(hessian(vector)(tensor<double, 2>{1, 2}) == tensor<double, 2, 2>{1, 0, 0, 8});
  CHECK(grad(vector)(tensor<float, 3>{1, 2, 3}) == tensor<float, 3>{1, 8, 27});
}

TEST_CASE("within loops, maps, checkpoints, on tapes and in their blocks") {
  auto const in_loop = [](auto x) { return repeat<3>([](auto c) { return own(0.5 * c); }, x); };
  // y(x) = (x/2)³ of y of y; each step contributes a factor y / 2.
  double const a = 1.0, b = a * a * a / 8, c = b * b * b / 8, d = c * c * c / 8;
  CHECK(grad(in_loop)(1.0) == doctest::Approx(b / 2 * c / 2 * d / 2));
  auto const in_map = [](auto xs) { return sum_map([](auto x) { return own(x); }, xs); };
  CHECK(grad(in_map)(tensor<double, 3>{1, 2, 3}) == tensor<double, 3>{1, 8, 27});
  // A value that is the same at every point leaves the loop.
  auto const hoisted = [](auto s, auto xs) { return sum_map([&](auto x) { return own(s) * x; }, xs); };
  CHECK(grad<wrt<0, 1>>(hoisted)(2.0, tensor<double, 2>{1, 10}) == std::tuple(88.0, tensor<double, 2>{8, 8}));
  auto const in_checkpoint = [](auto x) { return checkpoint([](auto z) { return sum(own(z)); })(x); };
  CHECK(grad(in_checkpoint)(tensor<double, 2>{1, 2}) == tensor<double, 2>{1, 8});
  tape<double> t;
  auto const x = t.watch(2.0);
  auto const y = own(x) * 3.0;
  CHECK(value(y) == 24);
  t.backward(y);
  CHECK(t.grad(x) == 24);
  t.reset();
  auto const v = t.watch(tensor<double, 2>{1, 2});
  t.backward(sum(t.apply(own, v)));
  CHECK(t.grad(v)(1) == 8);
  CHECK(std::get<0>(dynamic::value_and_grad<wrt<0, 1>>(adjoint_sum)(tensor<double, 3>{0.1, 0.2, 0.3},
                                                                    tensor<double, 2, 3>{1, 2, 3, 4, 5, 6})
                        .grad)[1] ==
        doctest::Approx(grad(plain_sum)(tensor<double, 3>{0.1, 0.2, 0.3}, tensor<double, 2, 3>{1, 2, 3, 4, 5, 6})[1]));
}

TEST_CASE("rules that are right give what the function itself gives, to the second order, for every mask") {
  tensor<double, 3> const x{0.1, 0.2, 0.3};
  auto const w = same::filled_with<tensor<double, 2, 3>>(1);
  same::check_same(std::integer_sequence<int, 0, 1>{}, adjoint_sum, plain_sum, x, w);
  same::check_same(std::integer_sequence<int, 0>{}, adjoint_sum, plain_sum, x, w);
  same::check_same(std::integer_sequence<int, 1>{}, direction_sum, plain_sum, x, w);
  CHECK(same::distance(hessian(adjoint_sum)(x, w), hessian(plain_sum)(x, w)) < 1e-14);
  CHECK(same::distance(hessian(direction_sum)(x, w), hessian(plain_sum)(x, w)) < 1e-14);
  CHECK(same::distance(jacobian<wrt<0, 1>>(by_adjoints)(x, w), jacobian<wrt<0, 1>>(layer)(x, w)) < 1e-15);
  CHECK(same::distance(jacfwd<wrt<1>>(by_directions)(x, w), jacobian<wrt<1>>(layer)(x, w)) < 1e-15);
}

TEST_CASE("several results, labels among the arguments, a backward function that captures") {
  auto const expected = [](auto r, auto a) { return square(r * cos(a)) * 3.0 + r * sin(a); };
  auto const g = grad<wrt<0, 1>>([](auto r, auto a) {
    auto const [x, y] =
        custom_vjp([](auto s, auto b) { return std::tuple(s * cos(b), s * sin(b)); },
                   [](auto u, auto v, auto s, auto) {
                     return std::tuple((std::get<0>(u) * std::get<0>(v) + std::get<1>(u) * std::get<1>(v)) / s,
                                       std::get<1>(u) * std::get<0>(v) - std::get<0>(u) * std::get<1>(v));
                   })(r, a);
    return x * x * 3.0 + y;
  })(2.0, 0.3);
  auto const e = grad<wrt<0, 1>>(expected)(2.0, 0.3);
  CHECK(std::get<0>(g) == doctest::Approx(std::get<0>(e)));
  CHECK(std::get<1>(g) == doctest::Approx(std::get<1>(e)));
  auto const picked = [](auto table, auto words) {
    return sum(custom_vjp([](auto t, auto i) { return gather<0>(t, i); },
                          [](auto u, auto, auto t, auto) { return std::tuple(0.0 * t + sum(u), 0); })(table, words));
  };
  CHECK(grad(picked)(tensor<double, 3>{1, 2, 3}, tensor<int, 2>{2, 2}) == tensor<double, 3>{2, 2, 2});
  // The scale of the gradient is captured: it scales, and has no gradient by it.
  auto const scaled = [](auto x, auto s) {
    return custom_vjp([](auto a) { return a * a; }, [&](auto u, auto, auto a) { return s * u * a; })(x) + 0.0 * s;
  };
  CHECK(grad<wrt<0, 1>>(scaled)(3.0, 10.0) == std::tuple(30.0, 0.0));
  auto const second = [](auto x, auto s) {
    return grad([&](auto z) {
      return custom_vjp([](auto a) { return a * a; }, [&](auto u, auto, auto a) { return s * u * a; })(z);
    })(x);
  };
  CHECK(grad<wrt<0, 1>>(second)(3.0, 10.0) == std::tuple(10.0, 3.0));
}

TEST_CASE("what is captured by the function itself is refused, on a tape as an exception") {
  tape<double> t;
  auto const x = t.watch(2.0), s = t.watch(3.0);
  auto const captures =
      custom_vjp([&](auto a) { return a * expr<double>(s.on_graph()); }, [](auto u, auto, auto) { return u; });
  CHECK_THROWS_WITH(captures(x), doctest::Contains("captures a traced value"));
}

TEST_CASE("what a select did not take does not arrive, whatever the rule makes of zero") {
  auto const guarded = [](auto x) {
    auto const root = custom_vjp([](auto a) { return sqrt(a); }, [](auto u, auto y, auto) { return u / (2.0 * y); });
    return select(x > 0.0, root(x), 0.0);
  };
  CHECK(grad(guarded)(4.0) == 0.25);
  CHECK(grad(guarded)(0.0) == 0);
  CHECK(grad(guarded)(-1.0) == 0);
  auto const each = [](auto x) {
    auto const root = custom_vjp([](auto a) { return sqrt(a); }, [](auto u, auto y, auto) { return u / (2.0 * y); });
    return sum(select(x > 0.0, root(x), 0.0));
  };
  CHECK(grad(each)(tensor<double, 3>{0, 4, -1}) == tensor<double, 3>{0, 0.25, 0});
  CHECK(dynamic::grad(each)(tensor<double, 3>{0, 4, -1}) == tensor<double, 3>{0, 0.25, 0});
  tape<double> t;
  auto const x = t.watch(0.0);
  t.backward(guarded(x));
  CHECK(t.grad(x) == 0);
}

TEST_CASE(
    "what a rule computes besides does not matter to where it arrives; of several results none may have arrived") {
  auto const check = [](auto f) {
    CHECK(grad(f)(tensor<double, 3>{0, 4, -1})[0] == 0);
    CHECK(grad(f)(tensor<double, 3>{0, 4, -1})[2] == 0);
    CHECK(grad(f)(tensor<double, 3>{0, 4, -1})[1] == doctest::Approx(std::cos(2.0) / 4));
    CHECK(dynamic::grad(f)(tensor<double, 3>{0, 4, -1})[2] == 0);
    CHECK(hvp(f)(tensor<double, 3>{0, 4, -1}, tensor<double, 3>{1, 1, 1})[2] == 0);
  };
  check([](auto x) {
    auto const rule = custom_vjp([](auto a) { return sin(a); },
                                 [](auto u, auto, auto a) {
                                   auto const unused = sum(a);
                                   static_cast<void>(unused);
                                   return cwise_product(u, cos(a));
                                 });
    return sum(select(x > 0.0, rule(sqrt(x)), 0.0));
  });
  check([](auto x) {
    auto const rule = custom_vjp(
        [](auto a) { return sin(a); },
        [](auto u, auto, auto a) { return cwise_product(u, repeat<2>([&](auto h) { return h * 1.0; }, cos(a))); });
    return sum(select(x > 0.0, rule(sqrt(x)), 0.0));
  });
  check([](auto x) {
    auto const rule =
        custom_vjp([](auto a) { return sin(a); },
                   [](auto u, auto, auto a) { return cwise_product(u, grad([](auto h) { return sum(sin(h)); })(a)); });
    return sum(select(x > 0.0, rule(sqrt(x)), 0.0));
  });
  check([](auto x) {
    auto const rule = custom_vjp([](auto a) { return sin(a); },
                                 [](auto u, auto, auto a) { return cwise_product(u, clip_gradient<2>(cos(a))); });
    return sum(select(x > 0.0, rule(sqrt(x)), 0.0));
  });
  auto const of_two = [](auto x) {
    auto const two = custom_vjp(
        [](auto a) { return std::tuple(sqrt(a), a * a); },
        [](auto u, auto y, auto a) { return std::get<0>(u) / (2.0 * std::get<0>(y)) + std::get<1>(u) * 2.0 * a; });
    return select(x > 0.0, std::get<0>(two(x)), 0.0);
  };
  CHECK(grad(of_two)(-1.0) == 0);
  CHECK(grad(of_two)(4.0) == 0.25);
  CHECK(dynamic::grad(of_two)(-1.0) == 0);
}

TEST_CASE("straight through what has no derivative; gradients within limits") {
  CHECK(grad([](auto x) { return 3.0 * straight_through([](auto a) { return round(a); })(x); })(1.2) == 3);
  CHECK(value_and_grad([](auto x) { return sum(square(straight_through([](auto a) { return sign(a); })(x))); })(
            tensor<double, 2>{-0.3, 5})
            .grad == tensor<double, 2>{-2, 2});
  CHECK(grad([](auto x) { return 30.0 * clip_gradient<2>(x); })(1.2) == 2);
  CHECK(grad([](auto x) { return sum(cwise_product(x, square(clip_gradient<1>(x)))); })(tensor<double, 2>{0.1, -3}) ==
        tensor<double, 2>{0.1 * 0.1 + 2 * 0.1 * 0.1, 9 + 1});
}

TEST_CASE("equal calls with a rule that is not linear keep their own adjoints, in programs and on tapes") {
  constexpr auto twice = [](auto x) { return 0.7 * clip_gradient<1>(x) + 0.7 * clip_gradient<1>(x); };
  constexpr auto apart = [](auto x) { return 0.9 * sin(clip_gradient<1>(x)) + 0.8 * cube(clip_gradient<1>(x)); };
  constexpr auto inner = [](auto x) {
    auto const slope = grad([](auto z) { return 0.5 * square(clip_gradient<2>(z)); });
    return slope(x) + slope(x) + 3.0 * clip_gradient<2>(x);
  };
  CHECK(grad(twice)(1.0) == doctest::Approx(1.4));
  CHECK(dynamic::grad(twice)(1.0) == doctest::Approx(1.4));
  CHECK(grad(apart)(1.0) == doctest::Approx(0.9 * std::cos(1.0) + 1));
  CHECK(grad(inner)(1.0) == doctest::Approx(dynamic::grad(inner)(1.0)));
  CHECK(grad([](auto xs) {
          return sum_map([](auto x) { return 0.7 * clip_gradient<1>(x) + 0.7 * clip_gradient<1>(x); }, xs);
        })(tensor<double, 2>{1, 2}) == tensor<double, 2>{1.4, 1.4});
}

TEST_CASE("a straight-through function may capture what it rounds to; that has no derivative") {
  constexpr auto quantised = [](auto x, auto scale) {
    return sum(square(straight_through([&](auto z) { return scale * round(z / scale); })(x)));
  };
  tensor<double, 3> const x{0.3, -1.2, 0.8};
  auto const [value, g] = value_and_grad<wrt<0, 1>, allow_unused>(quantised)(x, 0.5);
  CHECK(value == doctest::Approx(0.25 + 1 + 1));
  CHECK(std::get<0>(g) == tensor<double, 3>{1, -2, 2});
  CHECK(std::get<1>(g) == 0);
  auto const [taped, h] = dynamic::value_and_grad<wrt<0>>([&](auto z) { return quantised(z, 0.5); })(x);
  CHECK(taped == doctest::Approx(value));
  CHECK(h == std::get<0>(g));
}
