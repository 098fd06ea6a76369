// nested_constants: a loss whose loops begin with constants against its steps one after the other.
#pragma once

#include <etch/etch.hpp>

#include "transform/loops.hpp"

#include <doctest/doctest.h>

namespace nested_constants {

using namespace etch;

/// `Loss{}(loops, w, at)`, where `at(c)` is the constant c, or a traced value that is the same.
template <class Loss, class Loops, bool IsTraced>
struct beginning {
  constexpr auto operator()(auto const& w) const {
    auto const at = [&](auto const& c) {
      if constexpr (IsTraced) return c + 0 * w;
      else return c;
    };
    if constexpr (requires { Loss{}(Loops{}, w, at); }) return Loss{}(Loops{}, w, at);
    else return Loss{}(Loops{}, w);
  }
};

/// The loss as a program, as a constant, on a tape and as a block is what its steps are one after the other.
template <class Loss>
void check(Loss) {
  using looped = beginning<Loss, loops::looped<keep_all_t>, false>;
  using unrolled = beginning<Loss, loops::unrolled, true>;
  auto const expected = value_and_grad(unrolled{})(0.75), found = value_and_grad(looped{})(0.75),
             taped = dynamic::value_and_grad(looped{})(0.75);
  constexpr auto constant = value_and_grad(looped{})(0.75);
  for (auto const& each : {found, taped, constant}) {
    CHECK(each.value == doctest::Approx(expected.value).epsilon(1e-12));
    CHECK(each.grad == doctest::Approx(expected.grad).epsilon(1e-12));
  }
}

}  // namespace nested_constants
