// Loops as kernels: what they need of memory and code, in float, into storage of the
// caller's, and in a constant expression.
#include <etch/machine/loop.hpp>

#include "transform/loops.hpp"
#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace etch;
using namespace loops;

template <int N>
struct newton {
  constexpr auto operator()(auto w, auto h) const {
    return sum(square(etch::repeat<N>([&](auto c) { return tanh(w * c); }, h)));
  }
};
template <int N, class Wrt>
using newton_program = decltype(compile<Wrt>(newton<N>{}, tensor<double, 3, 3>{}, tensor<double, 3>{}));

using once = newton_program<3, wrt<>>;
using often = newton_program<3000, wrt<>>;
static_assert(often::facts.workspace_bytes == once::facts.workspace_bytes);
static_assert(often::facts.nodes == once::facts.nodes);
static_assert(newton_program<3000, wrt<0, 1>>::facts.nodes == newton_program<4, wrt<0, 1>>::facts.nodes);
static_assert(newton_program<3000, wrt<0, 1>>::executable::schedule.kernel_count ==
              newton_program<4, wrt<0, 1>>::executable::schedule.kernel_count);

// One program, whoever wrote it: in another order, with an output that nobody reads.
constexpr auto written = [](auto w, auto xs) {
  return sum(etch::scan([&](auto h, auto x) { return tanh(w * h + x); }, zeros<3>(), xs));
};
constexpr auto rewritten = [](auto v, auto data) {
  auto const r = etch::scan(
      [&](auto state, auto x) {
        auto const unused = exp(x);
        auto const next = tanh(v * state + x);
        return step{next, std::tuple{unused, next}};
      },
      zeros<3>(), data);
  return sum(r.carry);
};
static_assert(same_program<decltype(compile<wrt<0>>(written, tensor<double, 3, 3>{}, tensor<double, 3, 5>{})),
                           decltype(compile<wrt<0>>(rewritten, tensor<double, 3, 3>{}, tensor<double, 3, 5>{}))>);

// c <- c * a + x: with a = 2, c = 1, x = 1, 2, 3 it is 3, 8, 19, and its derivatives 8 + 2 (3 + 2 · 1)
// (by a), 8 (by c), 4, 2, 1 (by x).
constexpr auto horner = [](auto a, auto c, auto xs) {
  return etch::scan([&](auto sum, auto x) { return sum * a + x; }, c, xs);
};
constexpr auto early = value_and_grad<wrt<0, 1, 2>>(horner)(2.0, 1.0, tensor<double, 3>{1, 2, 3});
static_assert(early.value == 19);
static_assert(std::get<0>(early.grad) == 8 + 2 * (3 + 2 * 1) && std::get<1>(early.grad) == 8);
static_assert(std::get<2>(early.grad) == tensor<double, 3>{4, 2, 1});

}  // namespace

TEST_CASE("results go where the caller wants them") {
  auto program = compile<wrt<0, 1, 2>>(horner, 2.0, 1.0, tensor<double, 3>{});
  double a = 0, c = 0;
  tensor<double, 3> xs;
  CHECK(program(2.0, 1.0, tensor<double, 3>{1, 2, 3}, into(a, c, xs)) == 19);
  CHECK(a == 18);
  CHECK(c == 8);
  CHECK(xs == tensor<double, 3>{4, 2, 1});
  program(2.0, 1.0, tensor<double, 3>{1, 2, 3}, add_to(a, c, xs));
  CHECK(a == 36);
  CHECK(c == 16);
  CHECK(xs == tensor<double, 3>{8, 4, 2});
}

