// Masks on a tape: statements, tensors, blocks and checkpoints; and results of which nothing comes back.
#include "rewrite/masked_losses.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace etch;

namespace {

template <class... F>
void check_on_tape(std::tuple<masked::loss<F>...> const& losses) {
  auto const check = [](auto const& each) {
    CAPTURE(std::string(each.name));
    auto const [value, g] = dynamic::value_and_grad(each.f)(each.x);
    static_cast<void>(value);
    for (int i = 0; i < 3; ++i) CHECK(g(i) == doctest::Approx(each.gradient(i)));
  };
  std::apply([&](auto const&... each) { (check(each), ...); }, losses);
}

constexpr masked::vector at = masked::at;

void check_gradient(tape<double>& t, auto const& v, masked::vector const& expected) {
  auto const g = t.grad(v);
  for (int i = 0; i < 3; ++i) {
    CHECK(g(i) == expected(i));
    CHECK_FALSE(std::signbit(g(i)));  // the -0 of nothing is not shown
  }
}

}  // namespace

TEST_CASE("on a tape a value of a branch that is not taken may be used twice") { check_on_tape(masked::shared); }
TEST_CASE("on a tape nothing arrives through views, reductions and running sums") { check_on_tape(masked::between); }
TEST_CASE("on a tape loops keep from what a branch did not take") { check_on_tape(masked::loops); }

TEST_CASE("a choice by a condition that is a constant to the tape's graph, since no derivative flows through it") {
  tape<double> t;
  auto const x = t.watch(0.0);
  t.backward(select(x > 0.0, sum(sqrt(stack<0>(x, x))), 0.0));
  CHECK(t.grad(x) == 0);
  t.reset();
  auto const y = t.watch(4.0);
  t.backward(select(y > 0.0, sum(sqrt(stack<0>(y, y))), 0.0));
  CHECK(t.grad(y) == 0.5);
}

TEST_CASE("a choice between blocks") {
  tape<double> t;
  auto const v = t.watch(at);
  auto const y = t.apply([](auto x) { return log(x); }, v);
  t.backward(sum(select(v > 0, y, 0.0)));
  check_gradient(t, v, {0, 1, 0.25});
}

TEST_CASE("a choice within a block, behind which the tape goes on") {
  tape<double> t;
  auto const v = t.watch(at);
  auto const d = sqrt(v);
  t.backward(t.apply([](auto x, auto y) { return sum(select(x > 0, cwise_product(y, y), x)); }, v, d));
  check_gradient(t, v, {1, 1, 1});
}

TEST_CASE("a choice between checkpoints") {
  tape<double> t;
  auto const v = t.watch(at);
  auto const y = t.checkpoint([](auto x) { return log(x); }, v);
  t.backward(sum(select(v > 0, y, 0.0)));
  check_gradient(t, v, {0, 1, 0.25});
}

TEST_CASE("a choice between external functions") {
  tape<double> t;
  auto const v = t.watch(at);
  bool was_asked = false;
  auto const y = t.external([](tensor<double, 3> const& x) { return x; },
                            [&](tensor<double, 3> const& g, tensor<double, 3> const&, tensor<double, 3> const&) {
                              was_asked = true;
                              return g;
                            },
                            v);
  t.backward(select(sum(v) > 100.0, sum(y), sum(v)));
  check_gradient(t, v, {1, 1, 1});
  CHECK_FALSE(was_asked);
}

TEST_CASE("of several results of a block one is not used: nothing is seeded there, not even a zero") {
  tape<double> t;
  auto const v = t.watch(at);
  auto const [a, b] = t.apply([](auto x) { return std::tuple(sum(x), sum(log(x))); }, v);
  static_cast<void>(b);
  t.backward(a);
  check_gradient(t, v, {1, 1, 1});
}

TEST_CASE("an argument that only the unused result of a block depends on gets nothing") {
  tape<double> t;
  auto const v = t.watch(at);
  auto const p = t.watch(0.0);
  auto const [a, b] = t.apply([](auto x, auto q) { return std::tuple(sum(x), sum(x) * q); }, v, sqrt(p));
  static_cast<void>(b);
  t.backward(a);
  check_gradient(t, v, {1, 1, 1});
  CHECK(t.grad(p) == 0);
  CHECK_FALSE(std::signbit(t.grad(p)));
}

TEST_CASE("gradients of blocks that leave gaps are added to others, in either order") {
  for (bool const block_first : {true, false}) {
    tape<double> t;
    auto const v = t.watch(at);
    auto const d = sqrt(v);
    auto const inside = [](auto x, auto y) { return sum(select(x > 0, y, x)); };
    if (block_first) {
      auto const a = t.apply(inside, v, d);
      t.backward(a + sum(select(v > 2, d, v)));
    } else {
      auto const a = sum(select(v > 2, d, v));
      t.backward(a + t.apply(inside, v, d));
    }
    check_gradient(t, v, {2, 1.5, 0.5});
  }
}

TEST_CASE("what a tape chose is forgotten when it is rewound") {
  tape<double> t;
  for (int round = 0; round < 3; ++round) {
    auto const v = t.watch(at);
    if (round % 2 == 0) t.backward(sum(select(v > 0, log(v), 0.0)));
    else t.backward(log(v)(1));
    CHECK(std::isnan(t.grad(v)(0)) ==
          (round % 2 == 1));  // as in a program: a zero from the index, times an infinite slope
    CHECK(t.grad(v)(1) == 1);
    t.reset();
  }
}
