// Scalars on a tape in ordinary code: control flow, containers, algorithms; and in great numbers.
#include <etch/op/elementwise.hpp>
#include <etch/tape/tape.hpp>

#include "tape/close.hpp"

#include <doctest/doctest.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

using namespace etch;
using namespace tapes;

namespace {

template <class T>
std::vector<var<T>> watched(tape<T>& t, std::vector<T> const& x) {
  std::vector<var<T>> all;
  for (T each : x) all.push_back(t.watch(each));
  return all;
}
template <class T>
std::vector<T> gradients(tape<T>& t, std::vector<var<T>> const& x) {
  std::vector<T> all;
  for (auto const& each : x) all.push_back(t.grad(each));
  return all;
}

template <class T>
var<T> fading(var<T> const& x, int depth) {
  if (depth == 0) return x;
  return fading(x, depth - 1) * T(0.5) + x;
}

/// Runs `work` on a thread whose stack is this small.
template <class F>
void on_a_small_stack(std::size_t bytes, F work) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  REQUIRE(pthread_attr_setstacksize(&small, bytes) == 0);
  pthread_t thread;
  REQUIRE(
      pthread_create(&thread, &small, [](void* f) -> void* { return (*static_cast<F*>(f))(), nullptr; }, &work) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&small);
}

/// log det A / 2 by a Cholesky factorisation of its lower triangle, written with numbers. Counts its operations.
template <class S>
S half_logdet(std::vector<S> a, int n, long* operations = nullptr) {
  long count = 0;
  auto const at = [&](int i, int j) -> S& { return a[static_cast<std::size_t>(i * n + j)]; };
  S sum = 0;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) at(j, j) -= at(j, k) * at(j, k), ++count;
    using std::log, std::sqrt;
    at(j, j) = sqrt(at(j, j));
    sum += log(at(j, j));
    count += 2;
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k), ++count;
      at(i, j) /= at(j, j), ++count;
    }
  }
  if (operations != nullptr) *operations = count;
  return sum;
}

/// The inverse of a positive definite matrix, by Gauss and Jordan without pivots.
std::vector<double> inverse(std::vector<double> a, int n) {
  std::vector<double> b(a.size());
  auto const in = [n](std::vector<double>& m, int i, int j) -> double& {
    return m[static_cast<std::size_t>(i * n + j)];
  };
  for (int i = 0; i < n; ++i) in(b, i, i) = 1;
  for (int k = 0; k < n; ++k) {
    double const pivot = in(a, k, k);
    for (int j = 0; j < n; ++j) in(a, k, j) /= pivot, in(b, k, j) /= pivot;
    for (int i = 0; i < n; ++i) {
      double const factor = in(a, i, k);
      if (i == k || factor == 0) continue;
      for (int j = 0; j < n; ++j) in(a, i, j) -= factor * in(a, k, j), in(b, i, j) -= factor * in(b, k, j);
    }
  }
  return b;
}

/// A perfectly ordinary struct of the user's.
struct particle {
  var<double> position, velocity;
  void advance(double h) {
    velocity -= h * position;
    position += h * velocity;
  }
};

}  // namespace

TEST_CASE_TEMPLATE("the operators of assignment, also with the variable itself", T, float, double) {
  tape<T> t;
  var<T> const x = t.watch(T(3)), y = t.watch(T(2));
  var<T> z = x;
  z += y, z -= 1, z *= z, z /= y, z *= 2.0f, z = *&z, z += z * y, z -= -z;  // ((x + y - 1)² / y) 2 (1 + y) 2
  CHECK(value(z) == 96);
  t.backward(z);
  CHECK(t.grad(x) == 48);                                   // 8 (x + y - 1) (1 + y) / y
  CHECK(t.grad(y) == doctest::Approx(48 + 96.0 / 3 - 48));  // and the derivatives of (1 + y) and of 1 / y
}

TEST_CASE("a variable divided by itself, minus itself, by its own power") {
  tape<double> t;
  var<double> const x = t.watch(3.0);
  var<double> a = x, b = x, c = x;
  a /= a, b -= b, c *= c * c;
  CHECK(value(a) == 1);
  CHECK(value(b) == 0);
  t.backward(a + b + c);
  CHECK(t.grad(x) == 27);
}