TEST_CASE("in float, with products, sums over steps without a carry, and loops in loops") {
  using values::filled_with;
  auto const w = filled_with<tensor<float, 3, 3>>(1);
  auto const xs = filled_with<tensor<float, 3, 5>>(3);
  constexpr auto loss = [](auto loop, auto matrix, auto series) {
    auto const r = loop.scan(
        [&](auto h, auto x) {
          auto const k = loop.template repeat<3>([&](auto c) { return tanh(matrix * c + h); }, x);
          return step{h, sin(k)};
        },
        ones<3>(), series);
    return sum(square(r.y));
  };
  using subject = std::remove_const_t<decltype(loss)>;
  auto a = compile<wrt<0, 1>>(with<subject, looped<keep_all_t>>{}, w, xs);
  auto b = compile<wrt<0, 1>>(with<subject, unrolled>{}, w, xs);
  CHECK(a(w, xs) == doctest::Approx(b(w, xs)).epsilon(1e-5));
  CHECK(same::distance(a.grad<0>(), b.grad<0>()) < 1e-5);
  CHECK(same::distance(a.grad<1>(), b.grad<1>()) < 1e-5);
}

namespace {

/// Doubles `x` and counts `Max` times at most, as long as the first entry is below `bound`.
template <int Max>
constexpr auto doubled = [](auto x, auto bound) {
  auto const last = while_loop<Max>(
      [&](auto const& s) { return std::get<0>(s)(0) < bound; },
      [](auto const& s) { return std::tuple(std::get<0>(s) * 2.0, std::get<1>(s) + 1.0); }, std::tuple(x, 0.0 * bound));
  return std::get<0>(last)(0) + 1e3 * std::get<0>(last)(2) + 1e6 * std::get<1>(last);
};

template <int Max>
void ends_after_any_step() {
  tensor<double, 3> const x{1, -3, 5};
  auto value = compile<wrt<>>(doubled<Max>, x, 1.0);
  auto gradient = compile(doubled<Max>, x, 1.0);
  for (int steps = 0; steps <= Max + 1; ++steps) {
    double const bound = 0.75 * std::ldexp(1.0, steps);
    int const n = std::min(steps, Max);
    double const power = std::ldexp(1.0, n);
    CHECK(value(x, bound) == power + 1e3 * 5 * power + 1e6 * n);
    CHECK(gradient(x, bound) == value(x, bound));
    CHECK(gradient.template grad<0>() == tensor<double, 3>{power, 0, 1e3 * power});
  }
}

}  // namespace

TEST_CASE("a loop whose condition no longer holds ends, after any number of steps, odd or even bounds") {
  ends_after_any_step<1>();
  ends_after_any_step<2>();
  ends_after_any_step<5>();
  ends_after_any_step<6>();
}

TEST_CASE("a bound that no loop could reach costs nothing") {
  auto far = compile<wrt<>>(doubled<2'000'000'000>, tensor<double, 3>{}, 1.0);
  CHECK(far(tensor<double, 3>{1, -3, 5}, 5.0) == 8 + 1e3 * 40 + 3e6);
  auto const inner = [](auto x) {
    return repeat<3>(
        [](auto s) {
          return while_loop<1'000'000'000>([](auto t) { return t < 100.0; }, [](auto t) { return t * 3.0; }, s) * 0.25;
        },
        x);
  };
  double expected = 2;
  for (int i = 0; i < 3; ++i) {
    while (expected < 100) expected *= 3;
    expected *= 0.25;
  }
  CHECK(compile<wrt<>>(inner, 2.0)(2.0) == expected);
  // Each point ends on its own; a register of points when all of its have.
  auto const weighed = [](auto xs, auto ws) {
    auto const each = map(
        [](auto x) {
          return while_loop<1'000'000'000>([](auto t) { return t < 100.0; }, [](auto t) { return t * 3.0; }, x);
        },
        xs);
    return dot(each, ws);
  };
  tensor<double, 11> starts, ends;
  for (int i = 0; i < 11; ++i) {
    starts[static_cast<std::size_t>(i)] = 1 + 17 * i;
    double t = 1 + 17 * i;
    while (t < 100) t *= 3;
    ends[static_cast<std::size_t>(i)] = t;
  }
  auto sums = compile<wrt<>>(weighed, starts, starts);
  double by_hand = 0;
  for (std::size_t i = 0; i < 11; ++i) by_hand += starts[i] * ends[i];
  CHECK(sums(starts, starts) == by_hand);
}
