// A loop that a counter stops after three of its five steps, and the three steps.
#pragma once

#include <etch/etch.hpp>

namespace three_steps {

using namespace etch;

constexpr auto counted = [](auto x) {
  return std::get<0>(
      while_loop<5>([](auto c) { return std::get<1>(c) < 3.0; },
                    [](auto c) { return std::tuple(sin(std::get<0>(c)) * std::get<0>(c), std::get<1>(c) + 1.0); },
                    std::tuple(x, 0.0 * x)));
};
constexpr auto three = [](auto x) { return repeat<3>([](auto c) { return sin(c) * c; }, x); };

}  // namespace three_steps
