// Checkpoints and external functions: the same gradients as of what they stand for, and what they keep.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

using namespace etch;

namespace {

constexpr auto body = [](auto const& w, auto const& x, auto const& s) {
  return std::tuple(tanh(w * x) * s, s * s + sin(s) + sum(x));
};
constexpr auto twice_checked = [](auto& t) {
  return [&t](auto const& w, auto const& x, auto const& s) { return t.checkpoint(body, w, x, s); };
};

template <class T>
struct results {
  T value{}, by_s{};
  tensor<T, 3, 3> by_w;
  tensor<T, 3> by_x;
  std::size_t bytes = 0;
};

template <class T, class Step>
results<T> taken(int steps, Step step) {
  tensor<T, 3, 3> w0;
  tensor<T, 3> x0{T(0.1), T(-0.2), T(0.3)};
  for (std::size_t i = 0; i < 9; ++i) w0[i] = T(0.1) * static_cast<T>(i) - T(0.3);
  tape<T> t;
  auto const w = t.watch(w0);
  auto const x = t.watch(x0);
  auto const s = t.watch(T(0.7));
  var<T, 3> c = x;
  var<T> q = s;
  for (int i = 0; i < steps; ++i) {
    auto const [a, b] = step(t, w, c, q);
    c = a;
    q = b * T(0.3);
  }
  results<T> r;
  r.value = t.backward(sum(square(c)) + q);
  r.by_w = t.grad(w), r.by_x = t.grad(x), r.by_s = t.grad(s), r.bytes = t.bytes();
  return r;
}

}  // namespace

TEST_CASE_TEMPLATE("a checkpoint gives what its function gives, alone and nested", T, float, double) {
  auto const plain = taken<T>(5, [](auto&, auto const&... x) { return body(x...); });
  auto const check = [&](results<T> const& r) {
    CHECK(r.value == plain.value);
    CHECK(r.by_s == doctest::Approx(plain.by_s).epsilon(1e-6));
    for (std::size_t i = 0; i < 9; ++i) CHECK(r.by_w[i] == doctest::Approx(plain.by_w[i]).epsilon(1e-5));
    for (std::size_t i = 0; i < 3; ++i) CHECK(r.by_x[i] == doctest::Approx(plain.by_x[i]).epsilon(1e-5));
  };
  check(taken<T>(5, [](auto& t, auto const&... x) { return t.checkpoint(body, x...); }));
  check(taken<T>(5, [](auto& t, auto const&... x) { return t.checkpoint(twice_checked(t), x...); }));
  check(taken<T>(5, [](auto& t, auto const&... x) {
    return t.checkpoint([&](auto const&... y) { return t.apply(body, y...); }, x...);
  }));
}

TEST_CASE("a checkpoint keeps its arguments and results alone") {
  constexpr auto long_chain = [](auto x) {
    auto y = x * 1.0;
    for (int i = 0; i < 50; ++i) y = sin(y) + 0.5 * y;
    return y;
  };
  auto const measure = [&](auto step) {
    tape<double> t;
    auto const x = t.watch([] {
      tensor<double, 4096> all;
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = 1e-3 * static_cast<double>(i);
      return all;
    }());
    var<double, 4096> y = x;
    for (int i = 0; i < 6; ++i) y = step(t, y);
    t.backward(sum(y));
    return std::pair(t.bytes(), t.grad(x));
  };
  auto const [plain, by_plain] = measure([&](auto&, auto const& y) { return long_chain(y); });
  auto const [checked, by_checked] = measure([&](auto& t, auto const& y) { return t.checkpoint(long_chain, y); });
  CHECK(checked < plain / 3);
  CHECK(by_checked == by_plain);
}

