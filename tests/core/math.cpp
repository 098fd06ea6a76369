#include <etch/core/math.hpp>

#include <doctest/doctest.h>

#include <array>
#include <random>

// The truth is the C library's function in long double, 64 bits of mantissa.
namespace {

using namespace etch;

template <class T>
using limits = std::numeric_limits<T>;

/// Distance of `got` from the exact value `want`, in units of the last place of a T at `want`. NaN is at distance 0 from NaN alone.
template <class T>
double ulps(T got, long double want) {
  constexpr double far = 1e9;
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : far;
  T const nearest = static_cast<T>(want);
  if (std::isinf(got) || std::isinf(nearest)) return got == nearest ? 0 : far;
  int exponent = limits<T>::min_exponent;
  if (want != 0) std::frexp(want, &exponent);
  long double const unit = std::ldexp(1.0L, std::max(exponent, limits<T>::min_exponent) - limits<T>::digits);
  return static_cast<double>(std::abs(static_cast<long double>(got) - want) / unit);
}

TEST_CASE_TEMPLATE("the measure of these tests counts neighbours, also where numbers are subnormal", T, float, double) {
  CHECK(ulps(T(1), 1.0L) == 0);
  CHECK(ulps(std::nextafter(T(1), T(2)), 1.0L) == 1);
  CHECK(ulps(std::nextafter(T(-8), T(-9)), -8.0L) == 1);
  CHECK(ulps(T(0), static_cast<long double>(limits<T>::denorm_min())) == 1);
  CHECK(ulps(limits<T>::min(), static_cast<long double>(limits<T>::min() - limits<T>::denorm_min())) == 1);
  CHECK(ulps(limits<T>::quiet_NaN(), 0.0L) > 3);
  CHECK(ulps(T(0), static_cast<long double>(limits<T>::quiet_NaN())) > 3);
  CHECK(ulps(limits<T>::infinity(), 1.0L) > 3);
}

struct worst_case {
  double error;
  long double at;
};

/// The largest error of `ours` against `exact` over [low, high]: points spread evenly, and points of every magnitude.
template <class T>
worst_case worst(T low, T high, auto ours, auto exact) {
  std::mt19937_64 random(12345);
  auto const unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  worst_case found{0, 0};
  auto const look = [&](T x) {
    if (!(x >= low && x <= high)) return;
    T const kept = *static_cast<T volatile*>(&x);  // computed at run time
    double const error = ulps(ours(kept), exact(static_cast<long double>(kept)));
    if (error > found.error) found = {error, static_cast<long double>(kept)};
  };
  for (int i = 0; i < 60000; ++i)
    look(static_cast<T>(static_cast<double>(low) + unit() * (static_cast<double>(high) - static_cast<double>(low))));
  for (int i = 0; i < 40000; ++i) {
    double const exponent =
        limits<T>::min_exponent - limits<T>::digits + unit() * (limits<T>::max_exponent - limits<T>::min_exponent + limits<T>::digits);
    T const magnitude = static_cast<T>(std::ldexp(1 + unit(), static_cast<int>(exponent) - 1));
    look(random() % 2 == 0 ? magnitude : -magnitude);
  }
  look(low);
  look(high);
  return found;
}

#define ETCH_TEST_WITHIN(limit, ...)                 \
  do {                                               \
    worst_case const found_ = worst<T>(__VA_ARGS__); \
    CAPTURE(static_cast<double>(found_.at));         \
    CHECK(found_.error <= limit);                    \
  } while (false)

TEST_CASE_TEMPLATE("exp is within 3 ulp, down into the subnormal results", T, float, double) {
  T const high = sizeof(T) == 4 ? T(88.72) : T(709.78), low = sizeof(T) == 4 ? T(-110) : T(-760);
  ETCH_TEST_WITHIN(
      3, low, high, [](T x) { return math::exp(x); }, [](long double x) { return std::exp(x); });
  ETCH_TEST_WITHIN(
      3, T(-2), T(2), [](T x) { return math::exp(x); }, [](long double x) { return std::exp(x); });
}
TEST_CASE_TEMPLATE("log is within 3 ulp for all positive numbers", T, float, double) {
  ETCH_TEST_WITHIN(
      3, limits<T>::denorm_min(), limits<T>::max(), [](T x) { return math::log(x); }, [](long double x) { return std::log(x); });
  ETCH_TEST_WITHIN(
      3, T(0.4), T(2.5), [](T x) { return math::log(x); }, [](long double x) { return std::log(x); });
}
TEST_CASE_TEMPLATE("sqrt is correctly rounded for all positive numbers", T, float, double) {
  ETCH_TEST_WITHIN(
      0.5000001, T(0), limits<T>::max(), [](T x) { return math::sqrt(x); }, [](long double x) { return std::sqrt(x); });
  ETCH_TEST_WITHIN(
      0.5000001, T(0), T(4), [](T x) { return math::sqrt(x); }, [](long double x) { return std::sqrt(x); });
}
TEST_CASE_TEMPLATE("tanh is within 3 ulp", T, float, double) {
  ETCH_TEST_WITHIN(
      3, T(-25), T(25), [](T x) { return math::tanh(x); }, [](long double x) { return std::tanh(x); });
  ETCH_TEST_WITHIN(
      3, T(-1), T(1), [](T x) { return math::tanh(x); }, [](long double x) { return std::tanh(x); });
}
TEST_CASE_TEMPLATE("sigmoid is within 3 ulp, also where it is subnormal", T, float, double) {
  T const width = sizeof(T) == 4 ? T(103) : T(745);
  auto const exact = [](long double x) { return 1 / (1 + std::exp(-x)); };
  ETCH_TEST_WITHIN(
      3, -width, width, [](T x) { return math::sigmoid(x); }, exact);
  ETCH_TEST_WITHIN(
      3, T(-20), T(20), [](T x) { return math::sigmoid(x); }, exact);
}
TEST_CASE_TEMPLATE("sin and cos are within 3 ulp, near their zeros and at large arguments too", T, float, double) {
  auto const sine = [](T x) { return math::sin(x); };
  auto const cosine = [](T x) { return math::cos(x); };
  auto const exact_sine = [](long double x) { return std::sin(x); };
  auto const exact_cosine = [](long double x) { return std::cos(x); };
  for (T const width : {T(4), T(100), T(8192), T(524288), T(1e10)}) {
    CAPTURE(width);
    ETCH_TEST_WITHIN(3, -width, width, sine, exact_sine);
    ETCH_TEST_WITHIN(3, -width, width, cosine, exact_cosine);
  }
  worst_case near_sine{0, 0}, near_cosine{0, 0};
  for (int n = -5000; n <= 5000; ++n) {
    T const x = static_cast<T>(n * 1.57079632679489661923L);
    double const s = ulps(math::sin(x), std::sin(static_cast<long double>(x))),
                 c = ulps(math::cos(x), std::cos(static_cast<long double>(x)));
    if (s > near_sine.error) near_sine = {s, static_cast<long double>(x)};
    if (c > near_cosine.error) near_cosine = {c, static_cast<long double>(x)};
  }
  CAPTURE(static_cast<double>(near_sine.at));
  CAPTURE(static_cast<double>(near_cosine.at));
  CHECK(near_sine.error <= 3);
  CHECK(near_cosine.error <= 3);
  T volatile const large = T(1e10);
  CHECK(ulps(math::sin(T(large)), std::sin(static_cast<long double>(large))) <= 3);
  CHECK(ulps(math::cos(T(large)), std::cos(static_cast<long double>(large))) <= 3);
}

/// Whether `got` is `want` to the sign of zero.
template <class T>
bool exactly(T got, T want) {
  return std::isnan(want) ? std::isnan(got) : got == want && std::signbit(got) == std::signbit(want);
}

template <class T>
struct specials {
  T volatile zero = 0, minus_zero = -T(0), infinity = limits<T>::infinity(), minus_infinity = -limits<T>::infinity(),
             nan = limits<T>::quiet_NaN();
  T volatile smallest = limits<T>::denorm_min(), largest = limits<T>::max(), one = 1;
};

TEST_CASE_TEMPLATE("exp at the special values", T, float, double) {
  specials<T> const x;
  CHECK(exactly<T>(math::exp(T(x.zero)), 1));
  CHECK(exactly<T>(math::exp(T(x.minus_zero)), 1));
  CHECK(exactly<T>(math::exp(T(x.smallest)), 1));
  CHECK(exactly<T>(math::exp(T(x.infinity)), x.infinity));
  CHECK(exactly<T>(math::exp(T(x.largest)), x.infinity));
  CHECK(exactly<T>(math::exp(T(x.minus_infinity)), 0));
  CHECK(exactly<T>(math::exp(-T(x.largest)), 0));
  CHECK(std::isnan(math::exp(T(x.nan))));
  CHECK(std::isnan(math::exp(-T(x.nan))));
  T volatile const over = sizeof(T) == 4 ? T(88.73) : T(709.79);
  CHECK(exactly<T>(math::exp(T(over)), x.infinity));
}
TEST_CASE_TEMPLATE("log at the special values", T, float, double) {
  specials<T> const x;
  CHECK(exactly<T>(math::log(T(x.one)), 0));
  CHECK(exactly<T>(math::log(T(x.zero)), x.minus_infinity));
  CHECK(exactly<T>(math::log(T(x.minus_zero)), x.minus_infinity));
  CHECK(exactly<T>(math::log(T(x.infinity)), x.infinity));
  CHECK(ulps(math::log(T(x.smallest)), std::log(static_cast<long double>(x.smallest))) <= 1);
  for (T const negative : {-T(x.one), -T(x.smallest), -T(x.largest), T(x.minus_infinity), T(x.nan), -T(x.nan), T(-1e-8), T(-1e-30)})
    CHECK(std::isnan(math::log(negative)));
}
TEST_CASE_TEMPLATE("sqrt at the special values", T, float, double) {
  specials<T> const x;
  CHECK(exactly<T>(math::sqrt(T(x.zero)), 0));
  CHECK(exactly<T>(math::sqrt(T(x.minus_zero)), -T(0)));
  CHECK(exactly<T>(math::sqrt(T(x.infinity)), x.infinity));
  for (T const negative : {-T(x.one), -T(x.smallest), T(x.minus_infinity), T(x.nan)}) CHECK(std::isnan(math::sqrt(negative)));
}
TEST_CASE_TEMPLATE("sin and cos at the special values", T, float, double) {
  specials<T> const x;
  CHECK(exactly<T>(math::sin(T(x.zero)), 0));
  CHECK(exactly<T>(math::sin(T(x.smallest)), x.smallest));
  CHECK(exactly<T>(math::sin(-T(x.smallest)), -x.smallest));
  CHECK(exactly<T>(math::cos(T(x.zero)), 1));
  CHECK(exactly<T>(math::cos(T(x.minus_zero)), 1));
  CHECK(exactly<T>(math::cos(T(x.smallest)), 1));
  for (T const undefined : {T(x.infinity), T(x.minus_infinity), T(x.nan)}) {
    CHECK(std::isnan(math::sin(undefined)));
    CHECK(std::isnan(math::cos(undefined)));
  }
}
TEST_CASE_TEMPLATE("tanh and sigmoid at the special values", T, float, double) {
  specials<T> const x;
  CHECK(exactly<T>(math::tanh(T(x.zero)), 0));
  CHECK(exactly<T>(math::tanh(T(x.smallest)), x.smallest));
  CHECK(exactly<T>(math::tanh(-T(x.smallest)), -x.smallest));
  CHECK(exactly<T>(math::tanh(T(x.infinity)), 1));
  CHECK(exactly<T>(math::tanh(T(x.minus_infinity)), -1));
  CHECK(exactly<T>(math::tanh(T(x.largest)), 1));
  CHECK(exactly<T>(math::tanh(-T(x.largest)), -1));
  CHECK(std::isnan(math::tanh(T(x.nan))));
  CHECK(exactly<T>(math::sigmoid(T(x.zero)), T(0.5)));
  CHECK(exactly<T>(math::sigmoid(T(x.minus_zero)), T(0.5)));
  CHECK(exactly<T>(math::sigmoid(T(x.infinity)), 1));
  CHECK(exactly<T>(math::sigmoid(T(x.minus_infinity)), 0));
  CHECK(exactly<T>(math::sigmoid(T(x.largest)), 1));
  CHECK(exactly<T>(math::sigmoid(-T(x.largest)), 0));
  CHECK(std::isnan(math::sigmoid(T(x.nan))));
}
TEST_CASE_TEMPLATE("odd functions keep the sign of zero", T, float, double) {
  specials<T> const x;
  CHECK(exactly<T>(math::sin(T(x.minus_zero)), -T(0)));
  CHECK(exactly<T>(math::tanh(T(x.minus_zero)), -T(0)));
}
TEST_CASE_TEMPLATE("relu, max, choose and indicator at the special values", T, float, double) {
  specials<T> const x;
  CHECK(math::relu(T(x.minus_zero)) == 0);
  CHECK(math::relu(-T(x.smallest)) == 0);
  CHECK(math::relu(T(x.smallest)) == x.smallest);
  CHECK(math::relu(T(x.minus_infinity)) == 0);
  CHECK(math::relu(T(x.infinity)) == x.infinity);
  CHECK(std::isnan(math::relu(T(x.nan))));
  CHECK(math::max(T(2), T(-3)) == 2);
  CHECK(math::max(T(-3), T(2)) == 2);
  CHECK(math::max(T(2), T(2)) == 2);
  CHECK(math::max(T(x.minus_infinity), T(x.minus_infinity)) == x.minus_infinity);
  CHECK(math::max(T(x.infinity), T(1)) == x.infinity);
  CHECK(std::isnan(math::max(T(1), T(x.nan))));
  CHECK(std::isnan(math::max(T(x.nan), T(1))));
  CHECK(std::isnan(math::max(T(x.nan), T(x.infinity))));
  CHECK(std::isnan(math::max(T(x.minus_infinity), T(x.nan))));
  CHECK(math::choose(T(0), T(1), T(2)) == 2);
  CHECK(math::choose(-T(0), T(1), T(2)) == 2);
  CHECK(math::choose(T(x.smallest), T(1), T(2)) == 1);
  CHECK(math::choose(T(1), T(5), T(x.nan)) == 5);
  CHECK(math::indicator(true, T(9)) == 1);
  CHECK(math::indicator(false, T(x.nan)) == 0);
}

// Constant evaluation runs the same formulas; only contraction to fma may move it by an ulp.
template <class T>
inline constexpr std::array<T, 16> points{T(1e-30), T(1e-9), T(1e-3), T(0.05),    T(0.3), T(0.5), T(0.69), T(0.9),
                                          T(1),     T(1.3),  T(2.5),  T(3.14159), T(7.7), T(13),  T(20),   T(40)};
template <class T>
constexpr std::array<T, 32> on_both_sides(auto f) {
  std::array<T, 32> y{};
  for (std::size_t i = 0; i < 16; ++i) {
    y[2 * i] = f(points<T>[i]);
    y[2 * i + 1] = f(-points<T>[i]);
  }
  return y;
}
template <class T>
constexpr std::array<T, 16> on_positive(auto f) {
  std::array<T, 16> y{};
  for (std::size_t i = 0; i < 16; ++i) y[i] = f(points<T>[i]);
  return y;
}
/// The largest distance between constants and what `f` gives at run time, in ulp.
template <std::size_t Sides, class T, std::size_t N>
double drift(std::array<T, N> const& constants, auto f) {
  double largest = 0;
  for (std::size_t i = 0; i < N; ++i) {
    T volatile const x = i % Sides == 0 ? points<T>[i / Sides] : -points<T>[i / Sides];
    largest = std::max(largest, ulps(f(T(x)), static_cast<long double>(constants[i])));
  }
  return largest;
}

TEST_CASE_TEMPLATE("constant evaluation gives what run time gives", T, float, double) {
  constexpr auto exp = [](T x) { return math::exp(x); };
  constexpr auto log = [](T x) { return math::log(x); };
  constexpr auto sqrt = [](T x) { return math::sqrt(x); };
  constexpr auto sin = [](T x) { return math::sin(x); };
  constexpr auto cos = [](T x) { return math::cos(x); };
  constexpr auto tanh = [](T x) { return math::tanh(x); };
  constexpr auto sigmoid = [](T x) { return math::sigmoid(x); };
  constexpr auto exps = on_both_sides<T>(exp), sins = on_both_sides<T>(sin), coss = on_both_sides<T>(cos), tanhs = on_both_sides<T>(tanh),
                 sigmoids = on_both_sides<T>(sigmoid);
  constexpr auto logs = on_positive<T>(log), sqrts = on_positive<T>(sqrt);
  CHECK(drift<2>(exps, exp) <= 2);
  CHECK(drift<2>(sins, sin) <= 2);
  CHECK(drift<2>(coss, cos) <= 2);
  CHECK(drift<2>(tanhs, tanh) <= 2);
  CHECK(drift<2>(sigmoids, sigmoid) <= 2);
  CHECK(drift<1>(logs, log) <= 2);
  CHECK(drift<1>(sqrts, sqrt) == 0);
}

template <class T>
constexpr bool special_constants =
    math::exp(T(0)) == 1 && math::exp(-limits<T>::infinity()) == 0 && math::exp(-limits<T>::max()) == 0 &&
    math::log(T(0)) == -limits<T>::infinity() && math::log(limits<T>::infinity()) == limits<T>::infinity() &&
    math::sqrt(limits<T>::infinity()) == limits<T>::infinity() && math::sqrt(T(0)) == 0 && math::sin(T(0)) == 0 && math::cos(T(0)) == 1 &&
    math::tanh(T(0)) == 0 && math::sigmoid(T(0)) == T(0.5) && math::sigmoid(-limits<T>::infinity()) == 0 &&
    math::sigmoid(limits<T>::infinity()) == 1 && math::relu(T(-2)) == 0 && math::relu(T(2)) == 2 && math::max(T(1), T(2)) == 2;
static_assert(special_constants<float> && special_constants<double>);

TEST_CASE_TEMPLATE("square roots of constants are right at both ends of the range", T, float, double) {
  constexpr T smallest = math::sqrt(limits<T>::denorm_min()), least = math::sqrt(limits<T>::min()), two = math::sqrt(T(2)),
              large = math::sqrt(limits<T>::max() / 4);
  CHECK(smallest == std::sqrt(limits<T>::denorm_min()));
  CHECK(least == std::sqrt(limits<T>::min()));
  CHECK(two == std::sqrt(T(2)));
  CHECK(ulps(large, std::sqrt(static_cast<long double>(limits<T>::max() / 4))) <= 1);
}

TEST_CASE_TEMPLATE("square roots of constants are rounded once", T, float, double) {
  // The root lies just below the middle between two neighbours; rounded to 64 bits first, it is the middle.
  constexpr T largest = math::sqrt(limits<T>::max());
  CHECK(largest == std::sqrt(limits<T>::max()));
}

/// Whether the stateless `f` can be evaluated by the compiler.
template <class F>
concept constant_expression = requires {
  typename std::bool_constant<(static_cast<void>(F{}()), true)>;
};
static_assert(constant_expression<decltype([] { return math::exp(1.0); })>);

TEST_CASE_TEMPLATE("every finite argument with a finite answer can be a constant", T, float, double) {
  CHECK(constant_expression<decltype([] { return math::exp(T(-1000)); })>);
  CHECK(constant_expression<decltype([] { return math::log(limits<T>::max()); })>);
  CHECK(constant_expression<decltype([] { return math::tanh(T(47)); })>);
  CHECK(constant_expression<decltype([] { return math::tanh(T(1e30)); })>);
  CHECK(constant_expression<decltype([] { return math::tanh(-limits<T>::max()); })>);
  CHECK(constant_expression<decltype([] { return math::sigmoid(limits<T>::max()); })>);
  CHECK(constant_expression<decltype([] { return math::sigmoid(-limits<T>::max()); })>);
}

TEST_CASE_TEMPLATE("the logarithm of a negative constant or zero is no arithmetic overflow", T, float, double) {
  CHECK(constant_expression<decltype([] { return math::log(T(-1)); })>);
  CHECK(constant_expression<decltype([] { return math::log(T(-1e-30)); })>);
  CHECK(constant_expression<decltype([] { return math::log(-T(0)); })>);
}

}  // namespace