TEST_CASE("auto keeps what it names: temporaries, parts of statements, results of functions") {
  tape<double> t;
  auto const f = [&](double at) {
    auto const x = t.watch(at);
    auto const part = x * 2 + 1;
    auto const whole = sin(part) * part;
    auto const chosen = select(part > 0, whole, -whole);
    return std::pair{x, chosen};
  };
  auto const [x, y] = f(0.5);
  std::vector<double> const noise(1000, 7);  // over what the function left on the stack
  CHECK(noise.size() == 1000);
  CHECK(value(y) == doctest::Approx(2 * std::sin(2.0)));
  t.backward(y);
  CHECK(t.grad(x) == doctest::Approx(2 * std::sin(2.0) + 4 * std::cos(2.0)));
}

TEST_CASE("a statement named once and used often is recorded wherever it is used, and counts as often") {
  tape<double> t;
  auto const x = t.watch(1.5);
  auto const s = x * x;
  var<double> const a = s, b = s * s;
  auto const copy = s;
  t.backward(a + b + copy);  // 2 x² + x⁴
  CHECK(t.grad(x) == 4 * 1.5 + 4 * 1.5 * 1.5 * 1.5);
}

TEST_CASE("control flow on comparisons: if, while, recursion, early exit") {
  tape<double> t;
  auto const root = [&](var<double> const& a) {  // Newton's method
    var<double> r = a;
    int steps = 0;
    while (abs(r * r - a) > 1e-14 * a) {
      if (++steps > 50) break;
      r = (r + a / r) / 2;
    }
    return r;
  };
  for (double at : {0.01, 2.0, 1e6}) {
    var<double> const x = t.watch(at);
    var<double> const r = root(x);
    CHECK(value(r) == doctest::Approx(std::sqrt(at)).epsilon(1e-12));
    t.backward(r);
    CHECK(t.grad(x) == doctest::Approx(0.5 / std::sqrt(at)).epsilon(1e-12));
    t.reset();
  }
  var<double> const x = t.watch(1.0);
  t.backward(fading(x, 20));
  CHECK(t.grad(x) == doctest::Approx(2 - std::pow(0.5, 20)));
  if (x > 2 || x < 0 || x == 3 || x != 1 || !(x >= 1) || !(x <= 1)) FAIL("a comparison is wrong");
  if (!(x < 2 && x > 0)) FAIL("a comparison is wrong");
}

TEST_CASE("std::max, std::min, std::sort, std::nth_element, std::minmax_element and std::clamp") {
  tape<double> t;
  auto x = watched<double>(t, {3, 1, 2, 5, 4});
  auto sorted = x;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < 5; ++i) CHECK(value(sorted[i]) == static_cast<double>(i + 1));
  auto descending = x;
  std::sort(descending.begin(), descending.end(), std::greater<>());
  CHECK(value(descending[0]) == 5);
  std::sort(descending.begin(), descending.end(), [](auto const& a, auto const& b) { return abs(a - 3) < abs(b - 3); });
  CHECK(value(descending[0]) == 3);
  std::nth_element(descending.begin(), descending.begin() + 2, descending.end());
  CHECK(value(descending[2]) == 3);
  auto const [low, high] = std::minmax_element(x.begin(), x.end());
  var<double> const y = std::max(x[0], x[1]) * std::min(x[3], x[4]) + std::clamp(x[3], x[1], x[2]) + *low * *high;
  for (std::size_t i = 0; i < 5; ++i) sorted[0] += static_cast<double>(i) * sorted[i];
  t.backward(y + sorted[0]);
  // y = x0 x4 + x2 + x1 x3; sorted[0] = x1 + 0 x1 + x2 + 2 x0 + 3 x4 + 4 x3
  CHECK(gradients(t, x) == std::vector<double>{4 + 2, 5 + 1, 1 + 1, 1 + 4, 3 + 3});
}

TEST_CASE("std::accumulate, std::inner_product, std::partial_sum, std::transform, std::map, std::set, std::optional") {
  tape<double> t;
  auto const x = watched<double>(t, {1, 2, 3, 4});
  var<double> const sum = std::accumulate(x.begin(), x.end(), var<double>(0));
  var<double> const squares = std::inner_product(x.begin(), x.end(), x.begin(), var<double>());
  var<double> const product = std::accumulate(x.begin(), x.end(), var<double>(1), std::multiplies<var<double>>());
  std::vector<var<double>> sums(4), roots(4);
  std::partial_sum(x.begin(), x.end(), sums.begin());
  std::transform(x.begin(), x.end(), roots.begin(), [](auto const& each) { return sqrt(each); });
  std::map<int, var<double>> named;
  for (int i = 0; i < 4; ++i) named[i % 2] += x[static_cast<std::size_t>(i)];
  std::map<var<double>, int> by_value;
  for (std::size_t i = 0; i < 4; ++i) by_value[x[3 - i]] = static_cast<int>(i);
  CHECK(by_value.begin()->second == 3);
  CHECK(std::set<var<double>>(x.begin(), x.end()).size() == 4);
  std::optional<var<double>> perhaps;
  perhaps = x[0] * 2;
  CHECK(value(sum) == 10);
  CHECK(value(squares) == 30);
  CHECK(value(product) == 24);
  CHECK(value(sums[3]) == 10);
  t.backward(sum + squares + product + sums[2] + roots[3] + named[0] * named[1] + *perhaps);
  CHECK(gradients(t, x) ==
        std::vector<double>{1 + 2 + 24 + 1 + 6 + 2, 1 + 4 + 12 + 1 + 4, 1 + 6 + 8 + 1 + 6, 1 + 8 + 6 + 0.25 + 4});
}

