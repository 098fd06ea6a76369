#include <etch/math/as_written.hpp>
#include <etch/machine/lanes.hpp>

#include "math/ulps.hpp"

using namespace etch;

// With -ffast-math the same is tested by tests/accuracy/fast_math.cpp, for every function that depends on it.
TEST_CASE_TEMPLATE("a sum that is computed as written rounds in between, at run time and in constants", T, float,
                   double) {
  T const big = T(2) / ulps::limits<T>::epsilon(), third = ulps::at_run_time(T(1) / 3);
  CHECK(math::as_written(big + third) - big == 0);
  CHECK(math::settled(third * third) == third * third);
  static_assert(math::as_written(T(3) + T(4)) - T(3) == 4 && math::settled(T(2)) == 2);
#if !defined(EIGEN_DONT_VECTORIZE)
  using L = lanes<T>;
  CHECK((as_written(L(big) + L(third)) - L(big))[L::width - 1] == 0);
#endif
}

TEST_CASE_TEMPLATE("a quotient has the digits of a division, for divisors of any size", T, float, double) {
  ulps::samples<T> some;
  for (int i = 0; i < 1000; ++i) {
    T const a = some.any(), b = some.any();
    CHECK(ulps::distance<T>(math::quotient(ulps::at_run_time(a), b),
                            static_cast<long double>(a) / static_cast<long double>(b)) <= 0.5001);
  }
  static_assert(math::quotient(T(6), T(4)) == T(1.5));
}
