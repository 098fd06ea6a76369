#include <etch/op/elementwise.hpp>
#include <etch/op/reduce.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

namespace {

/// Every kind of number there is: halves, neighbours of halves and of integers, numbers too large for
/// a fraction, the ends of the range.
template <class T>
std::vector<T> awkward() {
  constexpr T whole = T(1) / std::numeric_limits<T>::epsilon();  // from here on every number is an integer
  std::vector<T> x{0,
                   T(0.25),
                   T(0.5),
                   1,
                   T(1.5),
                   T(2.5),
                   3,
                   T(1e5) + T(0.5),
                   whole / 2 - T(0.5),
                   whole / 2 + T(0.5),
                   whole - 1,
                   whole,
                   whole + 1,
                   3 * whole,
                   std::numeric_limits<T>::max(),
                   std::numeric_limits<T>::min(),
                   std::numeric_limits<T>::denorm_min(),
                   infinity<T>,
                   not_a_number<T>};
  for (T const middle : {T(0.5), T(1), T(1.5), T(2), T(1024.5)}) {
    x.push_back(std::nextafter(middle, T(0)));
    x.push_back(std::nextafter(middle, infinity<T>));
  }
  std::size_t const n = x.size();
  for (std::size_t i = 0; i < n; ++i) x.push_back(-x[i]);
  return x;
}

template <class T>
double sign_of(T x) {
  return std::isnan(x) ? not_a_number<double> : (x > 0) - (x < 0);
}

}  // namespace

static_assert(op::floor::value(-0.5) == -1 && op::ceil::value(-0.5f) == 0 && op::round::value(-2.5) == -3 &&
              op::round::value(0.5f) == 1);
static_assert(op::sign::value(-3.0) == -1 && op::sign::value(0.0) == 0 && op::abs::value(-0.25f) == 0.25f);

TEST_CASE("rounding, sign and magnitude are those of the C library") {
  in_all_sizes([]<class T, int N>() {
    std::vector<T> const values = awkward<T>();
    tensor<T, N> x;
    auto down = compile<wrt<>>([](auto a) { return floor(a); }, x);
    auto up = compile<wrt<>>([](auto a) { return ceil(a); }, x);
    auto near = compile<wrt<>>([](auto a) { return round(a); }, x);
    auto size = compile<wrt<>>([](auto a) { return abs(a); }, x);
    auto side = compile<wrt<>>([](auto a) { return sign(a); }, x);
    for (std::size_t shift = 0; shift < values.size(); ++shift) {
      x = repeated<T, N>(values, shift);
      down(x), up(x), near(x), size(x), side(x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        CAPTURE(x[i]);
        CHECK(same(down.value()[i], std::floor(x[i])));
        CHECK(same(up.value()[i], std::ceil(x[i])));
        CHECK(same(near.value()[i], std::round(x[i])));
        CHECK(same(size.value()[i], std::abs(x[i])));
        CHECK(same(side.value()[i], sign_of(x[i])));
      }
    }
  });
}

TEST_CASE("zeros keep the sign that the C library gives them") {
  tensor<double, 4> const x{-0.0, -0.25, 0.25, 0.0};
  auto const signs = [&](auto f) {
    auto program = compile<wrt<>>(f, x);
    program(x);
    int bits = 0;
    for (int i = 0; i < 4; ++i) bits |= std::signbit(program.value()[static_cast<std::size_t>(i)]) << i;
    return bits;
  };
  CHECK(signs([](auto a) { return round(a); }) == 0b0011);
  CHECK(signs([](auto a) { return ceil(a); }) == 0b0011);
  CHECK(signs([](auto a) { return floor(a); }) == 0b0011);
  CHECK(signs([](auto a) { return abs(a); }) == 0);
}

TEST_CASE("the gradient of abs is the sign, that of steps 0") {
  in_all_sizes([]<class T, int N>() {
    std::vector<T> const values = awkward<T>();
    for (std::size_t shift = 0; shift < values.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(values, shift);
      auto const slopes = grad([](auto a) { return sum(abs(a)); })(x);
      auto const flat =
          grad<wrt<0>, allow_unused>([](auto a) { return sum(floor(a) + ceil(a) + round(a) + sign(a)); })(x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(same(slopes[i], sign_of(x[i])));
        CHECK(flat[i] == 0);
      }
    }
  });
}