TEST_CASE("swap, copies, self-assignment, arrays, members, default-made variables, unused ones") {
  tape<double> t;
  var<double> a = t.watch(2.0), b = t.watch(5.0);
  var<double> const first = a, second = b;
  var<double> const unused = t.watch(9.0), never = exp(unused);
  static_cast<void>(never);
  std::swap(a, b);
  a = *&a;
  auto moved = std::move(b);
  particle p{a, moved};
  for (int i = 0; i < 3; ++i) p.advance(0.1);
  std::array<var<double>, 3> few{};
  few[1] = p.position;
  few[2] = few[0] + few[1] * few[1] + var<double>();
  CHECK(value(few[0]) == 0);
  t.backward(few[2]);
  // One step is the matrix [1 - h², h; -h, 1] on (position, velocity).
  double m[2] = {1, 0}, n[2] = {0, 1};
  for (int i = 0; i < 3; ++i)
    for (double* each : {m, n}) each[1] -= 0.1 * each[0], each[0] += 0.1 * each[1];
  double const position = 5 * m[0] + 2 * n[0];
  CHECK(value(p.position) == doctest::Approx(position));
  CHECK(t.grad(second) == doctest::Approx(2 * position * m[0]));
  CHECK(t.grad(first) == doctest::Approx(2 * position * n[0]));
  CHECK(t.grad(unused) == 0);
}

TEST_CASE("the same variable many times in one statement, and a wide statement") {
  tape<double> t;
  var<double> const x = t.watch(2.0), y = t.watch(3.0);
  t.backward(x * x * x * x * x * x * x * x + x * y * x * y * x + y / x / x);
  CHECK(t.grad(x) == 8 * std::pow(2.0, 7) + 3 * 9 * 4 - 2 * 3 / 8.0);
  CHECK(t.grad(y) == 8 * 2 * 3 + 0.25);
  t.reset();
  auto const v = [&] {
    std::array<var<double>, 40> all;
    for (std::size_t i = 0; i < 40; ++i) all[i] = t.watch(static_cast<double>(i));
    return all;
  }();
  var<double> const wide = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (... + (v[I] * static_cast<double>(I * I)));
  }(std::make_index_sequence<40>{});
  t.backward(wide);
  for (std::size_t i = 0; i < 40; ++i) CHECK(t.grad(v[i]) == static_cast<double>(i * i));
}

TEST_CASE_TEMPLATE("entries across the arena's blocks: statements of every width at every offset", T, float, double) {
  tape<T> t;
  var<T> const x = t.watch(T(1)), y = t.watch(T(2));
  for (int round = 0; round < 2; ++round) {
    var<T> s = 0;
    long by_x = 0, by_y = 0;
    unsigned state = 1;
    auto const start = t.mark();
    for (int i = 0; i < 150000; ++i) {
      state = state * 1664525u + 1013904223u;
      switch (state >> 30) {
        case 0:
          s = s + x;
          by_x += 1;
          break;
        case 1:
          s = s + x - y;
          by_x += 1, by_y -= 1;
          break;
        case 2:
          s = x + s + y - x;
          by_y += 1;
          break;
        default:
          s = x + (y + s) + y + (x - y) - x;
          by_x += 1, by_y += 1;
      }
    }
    CHECK(t.bytes() > 4 * 256 * 1024);
    t.backward(s);
    CHECK(t.grad(x) == static_cast<T>(by_x));
    CHECK(t.grad(y) == static_cast<T>(by_y));
    t.rewind(start);
  }
}

