#include <etch/machine/lanes.hpp>

#include "math/elementary.hpp"
#include "math/ulps.hpp"

#include <vector>

using namespace etch;

namespace {

/// Calls `f(count)` with count = 1 ... N as integral constants.
template <int N>
void for_counts(auto f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, I + 1>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

/// Calls `f` with every register of `T`: the widest one, its half, and so on down to 16 bytes.
template <class T, int Width = widest<T>>
void for_registers(auto f) {
  f(lanes<T, Width>(T(0)));
  if constexpr (Width * sizeof(T) > 16) for_registers<T, Width / 2>(f);
}

template <class V>
void loads_and_stores() {
  using T = typename V::scalar_type;
  constexpr int width = V::width;
  std::vector<T> from(3 * width);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i + 1);
  for (int shift = 0; shift < width; ++shift)
    for_counts<width>([&](auto count) {
      CAPTURE(count());
      V const v = V::template load<count>(from.data() + shift);
      for (int i = 0; i < width; ++i) CHECK(v[i] == (i < count ? static_cast<T>(shift + i + 1) : T(0)));
      std::vector<T> to(static_cast<std::size_t>(3 * width), T(-1));
      v.template store<count>(to.data() + shift);
      for (int i = 0; i < 3 * width; ++i)
        CHECK(to[static_cast<std::size_t>(i)] == (i >= shift && i < shift + count ? static_cast<T>(i + 1) : T(-1)));
    });
  // Exactly as much memory as there are entries: a sanitizer sees any access beyond.
  for_counts<width>([&](auto count) {
    std::vector<T> exact(count, T(2));
    V const v = V::template load<count>(exact.data());
    (v + v).template store<count>(exact.data());
    for (T e : exact) CHECK(e == 4);
  });
}

template <class V>
void gathers_and_scatters() {
  using T = typename V::scalar_type;
  constexpr int width = V::width;
  std::vector<T> from(static_cast<std::size_t>(3 * width));
  std::vector<int> whole(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(10 * i), whole[i] = static_cast<int>(i) - 4;
  for_counts<width>([&](auto count) {
    V const v = V::template gather<count>(from.data(), 3), w = V::template gather<count>(whole.data(), 2);
    for (int i = 0; i < width; ++i) {
      CHECK(v[i] == (i < count ? static_cast<T>(30 * i) : T(0)));
      CHECK(w[i] == (i < count ? static_cast<T>(2 * i - 4) : T(0)));
    }
    std::vector<T> to(from.size(), T(-1));
    v.template scatter<count>(to.data(), 2);
    for (std::size_t i = 0; i < to.size(); ++i)
      CHECK(to[i] == (i % 2 == 0 && static_cast<int>(i / 2) < count ? static_cast<T>(15 * i) : T(-1)));
  });
  CHECK(V::template gather<width>(from.data() + 2, 0)[width - 1] == 20);
}

template <class V>
void arithmetic() {
  using T = typename V::scalar_type;
  V const n = V::count_up();
  for (int i = 0; i < V::width; ++i) {
    CHECK(n[i] == static_cast<T>(i));
    CHECK((n * n - V(T(3)))[i] == static_cast<T>(i * i - 3));
    CHECK((-n)[i] == static_cast<T>(-i));
    CHECK((V(T(1)) / (n + V(T(1))))[i] == T(1) / static_cast<T>(i + 1));
    CHECK(multiply_add(n, n, V(T(1)))[i] == static_cast<T>(i * i + 1));
    CHECK(root(n * n)[i] == static_cast<T>(i));
    CHECK(root(n)[i] == std::sqrt(static_cast<T>(i)));
    CHECK(select(n < V(T(2)), V(T(5)), n)[i] == static_cast<T>(i < 2 ? 5 : i));
    CHECK(select(n > V(T(0)), V(T(5)), n)[i] == static_cast<T>(i > 0 ? 5 : 0));
    CHECK(select(n >= V(T(1)), V(T(5)), n)[i] == static_cast<T>(i >= 1 ? 5 : i));
    CHECK(select(n == V(T(1)), V(T(5)), n)[i] == static_cast<T>(i == 1 ? 5 : i));
  }
  for (int i = 0; i < V::width; ++i) {
    CHECK(select(n <= V(T(1)), V(T(5)), n)[i] == static_cast<T>(i <= 1 ? 5 : i));
    CHECK(select(n != V(T(1)), V(T(5)), n)[i] == static_cast<T>(i != 1 ? 5 : i));
    CHECK(select((n > V(T(0))) & (n < V(T(3))), V(T(5)), n)[i] == static_cast<T>(i > 0 && i < 3 ? 5 : i));
    CHECK(select((n < V(T(1))) | (n > V(T(2))), V(T(5)), n)[i] == static_cast<T>(i < 1 || i > 2 ? 5 : i));
    CHECK(select(!(n < V(T(2))), V(T(5)), n)[i] == static_cast<T>(i >= 2 ? 5 : i));
  }
  V const nan(std::numeric_limits<T>::quiet_NaN());
  CHECK(select(nan != nan, n, V(T(7)))[1] == 1);
  CHECK(select(nan <= n, n, V(T(7)))[0] == 7);
  CHECK(select(!(nan == nan), n, V(T(7)))[1] == 1);
  CHECK(select(nan == nan, n, V(T(7)))[0] == 7);
  CHECK(select(nan < n, n, V(T(7)))[0] == 7);
  CHECK(from_bits(n, bits(n))[V::width - 1] == static_cast<T>(V::width - 1));
  CHECK(std::signbit((-V(T(0)))[0]));
}

template <class V>
void reductions() {
  using T = typename V::scalar_type;
  auto const add = [](auto a, auto b) { return a + b; };
  V const n = V::count_up() + V(T(1));
  CHECK(n.across(add) == static_cast<T>(V::width * (V::width + 1) / 2));
  for (int at = 0; at < V::width; ++at) {
    V const one = select(V::count_up() == V(static_cast<T>(at)), V(T(9)), V(T(-9)));
    CHECK(one.across([](auto a, auto b) { return math::max(a, b); }) == 9);
  }
  for_counts<V::width>([&](auto count) {
    CHECK(n.first(count, T(0)).across(add) == static_cast<T>(count * (count + 1) / 2));
    if (count < V::width) CHECK(V(std::numeric_limits<T>::quiet_NaN()).first(count, T(3))[V::width - 1] == 3);
  });
}

}  // namespace

static_assert(sizeof(lanes<float>) == sizeof(float) * lanes<float>::width);
static_assert(lanes<float>::width == 2 * lanes<double>::width && lanes<float>::width >= 4);
static_assert(width_of<float> == 1 && width_of<lanes<double>> == lanes<double>::width);
static_assert(std::is_same_v<number_of_width<float, 1>::type, float> &&
              std::is_same_v<number_of_width<float, lanes<float>::width>::type, lanes<float>>);

TEST_CASE_TEMPLATE("the first entries are loaded and stored, and no other memory is touched", T, float, double) {
  for_registers<T>([]<class V>(V) { loads_and_stores<V>(); });
}
TEST_CASE_TEMPLATE("entries apart from each other are gathered, converted and scattered", T, float, double) {
  for_registers<T>([]<class V>(V) { gathers_and_scatters<V>(); });
}
TEST_CASE_TEMPLATE("every lane computes as a scalar does", T, float, double) {
  for_registers<T>([]<class V>(V) { arithmetic<V>(); });
}
TEST_CASE_TEMPLATE("all lanes combine, in part too", T, float, double) {
  for_registers<T>([]<class V>(V) { reductions<V>(); });
}

namespace {

/// `f` lane by lane, over as many registers as `x` fills; the last is filled up with its first entry.
template <class T>
std::vector<T> in_lanes(auto f, std::vector<T> const& x, std::same_as<std::vector<T>> auto const&... more) {
  using V = lanes<T>;
  auto const whole = [&](std::vector<T> all) {
    while (all.size() % V::width != 0) all.push_back(all[0]);
    return all;
  };
  std::vector<T> y = whole(x);
  std::array<std::vector<T>, 1 + sizeof...(more)> const in{y, whole(more)...};
  for (std::size_t i = 0; i < y.size(); i += V::width) {
    if constexpr (sizeof...(more) == 0) f(V::load(&in[0][i])).store(&y[i]);
    else f(V::load(&in[0][i]), V::load(&in[1][i])).store(&y[i]);
  }
  y.resize(x.size());
  return y;
}

/// The promise of 2 ulp, in lanes among which special points stand beside ordinary ones.
template <class T>
void check_lanes(auto f, auto exact, double low, double high) {
  std::vector<T> x = ulps::special_points<T>();
  ulps::samples<T> some;
  for (int i = 0; i < 2000; ++i)
    x.push_back(some.any()), x.push_back(some.between(static_cast<T>(low), static_cast<T>(high)));
  std::shuffle(x.begin(), x.end(), some.random);
  std::vector<T> const y = in_lanes(f, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(static_cast<double>(x[i]));
    CAPTURE(static_cast<double>(y[i]));
    double const error = ulps::distance<T>(y[i], exact(static_cast<long double>(x[i])));
    CHECK(error <= 2);
    T const alone = f(x[i]);
    if (y[i] == 0) CHECK(std::signbit(alone) == std::signbit(y[i]));
  }
}
template <class T>
void check_lanes_of_two(auto f, auto exact, double low, double high) {
  std::vector<T> a, b;
  ulps::samples<T> some;
  for (T x : ulps::special_points<T>())
    for (T y : ulps::special_points<T>()) a.push_back(x), b.push_back(y);
  for (int i = 0; i < 2000; ++i) a.push_back(some.any()), b.push_back(some.any());
  for (int i = 0; i < 2000; ++i)
    a.push_back(some.between(static_cast<T>(low), static_cast<T>(high))),
        b.push_back(some.between(static_cast<T>(low), static_cast<T>(high)));
  std::vector<T> const y = in_lanes(f, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(static_cast<double>(a[i]));
    CAPTURE(static_cast<double>(b[i]));
    CAPTURE(static_cast<double>(y[i]));
    double const error = ulps::distance<T>(y[i], exact(static_cast<long double>(a[i]), static_cast<long double>(b[i])));
    CHECK(error <= 2);
    T const alone = f(a[i], b[i]);
    if (y[i] == 0) CHECK(std::signbit(alone) == std::signbit(y[i]));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("exponentials and roots of lanes are within 2 ulp", T, float, double) {
  check_lanes<T>(ours::exp, exact::exp, -80, 80);
  check_lanes<T>(ours::exp2, exact::exp2, -80, 80);
  check_lanes<T>(ours::expm1, exact::expm1, -2, 2);
  check_lanes<T>(ours::log, exact::log, 0, 2);
  check_lanes<T>(ours::log2, exact::log2, 0, 2);
  check_lanes<T>(ours::log10, exact::log10, 0, 2);
  check_lanes<T>(ours::log1p, exact::log1p, -1, 2);
  check_lanes<T>(ours::sqrt, exact::sqrt, 0, 4);
  check_lanes<T>(ours::cbrt, exact::cbrt, -9, 9);
  check_lanes<T>(
      ours::rsqrt, [](long double x) { return x == 0 ? std::copysign(INFINITY, x) : exact::rsqrt(x); }, 0, 4);
}
TEST_CASE_TEMPLATE("circular and hyperbolic functions of lanes are within 2 ulp", T, float, double) {
  check_lanes<T>(ours::sin, exact::sin, -1e4, 1e4);
  check_lanes<T>(ours::cos, exact::cos, -1e4, 1e4);
  check_lanes<T>(ours::tan, exact::tan, -1e4, 1e4);
  check_lanes<T>(ours::asin, exact::asin, -1, 1);
  check_lanes<T>(ours::acos, exact::acos, -1, 1);
  check_lanes<T>(ours::atan, exact::atan, -3, 3);
  check_lanes<T>(ours::sinh, exact::sinh, -3, 3);
  check_lanes<T>(ours::cosh, exact::cosh, -3, 3);
  check_lanes<T>(ours::tanh, exact::tanh, -3, 3);
  check_lanes<T>(ours::asinh, exact::asinh, -3, 3);
  check_lanes<T>(ours::acosh, exact::acosh, 1, 3);
  check_lanes<T>(ours::atanh, exact::atanh, -1, 1);
}
TEST_CASE_TEMPLATE("functions of two lanes are within 2 ulp", T, float, double) {
  check_lanes_of_two<T>(ours::pow, exact::pow, 0, 5);
  check_lanes_of_two<T>(ours::hypot, exact::hypot, -5, 5);
  check_lanes_of_two<T>(ours::atan2, exact::atan2, -5, 5);
  check_lanes_of_two<T>(ours::xlogy, exact::xlogy, 0, 5);
}

TEST_CASE_TEMPLATE("rounding and signs of lanes are those of scalars", T, float, double) {
  std::vector<T> x = ulps::special_points<T>();
  ulps::samples<T> some;
  for (int i = 0; i < 1000; ++i)
    x.push_back(some.any()), x.push_back(some.between(-9, 9)), x.push_back(std::round(some.between(-9, 9)) / 2);
  auto const check = [&](auto f) {
    std::vector<T> const y = in_lanes(f, x);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(ulps::exactly(y[i], f(x[i])));
  };
  check([](auto v) { return math::abs(v); });
  check([](auto v) { return math::floor(v); });
  check([](auto v) { return math::ceil(v); });
  check([](auto v) { return math::trunc(v); });
  check([](auto v) { return math::round(v); });
  check([](auto v) { return math::sign(v); });
  check([](auto v) { return math::relu(v); });
  check([](auto v) { return math::copysign(decltype(v)(T(2)), v); });
  check([](auto v) { return math::max(v, decltype(v)(T(1))); });
  check([](auto v) { return math::min(decltype(v)(T(1)), v); });
}

TEST_CASE_TEMPLATE("sums and products of lanes in two words are those of scalars", T, float, double) {
  using V = lanes<T>;
  ulps::samples<T> some;
  for (int i = 0; i < 500; ++i) {
    std::vector<T> a, b, c;
    for (int lane = 0; lane < V::width; ++lane)
      a.push_back(some.between(-1, 1)), b.push_back(some.between(-9, 9)), c.push_back(some.between(-1, 1));
    V const x = V::load(a.data()), y = V::load(b.data()), z = V::load(c.data());
    math::wide<V> const sum = math::two_sum(x * y, z), product = math::two_product(x, y);
    for (int lane = 0; lane < V::width; ++lane) {
      auto const at = static_cast<std::size_t>(lane);
      math::wide<T> const p = math::two_product(a[at], b[at]),
                          s = math::two_sum(ulps::at_run_time(a[at] * b[at]), c[at]);
      CHECK((product.high[lane] == p.high && product.low[lane] == p.low));
      CHECK((sum.high[lane] == s.high && sum.low[lane] == s.low));
    }
  }
}

TEST_CASE("floats are computed with in double, half a register at a time where it is the widest") {
  for_registers<float>([]<class V>(V) {
    V const n = V::count_up() + V(1.0f);
    V const y = in_double([](auto a, auto b) { return a / b - decltype(a)(1e-9); }, V(1.0f), n);
    for (int i = 0; i < V::width; ++i) CHECK(y[i] == static_cast<float>(1.0 / (i + 1) - 1e-9));
  });
  lanes<double> const d = in_double([](auto a) { return a + a; }, lanes<double>::count_up());
  CHECK(d[1] == 2);
}

TEST_CASE_TEMPLATE("one lane beyond a limit is computed apart, whatever stands beside it", T, float, double) {
  using V = lanes<T>;
  for (int at = 0; at < V::width; ++at)
    for (T const other : {T(1), ulps::undefined<T>, -ulps::inf<T>}) {
      V const x = select(V::count_up() == V(static_cast<T>(at)), V(T(100)), V(other));
      V const y = beyond(x, V(T(50)), V(T(-1)), [](T one) { return one * 2; });
      CHECK(y[at] == 200);
      CHECK((other == 1 ? y[(at + 1) % V::width] == -1 : !(y[(at + 1) % V::width] == -1)));
    }
  CHECK(beyond(V(T(50)), V(T(50)), V(T(-1)), [](T one) { return one; })[0] == -1);
}
