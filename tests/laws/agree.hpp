// agree: a compiled program against the plain evaluation of its own graph: fusing, planning
// and vectorising change nothing.
#pragma once

#include "laws/laws.hpp"
#include "rewrite/at_run_time.hpp"

#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

#include <memory>

namespace laws {

template <class A>
run::numbers entries_of(A const& a) {
  run::numbers all;
  argument<A>::visit(a, [&](auto const* data, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) all.push_back(static_cast<double>(data[i]));
  });
  return all;
}

/// Fills every floating leaf of `a` with samples.
template <class A>
void randomise(A& a, double low, double high, std::uint64_t seed) {
  argument<A>::visit(a, [&]<class T>(T* data, std::size_t n) {
    if constexpr (std::is_floating_point_v<T>) {
      std::vector<double> const x = sample(n, low, high, seed);
      for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<T>(x[i]);
    }
  });
}

/// Runs `f` compiled with respect to `Wrt` at the arguments, overwriting, accumulating, and by `value_and_grad`; each
/// must give what the interpreter gives, up to `tolerance`. Returns the number of entries compared.
template <class Wrt, class F, class... A>
std::size_t check_agreement(double tolerance, F f, A const&... arguments) {
  auto const step = std::make_unique<decltype(compile<Wrt, allow_unused>(f, arguments...))>();
  using program_type = std::remove_cvref_t<decltype(*step)>;
  std::vector<run::numbers> leaves;
  (argument<A>::visit(arguments,
                      [&](auto const* data, std::size_t n) {
                        run::numbers x;
                        for (std::size_t i = 0; i < n; ++i) x.push_back(static_cast<double>(data[i]));
                        leaves.push_back(x);
                      }),
   ...);
  std::vector<run::numbers> const expected = at_run_time::interpret(program_type::executable::graph, leaves);
  std::size_t compared = 0;
  auto const same = [&](double a, double b) {
    ++compared;
    CHECK(distance(a, b) < tolerance);
  };
  (*step)(arguments...);
  run::numbers const value = entries_of(step->value());
  for (std::size_t i = 0; i < value.size(); ++i) same(value[i], expected[0][i]);

  run::numbers all;  // of all gradients, in order
  for (std::size_t k = 1; k < expected.size(); ++k) all.insert(all.end(), expected[k].begin(), expected[k].end());
  [&]<int... I>(wrt<I...>) {
    if constexpr (sizeof...(I) > 0) {
      auto const gather = [&](auto const&... gradients) {
        run::numbers got;
        (
            [&] {
              for (double e : entries_of(gradients)) got.push_back(e);
            }(),
            ...);
        return got;
      };
      auto const check_all = [&](run::numbers const& got, double factor) {
        REQUIRE(got.size() == all.size());
        for (std::size_t i = 0; i < all.size(); ++i) same(got[i], factor * all[i]);
      };
      check_all(gather(step->template grad<I>()...), 1);
      auto const targets = std::make_unique<std::tuple<typename program_type::template gradient_type<I>...>>();
      std::apply(
          [&](auto&... target) {
            (randomise(target, 1, 2, 99), ...);
            (*step)(arguments..., into(target...));
            check_all(gather(target...), 1);
            (*step)(arguments..., add_to(target...));
            (*step)(arguments..., add_to(target...));
            check_all(gather(target...), 3);
          },
          *targets);
      auto const both = value_and_grad<Wrt, allow_unused>(f)(arguments...);
      same(static_cast<double>(both.value), expected[0][0]);
      if constexpr (sizeof...(I) == 1) check_all(gather(both.grad), 1);
      else std::apply([&](auto const&... g) { check_all(gather(g...), 1); }, both.grad);
    }
  }(Wrt{});
  return compared;
}

}  // namespace laws
