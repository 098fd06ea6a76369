#include "same_program.hpp"

#include <etch/core/members.hpp>
#include <etch/nn/dense.hpp>
#include <etch/nn/loss.hpp>
#include <etch/op/ops.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

namespace {

using namespace etch;
using namespace same_program_test;

/// Whether the losses `A` and `B` are one program for arguments like these.
template <class Wrt = wrt<0>, class A, class B, class... X>
constexpr bool same(A a, B b, X const&... x) {
  return same_program<decltype(compile<Wrt>(a, x...)), decltype(compile<Wrt>(b, x...))>;
}

constexpr matrix_type m{};
constexpr vector_type v{};

// ---- names, local variables, the order of independent statements, dead code ----

static_assert(same<wrt<0, 1>>(
    [](auto a, auto b) {
      auto const left = exp(a);
      auto const right = sin(b);
      return sum(left * right);
    },
    [](auto first, auto second) {
      auto const s = sin(second);
      static_cast<void>(tanh(first * second));
      return sum(exp(first) * s);
    },
    m, m));
// With several paths to one argument the order of the contributions to its gradient does
// not follow the statements either.
static_assert(same(
    [](auto a) {
      auto u = exp(a), w = sin(a), z = tanh(a);
      return sum(cwise_product(cwise_product(u, w), z));
    },
    [](auto a) {
      auto z = tanh(a), w = sin(a), u = exp(a);
      return sum(cwise_product(cwise_product(u, w), z));
    },
    m));
static_assert(same(
    [](auto a) {
      auto const once = a * a;
      auto const other = transpose(a) * a;
      return sum(once * other) + logdet(other + 1);
    },
    [](auto a) {
      auto const other = transpose(a) * a;
      auto const determinant = logdet(other + 1);
      return sum((a * a) * other) + determinant;
    },
    m));
static_assert(same(
    [](auto a) {
      auto const [top, bottom] = split<0, 2>(a);
      return sum(exp(top)) * sum(square(bottom));
    },
    [](auto a) {
      auto const squares = sum(square(slice<0, 3, 3>(a)));
      return sum(exp(slice<0, 0, 3>(a))) * squares;
    },
    m));
static_assert(same(
    [](auto a) {
      auto const doubled = a * 2.0;
      return sum(exp(doubled - 1)) + sum(sin(a * 3.0));
    },
    [](auto a) {
      auto const waves = sum(sin(a * 3));
      return sum(exp(a * 2 - 1.0f)) + waves;
    },
    m));

// ---- loops, functions, function objects, reassignment ----

constexpr auto unrolled = [](auto a, auto b) {
  auto const h1 = tanh(a * b), h2 = tanh(a * h1), h3 = tanh(a * h2);
  return sum(h3);
};
struct recurrence {
  template <class State>
  static constexpr State next(auto const& a, State const& h) {
    return tanh(a * h);
  }
  constexpr auto operator()(auto const& a, auto h) const {
    for (int i = 0; i < 3; ++i) h = next(a, h);
    return sum(h);
  }
};
static_assert(same<wrt<0, 1>>(unrolled, recurrence{}, m, v));
static_assert(same<wrt<1>>(unrolled, recurrence{}, m, v));

// ---- structs: the program is keyed by their leaves, the object that owns the gradient also by their type ----

template <class T>
struct affine {
  param<T, 4, 6> matrix;
  param<T, 4> shift;
  ETCH_MEMBERS(affine, matrix, shift)
};
using layer = nn::dense<double, 6, 4>;
constexpr auto by_layer = [](auto l, auto x, auto y) { return nn::mse(l(x), y); };
constexpr auto by_hand = [](auto p, auto x, auto y) {
  auto const miss = p.matrix * x + p.shift - y;
  return mean(square(miss));
};
using programs = std::pair<decltype(compile(by_layer, layer{}, v, tensor<double, 4>{})),
                           decltype(compile(by_hand, affine<double>{}, v, tensor<double, 4>{}))>;
static_assert(std::is_same_v<programs::first_type::executable, programs::second_type::executable>);
static_assert(!same_program<programs::first_type, programs::second_type>);
// Members in another order are other leaves.
template <class T>
struct turned {
  param<T, 4> shift;
  param<T, 4, 6> matrix;
  ETCH_MEMBERS(turned, shift, matrix)
};
static_assert(!std::is_same_v<decltype(compile(by_hand, turned<double>{}, v, tensor<double, 4>{}))::executable,
                              programs::first_type::executable>);

// ---- what differs is another program ----

constexpr auto scaled = [](auto a, auto b) { return sum(exp(a * 2.0) + b); };
static_assert(same<wrt<0, 1>>(scaled, scaled, m, m));
static_assert(!same<wrt<0, 1>>(scaled, [](auto a, auto b) { return sum(exp(a * 2.0000000000000004) + b); }, m, m));
static_assert(!same<wrt<0, 1>>(scaled, [](auto a, auto b) { return sum(expm1(a * 2.0) + b); }, m, m));
static_assert(!same<wrt<0, 1>>(scaled, [](auto a, auto b) { return mean(exp(a * 2.0) + b); }, m, m));
static_assert(!same<wrt<0, 1>>(scaled, [](auto a, auto b) { return sum(exp(b * 2.0) + a); }, m, m));
static_assert(!same<wrt<0, 1>>([](auto a, auto b) { return sum(a - b); }, [](auto a, auto b) { return sum(b - a); }, m,
                               m));
static_assert(!same_program<decltype(compile<wrt<0>>(scaled, m, m)), decltype(compile<wrt<1>>(scaled, m, m))>);
static_assert(!same_program<decltype(compile<wrt<0, 1>>(scaled, m, m)), decltype(compile<wrt<1, 0>>(scaled, m, m))>);
static_assert(!same_program<decltype(compile<wrt<0, 1>>(scaled, m, m)), decltype(compile<wrt<0, 1>>(scaled, m, v))>);
static_assert(!same_program<decltype(compile(scaled, m, m)),
                            decltype(compile(scaled, tensor<float, 6, 6>{}, tensor<float, 6, 6>{}))>);

constexpr auto here = [](auto x, auto b) {
  auto const e = exp(x + b);
  return sum(cwise_product(e, sin(x))) + mean(square(e));
};

}  // namespace

