#include <etch/base/finite.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace etch;

// Written as bits where they are looked at: under -ffast-math even a function that returns a NaN returns anything.
template <class T, class Bits>
void set_bits(T& x, Bits bits) {
  static_assert(sizeof x == sizeof bits);
  std::memcpy(&x, &bits, sizeof x);
}

TEST_CASE("every entry is looked at, in registers and behind them") {
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<float> x(n, 3.4e38f);
    std::vector<double> y(n, -1.79e308);
    CHECK(run::all_finite(x.data(), n));
    CHECK(run::all_finite(y.data(), n));
    for (std::size_t i = 0; i < n; ++i) {
      set_bits(x[i], std::uint32_t{0x7f800001}), set_bits(y[i], std::uint64_t{0xfff0000000000000});
      CHECK(!run::all_finite(x.data(), n));
      CHECK(!run::all_finite(y.data(), n));
      x[i] = 1e-45f, y[i] = 5e-324;
    }
    CHECK(run::all_finite(x.data(), n));
    CHECK(run::all_finite(y.data(), n));
  }
}

TEST_CASE("infinities are no NaN") {
  double x = 0;
  for (std::uint64_t bits : {0x7ff0000000000001u, 0x7ff8000000000000u, 0xffffffffffffffffu}) {
    set_bits(x, bits);
    CHECK(run::is_nan(x));
  }
  for (std::uint64_t bits : {0x7ff0000000000000u, 0xfff0000000000000u, 0x7fefffffffffffffu, 0x8000000000000000u}) {
    set_bits(x, bits);
    CHECK(!run::is_nan(x));
  }
}

}  // namespace
