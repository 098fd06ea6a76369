// Checkpoints and external functions: the same gradients as of what they stand for, and what they keep.
#include <etch/etch.hpp>

#include <Eigen/Core>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <tuple>

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
  char const* const sentence =
      "etch: a checkpointed function captures a variable: pass it as an argument, so that its gradient arrives";
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& x) { return var<double>(x * b); }, a), sentence);
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& x) { return sum(w * x); }, a), sentence);
  CHECK_THROWS_WITH(
      t.checkpoint([&](auto const& x) { return t.checkpoint([&](auto const& y) { return var<double>(x * y); }, x); },
                   a),
      sentence);
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

namespace {
constexpr auto layer = [](auto w, auto x) { return tanh(w * x); };
}  // namespace

TEST_CASE("captured tensors are refused by blocks, external functions, results and conversions too") {
  char const* const sentence =
      "etch: a checkpointed function captures a variable: pass it as an argument, so that its gradient arrives";
  tape<double> t;
  auto const w = t.watch(tensor<double, 2, 2>{0.5, 0.1, -0.2, 0.3});
  auto const x = t.watch(tensor<double, 2>{1, 2});
  auto const e = sum(sin(x));
  auto const inner = [](auto const& a, auto const& b) { return sum(a * b); };
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& u) { return t.apply(layer, w, u); }, x), sentence);
  CHECK_THROWS_WITH(
      t.checkpoint([&](auto const& u) { return std::tuple<var<double, 2>, var<double, 2>>(u, x); }, x * 2.0), sentence);
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& u) { return var<double>(sum(u)) * var<double>(e); }, x), sentence);
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& u) { return t.checkpoint(inner, w, u); }, x), sentence);
  var<double, 2> h = x;
  for (int i = 0; i < 3; ++i)
    h = t.checkpoint([&](auto const& m, auto const& u) { return t.apply(layer, m, u); }, w, h);
  t.backward(sum(h));
  auto const by_w = t.grad(w);
  t.reset();
  auto const v = t.watch(tensor<double, 2, 2>{0.5, 0.1, -0.2, 0.3});
  h = t.constant(tensor<double, 2>{1, 2});
  for (int i = 0; i < 3; ++i) h = layer(v, h);
  t.backward(sum(h));
  for (std::size_t i = 0; i < 4; ++i) CHECK(by_w[i] == doctest::Approx(t.grad(v)[i]));
}

TEST_CASE("marks within a checkpoint, and what does not pass its borders") {
  tape<double> t;
  auto const s = t.watch(0.8);
  auto const tried = [&t](auto const& u) {
    auto const m = t.mark();
    var<double> const gone [[maybe_unused]] = sin(u);
    t.rewind(m);
    return var<double>(cos(u));
  };
  var<double> const y = sin(s) * s, z = t.checkpoint(tried, y);
  t.backward(z * y);
  double const u = std::sin(0.8) * 0.8, du = std::cos(0.8) * 0.8 + std::sin(0.8);
  CHECK(t.grad(s) == doctest::Approx(du * (std::cos(u) - u * std::sin(u))));
  t.rewind(t.mark());  // positions are as before

  typename tape<double>::position leaked;
  var<double> escaped;
  auto const leak = [&](auto const& a) {
    leaked = t.mark();
    escaped = a * 2.0;
    return var<double>(a * a);
  };
  t.checkpoint(leak, s);
  CHECK_THROWS_WITH(t.rewind(leaked),
                    "etch: a position that no longer exists: its tape was rewound to before it, or reset, since");
  char const* const gone =
      "etch: a variable that no longer exists: its tape was rewound to before it, or reset, since it was made";
  CHECK_THROWS_WITH(var<double>(escaped + 1), gone);
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& a) { return var<double>(a * escaped); }, s), gone);
  auto const outer = t.mark();
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& a) { return t.rewind(outer), var<double>(a); }, s),
                    "etch: a position that no longer exists: its tape was rewound to before it, or reset, since");
  CHECK_THROWS_WITH(t.checkpoint([&](auto const& a) { return t.backward(a), var<double>(a); }, s),
                    "etch: a checkpointed function goes back through its tape, which is gone back through from "
                    "outside: let it return the value instead");
}

TEST_CASE("numbers and tensors among a checkpoint's arguments are constants") {
  tape<double> t;
  auto const x = t.watch(tensor<double, 2>{1, 2});
  auto const y = t.checkpoint([](auto const& s, auto const& u, auto const& c) { return sum(s * u * c(1)); }, 2.0, x,
                              tensor<double, 2>{5, 3});
  CHECK(t.backward(y) == 18);
  CHECK(t.grad(x) == tensor<double, 2>{6, 6});
}

TEST_CASE("external functions are given numbers of the tape's type") {
  tape<float> t;
  auto const x = t.watch(2.0f);
  auto const cube = [](float a, auto n) { return std::pow(a, static_cast<float>(n)); };
  auto const back = [](float g, float, float a, auto n) {
    return std::tuple(g * static_cast<float>(n) * std::pow(a, static_cast<float>(n) - 1), 0.0f);
  };
  auto const y = t.external(cube, back, x, 3), z = t.external(cube, back, x, 3.0);
  CHECK(value(y) == 8);
  CHECK(t.backward(y + z) == 16);
  CHECK(t.grad(x) == 24);
}

