// Compiled programs as entries of a tape.
#include "tape/both.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace tapes;

namespace {

using vector3 = tensor<double, 3>;
using matrix3 = tensor<double, 3, 3>;

constexpr auto cell = [](auto w, auto h, auto x) { return tanh(w * h + x); };
constexpr auto two_results = [](auto a, auto b) { return std::tuple{sum(cwise_product(a, b)), a * 2.0 + square(b)}; };
constexpr auto times = [](auto a, auto b) { return cwise_product(a, b); };

template <class T>
struct lstm {
  nn::dense<T, 5, 8> gates;  // of the input and the hidden state
  ETCH_MEMBERS(lstm, gates)
  /// The next hidden state (2) and cell (2), one below the other.
  constexpr auto operator()(auto state, auto x) const {
    auto const all = gates(concat<0>(x, slice<0, 0, 2>(state)));
    auto const c = cwise_product(sigmoid(slice<0, 0, 2>(all)), slice<0, 2, 2>(state)) +
                   cwise_product(sigmoid(slice<0, 2, 2>(all)), tanh(slice<0, 4, 2>(all)));
    return concat<0>(cwise_product(sigmoid(slice<0, 6, 2>(all)), tanh(c)), c);
  }
};
constexpr auto lstm_step = [](auto const& model, auto state, auto x) { return model(state, x); };
constexpr auto scanned = [](auto const& model, auto xs) {
  return sum(square(scan([&](auto state, auto x) { return model(state, x); }, zeros<4>(), xs)));
};

}  // namespace

TEST_CASE("apply once is the compiled program, bit for bit") {
  auto const w = random<matrix3>(1, -1, 1);
  auto const h = random<vector3>(2), x = random<vector3>(3);
  constexpr auto whole = [](auto w_, auto h_, auto x_) { return sum(square(cell(w_, h_, x_))); };
  auto const compiled = value_and_grad<wrt<0, 1, 2>>(whole)(w, h, x);
  tape<double> t;
  auto const vw = t.watch(w);
  auto const vh = t.watch(h), vx = t.watch(x);
  CHECK(t.backward(t.apply(whole, vw, vh, vx)) == compiled.value);
  CHECK(t.grad(vw) == std::get<0>(compiled.grad));
  CHECK(t.grad(vh) == std::get<1>(compiled.grad));
  CHECK(t.grad(vx) == std::get<2>(compiled.grad));
}

TEST_CASE("several results, of which any may be used, one twice, none") {
  tape<double> t;
  auto const a = t.watch(vector3{1, 2, 3}), b = t.watch(vector3{4, 5, 6});
  auto const [dot_, other] = t.apply(two_results, a, b);
  CHECK(value(dot_) == 32);
  CHECK(value(other) == vector3{18, 29, 42});
  t.backward(dot_, retain);
  CHECK(t.grad(a) == vector3{4, 5, 6});
  CHECK(t.grad(b) == vector3{1, 2, 3});
  t.backward(sum(other), retain);
  CHECK(t.grad(a) == vector3{2, 2, 2});
  CHECK(t.grad(b) == vector3{8, 10, 12});
  t.backward(dot_ * 2 + sum(other) + dot_ * other(0), retain);  // + dot (2 a0 + b0²)
  CHECK(t.grad(a) == vector3{20 * 4 + 2 + 2 * 32, 20 * 5 + 2, 20 * 6 + 2});
  CHECK(t.grad(b) == vector3{20 * 1 + 8 + 8 * 32, 20 * 2 + 10, 20 * 3 + 12});
  t.backward(sum(a), retain);
  CHECK(t.grad(a) == vector3{1, 1, 1});
  CHECK(t.grad(b) == vector3{});
}

TEST_CASE("the same variable twice, constants, and plain values that change afterwards") {
  tape<double> t;
  auto const a = t.watch(vector3{1, 2, 3});
  t.backward(sum(t.apply(times, a, a)));
  CHECK(t.grad(a) == vector3{2, 4, 6});
  t.reset();
  auto const b = t.watch(vector3{1, 2, 3});
  vector3 plain{10, 20, 30};
  auto const k = t.constant(vector3{7, 8, 9});
  auto const y = t.apply(times, b, plain), z = t.apply(times, plain, b), c = t.apply(times, k, plain),
             d = t.apply(times, k, b);
  plain.fill(-1000);
  CHECK(value(c) == vector3{70, 160, 270});
  t.backward(sum(y) + sum(cwise_product(z, z)) / 2 + sum(c) + sum(d));
  CHECK(t.grad(b) == vector3{10 + 100 + 7, 20 + 2 * 400 + 8, 30 + 3 * 900 + 9});
}

