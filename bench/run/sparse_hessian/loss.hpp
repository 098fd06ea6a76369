// The chain: a valley of Rosenbrock's between every variable and the next.
#pragma once

namespace chain_of_valleys {

inline constexpr int variables = 1000;

inline constexpr auto valleys = []<class X>(X const& x) {
  constexpr int n = X::extent[0];
  auto const here = x.template head<n - 1>(), next = x.template tail<n - 1>();
  return sum(100 * square(next - square(here)) + square(1 - here));
};

}  // namespace chain_of_valleys
