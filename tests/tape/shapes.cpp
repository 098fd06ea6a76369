// Scalars of a tape where tensors are made of them, and in loops.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

TEST_CASE("tensors made of scalars and of statements") {
  tape<double> t;
  auto const x = t.watch(2.0), y = t.watch(3.0);
  auto const v = t.watch(tensor<double, 3>{1, 2, 4});
  auto const check = [&](auto const& loss, double value, double by_x, double by_y, tensor<double, 3> const& by_v) {
    CHECK(t.backward(loss, retain) == value);
    CHECK(t.grad(x) == by_x);
    CHECK(t.grad(y) == by_y);
    CHECK(t.grad(v) == by_v);
  };
  check(sum(square(stack<0>(x, y, x * y))), 4 + 9 + 36, 4 + 12 * 3, 6 + 12 * 2, {});
  check(sum(cwise_product(stack<0>(x, v(1), x), v)), 2 + 4 + 8, 1 + 4, 0, {2, 4, 2});
  check(sum(concat<0>(reshape<1>(x * y), v)), 6 + 7, 3, 2, {1, 1, 1});
  check(sum(cwise_product(broadcast<3>(x), v)), 14, 7, 0, {2, 2, 2});
  check(sum(flatten(x)) * prod(y), 6, 3, 2, {});
  CHECK(value(reshape<1, 1>(x))(0, 0) == 2);
}

TEST_CASE("scalars as carries of loops, and as arguments of a checkpoint") {
  tensor<double, 2, 3> const inputs{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  auto const fading = [](auto s, auto xs) { return scan([](auto c, auto x) { return c * 0.5 + sum(x); }, s, xs); };
  auto const of_both = [](auto h, auto s, auto xs) {
    auto const r = scan(
        [](auto carry, auto x) {
          auto const [a, b] = carry;
          return std::tuple(tanh(a * b + x), b * 0.5);
        },
        std::tuple(h, s), xs, keep_carries);
    auto const power = repeat<3>([&](auto c) { return c * s; }, s);  // s to the fourth
    return sum(std::get<0>(r)) + power + etch::checkpoint([](auto a, auto b) { return sin(a) * sum(b); })(s, h);
  };
  tensor<double, 2> const start{0.3, -0.2};
  auto const truth = value_and_grad<wrt<0, 1, 2>>(of_both)(start, 0.7, inputs);
  tape<double> t;
  auto const h = t.watch(start);
  auto const s = t.watch(0.7);
  auto const xs = t.watch(inputs);
  CHECK(t.backward(of_both(h, s, xs), retain) == doctest::Approx(truth.value).epsilon(1e-14));
  for (std::size_t i = 0; i < 2; ++i) CHECK(t.grad(h)[i] == doctest::Approx(std::get<0>(truth.grad)[i]).epsilon(1e-13));
  CHECK(t.grad(s) == doctest::Approx(std::get<1>(truth.grad)).epsilon(1e-13));
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(t.grad(xs)[i] == doctest::Approx(std::get<2>(truth.grad)[i]).epsilon(1e-13));
  CHECK(t.backward(fading(s * 2, xs), retain) == doctest::Approx(0.7 / 4 + 0.3 / 4 + 0.7 / 2 + 1.1));
  CHECK(t.grad(s) == 0.25);
  // The same on the way back through a checkpoint of the tape, whose arguments are scalars as well.
  t.backward(t.checkpoint(of_both, h, s, xs));
  CHECK(t.grad(s) == doctest::Approx(std::get<1>(truth.grad)).epsilon(1e-13));
}
