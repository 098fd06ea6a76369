// dispatch: value and gradients of a program for each set of vector instructions that this machine has, in a unit that
// is compiled for any x86-64 machine. They are those of the least set, whose kernels other units hold against the
// truth.
#pragma once

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#if defined(MUST_DISPATCH) && !ETCH_DISPATCHES
#error "kernels of this unit are compiled for one set of vector instructions"
#endif

#if ETCH_DISPATCHES

namespace each_set {

using namespace etch;

/// Calls `f` with kernels of each set that this machine has, the least one first.
inline void with_each_set(auto f) {
  for (vectors set : compiled_sets) {
    if (set == vectors::avx2_fma && !__builtin_cpu_supports("x86-64-v3")) break;
    if (set == vectors::avx512 && !__builtin_cpu_supports("x86-64-v4")) break;
    run::widest_allowed = set;
    f(set);
  }
  run::widest_allowed = widest_vectors;
}

inline double some(int i) { return 0.8 * std::sin(1.7 * i + 0.3) + 0.05; }

template <class T, int... Dims>
void fill(tensor<T, Dims...>& x, int seed) {
  for (int i = 0; i < static_cast<int>(x.flat().size()); ++i) x.flat()(i) = static_cast<T>(some(i + 100 * seed));
}

template <class T>
inline constexpr double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;

/// Compares value and gradients by all arguments for every set.
template <class T, class F, class... A>
void same_for_all_sets(F, A&&... arguments) {
  int seed = 0;
  (fill(arguments, ++seed), ...);
  auto const by_all = []<int... I>(std::integer_sequence<int, I...>) { return wrt<I...>{}; };
  static auto step = etch::compile<decltype(by_all(std::make_integer_sequence<int, sizeof...(A)>{}))>(F{}, A{}...);
  double value = 0;
  std::vector<double> slopes;
  with_each_set([&](vectors set) {
    double const here = static_cast<double>(step(arguments...));
    std::vector<double> all;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      auto const add = [&](auto const& g) {
        for (int i = 0; i < static_cast<int>(g.flat().size()); ++i) all.push_back(static_cast<double>(g.flat()(i)));
      };
      (add(step.template grad<I>()), ...);
    }(std::make_integer_sequence<int, sizeof...(A)>{});
    if (set == machine_vectors) {
      value = here, slopes = all;
      return;
    }
    CAPTURE(static_cast<int>(set));
    CHECK(std::abs(here - value) <= tolerance<T> * (1 + std::abs(value)));
    double largest = 0, furthest = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      largest = std::max(largest, std::abs(slopes[i]));
      furthest = std::max(furthest, std::isnan(all[i]) ? 1e300 : std::abs(all[i] - slopes[i]));
    }
    CHECK(furthest <= tolerance<T> * (1 + largest));
  });
}

}  // namespace each_set

#endif
