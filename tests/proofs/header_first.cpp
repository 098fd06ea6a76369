// Programs compile whichever header a unit includes first: clang instantiates what a constexpr function calls where
// that function stands, and has to find it defined there.
#include <etch/op/image/pool.hpp>
#include <etch/etch.hpp>

#include <doctest/doctest.h>

TEST_CASE("a program compiles behind a header of one op") {
  auto const f = [](auto x, auto w) { return sum(cwise_product(w, etch::max_pool<2>(etch::relu(x)))); };
  etch::tensor<double, 6, 4, 2, 5> x;
  etch::tensor<double, 3, 2, 2, 5> w;
  for (std::size_t i = 0; i < 240; ++i) x[i] = static_cast<double>(i);
  for (std::size_t i = 0; i < 60; ++i) w[i] = 2;
  auto const g = etch::grad(f)(x, w);
  double sum = 0;
  for (std::size_t i = 0; i < 240; ++i) sum += g[i];
  CHECK(sum == 120);
}