TEST_CASE("a loss of another unit is the same function, and gives the same bits whichever is used first") {
  matrix_type x;
  vector_type b;
  for (std::size_t i = 0; i < 36; ++i) x[i] = 0.03 * static_cast<double>(i) - 0.4;
  for (std::size_t i = 0; i < 6; ++i) b[i] = 0.1 * static_cast<double>(i);
  result const first = elsewhere(x, b);
  auto step = compile(here, x, b);
  double const value = step(x, b);
  result const last = elsewhere(x, b);
  CHECK((address_of(step) == first.function));
  CHECK(std::isfinite(value));
  CHECK(value == first.value);
  CHECK(value == last.value);
  CHECK(step.grad<0>() == first.gradient);
  CHECK(step.grad<0>() == last.gradient);
  auto other = compile([](auto a, auto c) { return sum(exp(a + c)); }, x, b);
  CHECK((address_of(other) != first.function));
}

TEST_CASE("programs of one type keep their own values") {
  constexpr auto f = [](auto a) { return sum(square(a)); };
  constexpr auto g = [](auto z) { return sum(square(z)); };
  auto one = compile(f, v);
  auto other = compile(g, v);
  static_assert(same_program<decltype(one), decltype(other)>);
  vector_type const a{1, 2, 3}, b{4};
  CHECK(one(a) == 14);
  CHECK(other(b) == 16);
  CHECK(one.value() == 14);
  CHECK(one.grad<0>() == vector_type{2, 4, 6});
  CHECK(other.grad<0>() == vector_type{8});
}

namespace {

struct own {
  static void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 100 * x[i];
  }
};

}  // namespace

TEST_CASE("a function of the user's is the same in all units, unless each has its own of that name") {
  kernel_result const ours = with_kernels<own>(), theirs = kernels_elsewhere();
  CHECK((ours.shared == theirs.shared));
  CHECK((ours.own != theirs.own));
  CHECK((ours.own != ours.shared));
  CHECK(ours.value == 600);
  CHECK(theirs.value == 60);
}
