// returned_constants: functions given to loops, maps and derivatives may return numbers and constants,
// and are given constants to begin with.
#pragma once

#include <etch/etch.hpp>

#include <doctest/doctest.h>

namespace returned_constants {

using namespace etch;

template <class T>
struct arguments {
  tensor<T, 3, 4> xs;
  tensor<T, 3> v{1, 2, 3};
  arguments() {
    for (std::size_t i = 0; i < 12; ++i) xs.data()[i] = static_cast<T>(i) / 8;
  }
};

/// `f` as a program and on a tape: its value is `value`, its gradient `slope` everywhere.
template <class T, class A>
void check(auto f, A const& x, double value, double slope) {
  auto const found = value_and_grad(f)(x);
  auto const taped = dynamic::value_and_grad(f)(x);
  static_assert(std::is_same_v<decltype(found.value), T> && std::is_same_v<decltype(taped.value), T>);
  CHECK(found.value == doctest::Approx(value));
  CHECK(taped.value == doctest::Approx(value));
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(found.grad.data()[i] == doctest::Approx(slope));
    CHECK(taped.grad.data()[i] == doctest::Approx(slope));
  }
  tape<T> t;
  auto const w = t.watch(x);
  var<T> const applied = t.apply(f, w);
  CHECK(t.backward(applied) == doctest::Approx(value));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(t.grad(w).data()[i] == doctest::Approx(slope));
}

}  // namespace returned_constants