TEST_CASE("a position between two others does not survive a rewind to the first, wherever the arena was") {
  tape<double> t;
  auto const x = t.watch(1.0);
  var<double> y = x;
  for (int i = 0; i < 12000; ++i) y = y * 1.0 + 0.0 * x;
  auto const a = t.mark();
  t.backward(y, retain);
  auto const b = t.mark();
  t.rewind(a);
  var<double> z = y;
  for (int i = 0; i < 40000; ++i) z = z * 1.0 + 0.0 * x;
  CHECK_THROWS_WITH(t.rewind(b),
                    "etch: a position that no longer exists: its tape was rewound to before it, or reset, since");
  t.rewind(a);
  t.backward(y);
  CHECK(t.grad(x) == 1);
}

TEST_CASE("row-major matrices, seeds with what is retained, tensors that are gone") {
  tape<double> t;
  Eigen::Matrix<double, 2, 3, Eigen::RowMajor> m;
  m << 1, 2, 3, 4, 5, 6;
  auto const a = t.watch(m);
  var<double, 2, 3> const y = square(a);
  CHECK(value(a)(0, 2) == 3);
  t.backward(y, tensor<double, 2, 3>{1, 0, 0, 0, 2, 0}, retain);
  CHECK(t.grad(a)(0, 0) == 2);
  CHECK(t.grad(a)(0, 2) == 12);
  CHECK_THROWS_WITH(t.grad(sum(a)), doctest::Contains("is not kept"));
  auto const mark = t.mark();
  var<double, 4> const gone = t.constant(tensor<double, 4>{1, 2, 3, 4});
  t.rewind(mark);
  auto const other [[maybe_unused]] = t.watch(tensor<double, 2>{7, 7});
  CHECK_THROWS_WITH(value(gone), doctest::Contains("no longer exists"));
  CHECK_THROWS_WITH(t.backward(gone, tensor<double, 4>{}), doctest::Contains("no longer exists"));
}

TEST_CASE("what was made within a checkpoint does not exist in the one around it") {
  tape<double> t;
  auto const s = t.watch(0.5);
  auto const v = t.watch(tensor<double, 2>{1, 2});
  var<double> number;
  var<double, 2> vector;
  typename tape<double>::position position;
  auto const inner = [&](auto const& a, auto const& b) {
    number = a * a;
    vector = b * 2.0;
    position = t.mark();
    return var<double>(a * 3);
  };
  char const* const gone =
      "etch: a variable that no longer exists: its tape was rewound to before it, or reset, since it was made";
  auto const around = [&](auto use) {
    return [&t, inner, use](auto const& a, auto const& b) {
      var<double> const before = a * 2, y = t.checkpoint(inner, a, b), z = before * y,
                        more = a * 5;  // in the places of what was within
      var<double, 2> const w = b * 7.0;
      auto const here = t.mark();
      var<double> const tried [[maybe_unused]] = z * more;
      t.rewind(here);
      return var<double>(use() + z + sum(w));
    };
  };
  CHECK_THROWS_WITH(t.checkpoint(around([&] { return number * 1; }), s, v), gone);
  CHECK_THROWS_WITH(t.checkpoint(around([&] { return sum(vector); }), s, v), gone);
  CHECK_THROWS_WITH(t.checkpoint(around([&] { return t.rewind(position), var<double>(); }), s, v),
                    doctest::Contains("a position that no longer exists"));
  auto const nothing = [] { return var<double>(0); };
  CHECK(t.backward(t.checkpoint(around(nothing), s, v)) == 22.5);
  CHECK(t.grad(s) == 6);  // 6 s² + 7 sum(v)
  CHECK(t.grad(v)[0] == 7);
}

TEST_CASE("plain tensors and numbers among the operands of an external function") {
  tape<double> t;
  auto const x = t.watch(2.0);
  auto const f = [](double a, tensor<double, 2> const& b, double c) { return a * (b[0] + b[1]) * c; };
  auto const back = [](double g, double, double a, tensor<double, 2> const& b, double c) {
    return std::tuple(g * (b[0] + b[1]) * c, tensor<double, 2>{g * a * c, g * a * c}, g * a * (b[0] + b[1]));
  };
  auto const y = t.external(f, back, x, tensor<double, 2>{3, 4}, 5);
  CHECK(t.backward(y) == 70);
  CHECK(t.grad(x) == 35);
}

TEST_CASE("labels among the operands of an external function: what the pullback gives for them is not read") {
  tape<double> t;
  tensor<int, 2> const places{2, 0};
  auto const x = t.watch(tensor<double, 3>{1, 2, 3});
  auto const y = t.external([](tensor<double, 3> const& v, tensor<int, 2> const& at) { return v(at(0)) * v(at(1)); },
                            [](double g, double, tensor<double, 3> const& v, tensor<int, 2> const& at) {
                              tensor<double, 3> by_v;
                              by_v(at(0)) += g * v(at(1));
                              by_v(at(1)) += g * v(at(0));
                              return std::tuple(by_v, 0);
                            },
                            x, places);
  CHECK(t.backward(y) == 3);
  CHECK(t.grad(x) == tensor<double, 3>{3, 0, 1});
}