TEST_CASE("a chain of 10 million statements, there and back, on a stack of 4 MiB") {
  on_a_small_stack(4 * 1024 * 1024, [] {
    auto const t = std::make_unique<tape<double>>();
    var<double> const x = t->watch(1.5);
    var<double> y = x;
    constexpr int n = 10'000'000;
    for (int i = 0; i < n; ++i) y = y * 0.5 + x;
    double const value_of_y = t->backward(y);
    CHECK(value_of_y == doctest::Approx(3));
    CHECK(t->grad(x) == doctest::Approx(2));
    CHECK(t->bytes() < 1'000'000'000);
    CHECK(t->bytes() > std::size_t{n} * 2 * 16);  // two operands each
  });
}

TEST_CASE("recursion over ten million nodes of a tree") {
  constexpr int nodes = 10'000'001;  // node i has the children 2 i + 1 and 2 i + 2, or none
  auto const left = [](int i) { return 2 * i + 1 < nodes ? 2 * i + 1 : -1; };
  double const at = 0.5;
  tape<double> t;
  var<double> const w = t.watch(at);
  auto const value_of = [&](auto const& self, int i) -> var<double> {
    int const l = left(i);
    if (l < 0) return 1.0;
    return (self(self, l) + self(self, l + 1)) * w + 1;
  };
  var<double> const y = value_of(value_of, 0);

  std::vector<double> value(nodes, 1.0), slope(nodes, 0.0);  // the same and its derivative, from the leaves up
  for (int i = nodes; i-- > 0;) {
    int const l = left(i);
    if (l < 0) continue;
    auto const a = static_cast<std::size_t>(l), b = a + 1, to = static_cast<std::size_t>(i);
    value[to] = (value[a] + value[b]) * at + 1;
    slope[to] = value[a] + value[b] + (slope[a] + slope[b]) * at;
  }
  CHECK(t.backward(y) == value[0]);
  CHECK(t.grad(w) == doctest::Approx(slope[0]).epsilon(1e-12));
  CHECK(t.bytes() < 1'000'000'000);
}

TEST_CASE("Cholesky written with scalars, n = 64: its derivative is the inverse, its length that of its operations") {
  constexpr int n = 64;
  std::vector<double> a(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[static_cast<std::size_t>(i * n + j)] = 1.0 / (1 + std::abs(i - j)) + (i == j ? 2 : 0);
  std::vector<double> const truth = inverse(a, n);
  tape<double> t;
  auto const x = watched<double>(t, a);
  long operations = 0;
  var<double> const y = half_logdet(x, n, &operations);
  CHECK(value(y) == doctest::Approx(half_logdet(a, n)).epsilon(1e-14));
  t.backward(y);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      auto const k = static_cast<std::size_t>(i * n + j);
      // Of log det A / 2: half of the inverse; an entry below the diagonal stands for two.
      double const expected = j > i ? 0 : i == j ? truth[k] / 2 : truth[k];
      CHECK(t.grad(x[k]) == doctest::Approx(expected).epsilon(1e-11));
    }
  CHECK(operations > n * n * n / 6);
  // An entry has at most three operands of 16 bytes and an adjoint of 8; the blocks are not filled to the end.
  CHECK(t.bytes() < static_cast<std::size_t>(operations + n * n) * (3 * 16 + 8) + 2 * 256 * 1024);
}

TEST_CASE("what has no derivative leaves the entry before it as it is") {
  tape<double> t;
  auto const x = t.watch(1.5);
  var<double> const y = x * x;
  var<double> const steps = floor(y) + round(x) * 2 - floor(x * y);
  var<double> const z = y * steps;
  t.backward(z, retain);
  CHECK(t.grad(x) == 3 * value(steps));
  t.backward(y);
  CHECK(t.grad(x) == 3);
}

TEST_CASE("constants at every place among variables") {
  tape<double> t;
  var<double> const c = 2.0, d = 3.0;
  for (bool of_earlier : {false, true}) {  // variables that were made before a position are not looked at in haste
    t.reset();
    auto const x = t.watch(5.0), y = t.watch(7.0);
    if (of_earlier) t.rewind(t.mark());
    var<double> const first = c * x + y, last = x + y * c, between = x * c + x, apart = x * y + d * x, none = c * d,
                      both = c + d + x * c * x;
    CHECK(value(none) == 6);
    auto const slopes = [&](var<double> const& of) {
      t.backward(of, retain);
      return std::pair(t.grad(x), t.grad(y));
    };
    CHECK(slopes(first) == std::pair(2.0, 1.0));
    CHECK(slopes(last) == std::pair(1.0, 2.0));
    CHECK(slopes(between) == std::pair(3.0, 0.0));
    CHECK(slopes(apart) == std::pair(10.0, 5.0));
    CHECK(slopes(none) == std::pair(0.0, 0.0));
    CHECK(slopes(both) == std::pair(20.0, 0.0));
    CHECK(slopes(none * x + c) == std::pair(6.0, 0.0));
  }
}