TEST_CASE("a checkpoint of scalars alone, in a loop whose length depends on data") {
  auto const run = [](bool checked) {
    tape<double> t;
    auto const a = t.watch(1.3), b = t.watch(0.2);
    auto const step = [](auto const& u, auto const& v) { return sin(u) * v + exp(-u * u) + u; };
    var<double> y = a;
    int steps = 0;
    while (value(y) < 4 && steps < 100) {
      y = checked ? var<double>(t.checkpoint(step, y, b)) : var<double>(step(y, b));
      ++steps;
    }
    t.backward(y);
    return std::tuple(steps, value(y), t.grad(a), t.grad(b));
  };
  auto const plain = run(false), checked = run(true);
  CHECK(std::get<0>(plain) > 5);
  CHECK(std::get<0>(checked) == std::get<0>(plain));
  CHECK(std::get<1>(checked) == std::get<1>(plain));
  CHECK(std::get<2>(checked) == doctest::Approx(std::get<2>(plain)).epsilon(1e-14));
  CHECK(std::get<3>(checked) == doctest::Approx(std::get<3>(plain)).epsilon(1e-14));
}

TEST_CASE("a checkpointed function that captures a variable is refused, and the tape goes on") {
  tape<double> t;
  auto const a = t.watch(1.0), b = t.watch(2.0);
  auto const w = t.watch(tensor<double, 2>{1, 2});
  char const* const sentence = "etch: a checkpointed function captures a variable: pass it as an argument, so that its gradient arrives";
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& x) { return var<double>(x * b); }, a), sentence);
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& x) { return sum(w * x); }, a), sentence);
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& x) { return t.checkpoint([&](auto const& y) { return var<double>(x * y); }, x); }, a), sentence);
  auto const y = t.checkpoint([&](auto const& x) { return x * 3.0 * value(b); }, a);
  t.backward(y * b);
  CHECK(t.grad(a) == 12);
  CHECK(t.grad(b) == 6);
}

TEST_CASE("external functions: value and adjoint by hand") {
  tape<double> t;
  auto const x = t.watch(0.5);
  auto const y = t.watch(tensor<double, 2>{1, 2});
  int calls = 0;
  auto const z = t.external([](double a, tensor<double, 2> const& b) { return a * a * (b[0] + b[1]); },
                            [&calls](double g, double value, double a, tensor<double, 2> const& b) {
                              ++calls;
                              CHECK(value == 0.75);
                              return std::tuple(g * 2 * a * (b[0] + b[1]), tensor<double, 2>{g * a * a, g * a * a});
                            },
                            x, y);
  static_assert(std::is_same_v<decltype(z), var<double> const>);
  CHECK(t.backward(z * x) == 0.375);
  CHECK(calls == 1);
  CHECK(t.grad(x) == doctest::Approx(3 * 0.25 * 3));
  CHECK(t.grad(y)[1] == doctest::Approx(0.125));
}

TEST_CASE("external functions of one tensor, unused ones, and of constants") {
  tape<float> t;
  auto const x = t.watch(tensor<float, 3>{1, 2, 3});
  bool asked = false;
  auto const doubled = [](tensor<float, 3> const& a) { return tensor<float, 3>{2 * a[0], 2 * a[1], 2 * a[2]}; };
  auto const back = [&asked](tensor<float, 3> const& g, tensor<float, 3> const&, tensor<float, 3> const&) {
    asked = true;
    return tensor<float, 3>{2 * g[0], 2 * g[1], 2 * g[2]};
  };
  var<float, 3> const y = t.external(doubled, back, x);
  auto const unused [[maybe_unused]] = t.external(doubled, back, y);
  t.backward(sum(square(y)), retain);
  CHECK(t.grad(x) == tensor<float, 3>{8, 16, 24});
  asked = false;
  t.backward(sum(x), retain);
  CHECK(!asked);
  CHECK(t.grad(x) == tensor<float, 3>{1, 1, 1});
  auto const constant = t.external(doubled, back, t.constant(tensor<float, 3>{1, 1, 1}));
  CHECK(value(constant) == tensor<float, 3>{2, 2, 2});
  t.backward(sum(constant));
  CHECK(!asked);
}