TEST_CASE("scalars go in and come out") {
  tape<double> t;
  auto const s = t.watch(3.0), r = t.watch(2.0);
  auto const v = t.watch(vector3{1, 2, 3});
  constexpr auto scale = [](auto x, auto y, auto z) { return sum(z) * x * x * y; };
  var<double> p = s * r;
  var<double> const y = t.apply(scale, p, 0.5, v);
  CHECK(value(y) == 6 * 36 * 0.5);
  var<double> const z = exp(-y * 0.01) * p + t.apply(scale, s, s, v);
  p = 0;  // another value does not matter
  double const e = std::exp(-1.08), of_y = -0.01 * e * 6, of_p = e + of_y * 36;
  t.backward(z);
  CHECK(t.grad(s) == doctest::Approx(of_p * 2 + 6 * 27));
  CHECK(t.grad(r) == doctest::Approx(of_p * 3));
  CHECK(t.grad(v)[1] == doctest::Approx(of_y * 18 + 27));
}

TEST_CASE("a chain of 1000 entries that share a matrix; retained, taken back, done again") {
  auto const w = random<matrix3>(1, -0.5, 0.5);
  auto const x = random<vector3>(2);
  constexpr int n = 1000;
  // By hand: h' = tanh(w h + x), back from sum(h).
  std::vector<vector3> h(n + 1);
  for (int s = 0; s < n; ++s)
    for (int i = 0; i < 3; ++i) {
      double sum_ = x(i);
      for (int j = 0; j < 3; ++j) sum_ += w(i, j) * h[static_cast<std::size_t>(s)](j);
      h[static_cast<std::size_t>(s) + 1](i) = std::tanh(sum_);
    }
  vector3 adjoint, by_x;
  adjoint.fill(1);
  matrix3 by_w;
  for (int s = n; s > 0; --s) {
    vector3 before;
    for (int i = 0; i < 3; ++i) {
      double const y = h[static_cast<std::size_t>(s)](i), d = adjoint(i) * (1 - y * y);
      by_x(i) += d;
      for (int j = 0; j < 3; ++j) by_w(i, j) += d * h[static_cast<std::size_t>(s) - 1](j), before(j) += d * w(i, j);
    }
    adjoint = before;
  }
  tape<double> t;
  auto const vw = t.watch(w);
  auto const vx = t.watch(x);
  auto const here = t.mark();
  std::size_t bytes = 0;
  for (int round = 0; round < 3; ++round) {
    var<double, 3> y = t.constant(vector3{});
    for (int s = 0; s < n; ++s) y = t.apply(cell, vw, y, vx);
    for (int again = 0; again < 2; ++again) {
      t.backward(sum(y), retain);
      check_numbers<double>(64, laws::entries_of(t.grad(vw)), laws::entries_of(by_w));
      check_numbers<double>(64, laws::entries_of(t.grad(vx)), laws::entries_of(by_x));
    }
    t.rewind(here);
    if (round == 0) bytes = t.bytes();
    CHECK(t.bytes() == bytes);
  }
}

TEST_CASE("a struct that many entries share: a chain of LSTM steps against the static scan") {
  auto const model = random<lstm<double>>(1, -1, 1);
  constexpr int n = 12;
  auto const xs = random<tensor<double, 3, n>>(2, -1, 1);
  auto const compiled = value_and_grad<wrt<0, 1>>(scanned)(model, xs);
  tape<double> t;
  auto const m = t.watch(model);
  std::vector<var<double, 3>> columns;
  var<double, 4> state = t.constant(tensor<double, 4>{});
  for (int i = 0; i < n; ++i) {
    vector3 x;
    for (int k = 0; k < 3; ++k) x(k) = xs(k, i);
    columns.push_back(t.watch(x));
    state = t.apply(lstm_step, m, state, columns.back());
  }
  double const loss = t.backward(sum(square(state)));
  check_numbers<double>(16, {loss}, {compiled.value});
  check_numbers<double>(64, laws::entries_of(t.grad(m)), laws::entries_of(std::get<0>(compiled.grad)));
  run::numbers by_columns;
  for (auto const& each : columns)
    for (double entry : t.grad(each)) by_columns.push_back(entry);
  check_numbers<double>(64, by_columns, laws::entries_of(std::get<1>(compiled.grad)));
}

TEST_CASE("results go into tensors, scalars, control flow, and into entries again") {
  tape<float> t;
  auto const a = t.watch(tensor<float, 3>{1, 2, 3});
  auto y = t.apply(times, a, a);
  int steps = 0;
  while (value(sum(y)) < 1000) y = t.apply(times, y, a), ++steps;
  CHECK(steps == 5);  // a^7: 1 + 128 + 2187
  var<float> s = y(1);
  s = s * 2 + sum(transpose(y) * a);
  CHECK(t.backward(s) == 256 + 1 + 256 + 6561);
  CHECK(t.grad(a) == tensor<float, 3>{8, 8 * 128 + 2 * 7 * 64, 8 * 2187});
}
