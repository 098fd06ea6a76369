#include <etch/compile/destination.hpp>

#include <doctest/doctest.h>

#include <type_traits>

TEST_CASE("a destination refers to the targets in order") {
  float a = 1;
  double b = 2;
  auto const over = etch::into(a, b);
  auto const onto = etch::add_to(b);
  static_assert(std::is_same_v<decltype(over.targets), std::tuple<float&, double&>>);
  static_assert(!std::is_same_v<decltype(etch::into(b)), decltype(etch::add_to(b))>);
  CHECK(&std::get<0>(over.targets) == &a);
  CHECK(&std::get<1>(over.targets) == &b);
  CHECK(&std::get<0>(onto.targets) == &b);
}
