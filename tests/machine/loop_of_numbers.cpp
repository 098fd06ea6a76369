#include <etch/machine/loop_of_numbers.hpp>

#include "transform/loops.hpp"
#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

using namespace etch;
using namespace loops;

namespace {

/// How many of the kernels of a program are loops, and how many of those run on numbers.
struct kinds {
  int loops = 0, on_numbers = 0;
  friend bool operator==(kinds const&, kinds const&) = default;
};
template <class E, int... K>
consteval kinds kinds_of(std::integer_sequence<int, K...>) {
  kinds found;
  auto const count = [&]<int N>(std::integral_constant<int, N>) {
    constexpr run::output_set<E::output_count> none{};
    using call = run::call_of<E, none, N>;
    if constexpr (requires { typename call::body; }) {
      ++found.loops;
      found.on_numbers += run::is_loop_of_numbers<call>();
    }
  };
  (count(std::integral_constant<int, K>{}), ...);
  return found;
}
template <class Wrt, class F, class... A>
consteval kinds kinds_in() {
  using executable = typename decltype(compile<Wrt>(F{}, A{}...))::executable;
  return kinds_of<executable>(std::make_integer_sequence<int, executable::schedule.kernel_count>{});
}

/// Carries of both kinds, one of them stacked, slices, what all steps share, and a sum.
constexpr auto everything = [](auto loop, auto a, auto b, auto xs) {
  auto const r = loop.scan(
      [&](auto carry, auto x) {
        auto const [level, total] = carry;
        auto const next = a * level + sin(x) * b;
        return step{std::tuple(next, total + square(next) * x), std::tuple(level * next, next)};
      },
      std::tuple(b, a * b), xs);
  auto const& [first, second] = r.y;
  return std::get<0>(r.carry) * std::get<1>(r.carry) + sum(cwise_product(first, xs)) + sum(exp(second));
};
/// Nothing is handed on.
constexpr auto apart = [](auto loop, auto a, auto b, auto xs) {
  auto const r = loop.scan([&](auto c, auto x) { return step{c, tanh(a * x) + b}; }, b, xs);
  return sum(square(r.y));
};
constexpr auto again = [](auto loop, auto a, auto b, auto xs) {
  return loop.template repeat<4>([&](auto c) { return sin(a * c) + c * b; }, a) * sum(xs);
};
constexpr auto of_vectors = [](auto loop, auto a, auto b, auto xs) {
  return sum(loop.template repeat<3>([&](auto c) { return sin(c * a) + b; }, xs));
};

template <class Subject, int N, class T = double>
void check_all() {
  auto const xs = values::filled_with<tensor<T, N>>(3);
  same::check_same(std::integer_sequence<int, 0, 1, 2>{}, with<Subject, looped<keep_all_t>>{},
                   with<Subject, unrolled>{}, tensor<T>{T(0.7)}, tensor<T>{T(-0.4)}, xs);
  same::check_same(std::integer_sequence<int, 2>{}, with<Subject, looped<keep_all_t>>{}, with<Subject, unrolled>{},
                   tensor<T>{T(0.7)}, tensor<T>{T(-0.4)}, xs);
  same::check_same(std::integer_sequence<int, 1>{}, with<Subject, looped<keep_carries_t>>{}, with<Subject, unrolled>{},
                   tensor<T>{T(0.7)}, tensor<T>{T(-0.4)}, xs);
}
template <class Subject>
using plain = with<std::remove_const_t<Subject>, looped<keep_all_t>>;

static_assert(kinds_in<wrt<0, 1, 2>, plain<decltype(everything)>, double, double, tensor<double, 5>>() == kinds{2, 2});
static_assert(kinds_in<wrt<0, 1>, plain<decltype(again)>, float, float, tensor<float, 5>>() == kinds{2, 2});
static_assert(kinds_in<wrt<0, 1, 2>, plain<decltype(of_vectors)>, double, double, tensor<double, 5>>().on_numbers == 0);

}  // namespace

TEST_CASE("loops on numbers are their steps one after the other, value and gradients") {
  check_all<std::remove_const_t<decltype(everything)>, 1>();
  check_all<std::remove_const_t<decltype(everything)>, 2>();
  check_all<std::remove_const_t<decltype(everything)>, 7>();
  check_all<std::remove_const_t<decltype(apart)>, 5>();
  check_all<std::remove_const_t<decltype(again)>, 3>();
}

TEST_CASE("integers and numbers of both precisions among what steps read") {
  constexpr auto f = [](auto a, auto xs, auto times) {
    return scan([&](auto c, auto const& each) { return c * a + std::get<0>(each) * std::get<1>(each); }, 0.5 * a,
                std::tuple(xs, times));
  };
  tensor<double, 4> const xs{0.5, -1, 2, 3};
  tensor<int, 4> const times{3, 0, -2, 1};
  using subject = std::remove_const_t<decltype(f)>;
  static_assert(kinds_in<wrt<0, 1>, subject, double, tensor<double, 4>, tensor<int, 4>>() == kinds{2, 2});
  auto p = compile<wrt<0, 1>>(f, 2.0, xs, times);
  double c = 1, by_a = 0.5;
  for (std::size_t i = 0; i < 4; ++i) by_a = by_a * 2 + c, c = c * 2 + xs.data()[i] * times.data()[i];
  CHECK(p(2.0, xs, times) == c);
  CHECK(p.grad<0>() == by_a);
  CHECK(p.grad<1>() == tensor<double, 4>{24, 0, -4, 1});
}

TEST_CASE("sums and carries keep the sign of zero") {
  constexpr auto f = [](auto a, auto xs) {
    auto const r = scan([&](auto c, auto x) { return step{c * a, x * c}; }, a, xs);
    return sum(r.y) + 0.0 * r.carry;
  };
  auto p = compile<wrt<0, 1>>(f, -0.0, tensor<double, 3>{});
  p(-0.0, tensor<double, 3>{1, 1, 1});
  CHECK(std::signbit(p.grad<1>()(0)));        // the carry of the first step,
  CHECK_FALSE(std::signbit(p.grad<1>()(1)));  // and -0 times -0
}

TEST_CASE("any number of steps in the same code") {
  constexpr auto f = [](auto a, auto xs) { return scan([&](auto c, auto x) { return c * a + x; }, 1.0 * a, xs); };
  auto p = compile<wrt<0, 1>>(f, 1.0, tensor<double, 1000>{});
  tensor<double, 1000> xs{};
  for (std::size_t i = 0; i < 1000; ++i) xs.data()[i] = static_cast<double>(i % 7);
  double const sum = std::accumulate(xs.begin(), xs.end(), 1.0);
  CHECK(p(1.0, xs) == sum);
  CHECK(p.grad<1>()(0) == 1);
  CHECK(p.grad<1>()(999) == 1);
}
