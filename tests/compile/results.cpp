// Losses that return more than their value.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <memory>

namespace {

using namespace etch;

constexpr auto loss = [](auto w, auto x) {
  auto const y = tanh(w * x);
  return std::tuple(sum(square(y)), y, mean<1>(y), sum(y));
};
constexpr auto alone = [](auto w, auto x) { return sum(square(tanh(w * x))); };

TEST_CASE("the first result is the value, the others are had by position; gradients are those of the value") {
  tensor<double, 3, 4> w;
  tensor<double, 4, 5> x;
  for (std::size_t i = 0; i < 12; ++i) w.data()[i] = 0.1 * static_cast<double>(i) - 0.4;
  for (std::size_t i = 0; i < 20; ++i) x.data()[i] = 0.2 * static_cast<double>(i % 7) - 0.5;
  static auto step = compile<wrt<0, 1>>(loss, w, x);
  static auto plain = compile<wrt<0, 1>>(alone, w, x);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(step.result<1>())>, tensor<double, 3, 5>>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(step.result<2>())>, tensor<double, 3, 1>>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(step.result<3>())>, double>);
  CHECK(step(w, x) == plain(w, x));
  CHECK(step.result<0>() == step.value());
  CHECK(step.grad<0>() == plain.grad<0>());
  CHECK(step.grad<1>() == plain.grad<1>());
  double total = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 3; ++i) {
      double z = 0;
      for (int k = 0; k < 4; ++k) z += w(i, k) * x(k, j);
      CHECK(step.result<1>()(i, j) == doctest::Approx(std::tanh(z)));
      total += std::tanh(z);
    }
  CHECK(step.result<3>() == doctest::Approx(total));
  double row = 0;
  for (int j = 0; j < 5; ++j) row += step.result<1>()(2, j);
  CHECK(step.result<2>()(2, 0) == doctest::Approx(row / 5));
}

TEST_CASE("what is added to are the gradients alone") {
  tensor<double, 3, 4> w;
  tensor<double, 4, 5> x;
  w.fill(0.25), x.fill(0.5);
  static auto step = compile(loss, w, x);
  step(w, x);
  auto const once = step.grad<0>();
  auto const y = step.result<1>();
  tensor<double, 3, 4> total;
  step(w, x, add_to(total));
  step(w, x, add_to(total));
  CHECK(step.result<1>() == y);
  CHECK(step.result<3>() == doctest::Approx(15 * y(0, 0)));
  for (std::size_t i = 0; i < 12; ++i) CHECK(total.data()[i] == doctest::Approx(2 * once.data()[i]));
}

TEST_CASE("without gradients, as arguments, constants, the same twice, and of other element types") {
  static auto program =
      compile<wrt<>>([](auto x) { return std::tuple(x, 2 * x, x, 3.0, sum(x), cast<float>(x)); }, tensor<double, 3>{});
  tensor<double, 3> const x{1, 2, 3};
  CHECK(program(x) == x);
  CHECK(program.result<1>() == tensor<double, 3>{2, 4, 6});
  CHECK(program.result<2>() == x);
  CHECK(program.result<3>() == 3.0);
  CHECK(program.result<4>() == 6);
  CHECK(program.result<5>() == tensor<float, 3>{1, 2, 3});
}

TEST_CASE("a state that comes out of a call goes into the next") {
  constexpr auto cell = [](auto w, auto h, auto x) {
    auto const next = tanh(w * h + x);
    return std::tuple(sum(next), next);
  };
  static auto step = compile(cell, tensor<double, 2, 2>{}, tensor<double, 2>{}, tensor<double, 2>{});
  tensor<double, 2, 2> const w{0.5, 0.1, -0.3, 0.7};
  tensor<double, 2> state;
  double a = 0, b = 0;
  for (int t = 0; t < 5; ++t) {
    tensor<double, 2> const x{0.1 * t, 0.3};
    step(w, state, x);
    state = step.result<1>();
    double const next = std::tanh(0.5 * a - 0.3 * b + 0.1 * t);
    b = std::tanh(0.1 * a + 0.7 * b + 0.3), a = next;
    CHECK(state(0) == doctest::Approx(a));
    CHECK(state(1) == doctest::Approx(b));
  }
}

struct refusal {};
TEST_CASE("a program's own results are no arguments of its next call") {
  auto const before = on_mistake;
  on_mistake = [](char const*) { throw refusal{}; };
  tensor<double, 3> const x{1, 2, 3};
  static auto pair = compile([](auto v) { return std::tuple(sum(v), 2 * v); }, x);
  static auto doubled = compile<wrt<>>([](auto v) { return reverse<0>(2 * v); }, x);
  pair(x), doubled(x);
  CHECK_THROWS_AS(pair(pair.result<1>()), refusal);
  tensor<double, 3> g;
  CHECK_THROWS_AS(pair(pair.result<1>(), into(g)), refusal);
  CHECK_THROWS_AS(doubled(doubled.value()), refusal);
  on_mistake = before;
}

TEST_CASE("value_and_grad gives all results; grad the gradient alone") {
  tensor<double, 2> const x{0.5, -1};
  constexpr auto f = [](auto v) { return std::tuple(sum(square(v)), exp(v)); };
  auto const [values, g] = value_and_grad(f)(x);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(values)>, std::tuple<double, tensor<double, 2>>>);
  CHECK(std::get<0>(values) == 1.25);
  CHECK(std::get<1>(values)(1) == doctest::Approx(std::exp(-1.0)));
  CHECK(g == tensor<double, 2>{1, -2});
  CHECK(grad(f)(x) == g);
  constexpr auto constant = value_and_grad([](auto v) { return std::tuple(v * v, v + 1); })(3.0);
  static_assert(std::get<0>(constant.value) == 9 && std::get<1>(constant.value) == 4 && constant.grad == 6);
}

template <class T>
struct layer {
  param<T, 2, 2> w;
  ETCH_MEMBERS(layer, w)
};
TEST_CASE("with members, scans, options and views") {
  constexpr auto f = [](auto m, auto xs) {
    auto const states = scan(
        [&](auto h, auto x) {
          auto const next = tanh(m.w * h + x);
          return etch::step{next, next};
        },
        zeros<2>(), xs);
    return std::tuple(sum(square(states.y)), states.carry, states.y);
  };
  tensor<double, 2, 3> const xs{1, 2, 3, 4, 5, 6};
  layer<double> m{{0.1, 0.2, 0.3, 0.4}};
  static auto step = compile<wrt_members<0, "w">, precise, budget<4096>>(f, m, xs);
  step(m, xs);
  for (int i = 0; i < 2; ++i) CHECK(step.result<1>()(i) == step.result<2>()(i, 2));
  auto const text = to_text(step);
  CHECK(text.find("result 1") != std::string::npos);
  CHECK(text.find("result 2") != std::string::npos);
  CHECK(text.find("gradient 0") != std::string::npos);
  CHECK(to_svg(step).find("svg") != std::string::npos);
}

}  // namespace
