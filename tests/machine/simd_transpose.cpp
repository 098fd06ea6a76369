#include <etch/machine/simd_transpose.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <class T, int Side>
void check() {
  CAPTURE(Side);
  T from[Side * Side], to[Side * Side];
  for (int i = 0; i < Side * Side; ++i) from[i] = static_cast<T>(i);
  run::simd_square<T, Side> s;
  for (int r = 0; r < Side; ++r) s.load(r, from + r * Side);
  s.transpose();
  for (int r = 0; r < Side; ++r) s.store(r, to + r * Side);
  int wrong = 0;
  for (int i = 0; i < Side; ++i)
    for (int j = 0; j < Side; ++j) wrong += to[i * Side + j] != from[j * Side + i];
  CHECK(wrong == 0);

  for (int r = 0; r < Side; ++r) s.load(r, from + r * Side);
  T sums[Side];
  s.store_sums(sums);
  for (int r = 0; r < Side; ++r) {
    T expected = 0;
    for (int i = 0; i < Side; ++i) expected += from[r * Side + i];
    wrong += sums[r] != expected;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("rows become columns, and are added up") {
  check<float, 4>();
  check<float, 8>();
  check<float, 16>();
  check<double, 2>();
  check<double, 4>();
  check<double, 8>();
}
