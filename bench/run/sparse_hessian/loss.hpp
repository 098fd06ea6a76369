// The chain: a valley of Rosenbrock's between every variable and the next.
#pragma once

namespace chain_of_valleys {

inline constexpr int variables = 1000;

inline constexpr auto valleys = [](auto x) {
  auto const here = x.template head<variables - 1>(), next = x.template tail<variables - 1>();
  return sum(100 * square(next - square(here)) + square(1 - here));
};

}  // namespace chain_of_valleys
