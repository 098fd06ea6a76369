#include <etch/run/lanes.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

/// Calls `f(count)` with count = 1 ... N as integral constants.
template <int N>
void for_counts(auto f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I + 1>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

template <class T>
void loads_and_stores() {
  using V = lanes<T>;
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

template <class T>
void gathers_and_scatters() {
  using V = lanes<T>;
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

template <class T>
void arithmetic() {
  using V = lanes<T>;
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
  V const nan(std::numeric_limits<T>::quiet_NaN());
  CHECK(select(nan == nan, n, V(T(7)))[0] == 7);
  CHECK(select(nan < n, n, V(T(7)))[0] == 7);
  CHECK(from_bits(n, bits(n))[V::width - 1] == static_cast<T>(V::width - 1));
  CHECK(std::signbit((-V(T(0)))[0]));
}

template <class T>
void reductions() {
  using V = lanes<T>;
  auto const add = [](auto a, auto b) { return a + b; };
  V const n = V::count_up() + V(T(1));
  CHECK(n.across(add) == static_cast<T>(V::width * (V::width + 1) / 2));
  for (int at = 0; at < V::width; ++at) {
    V const one = select(V::count_up() == V(static_cast<T>(at)), V(T(9)), V(T(-9)));
    CHECK(one.across([](auto a, auto b) { return math::max(a, b); }) == 9);
  }
  for_counts<V::width>([&](auto count) {
    CHECK(n.template first<count>(T(0)).across(add) == static_cast<T>(count * (count + 1) / 2));
    if (count < V::width) CHECK(V(std::numeric_limits<T>::quiet_NaN()).template first<count>(T(3))[V::width - 1] == 3);
  });
}

}  // namespace

static_assert(sizeof(lanes<float>) == sizeof(float) * lanes<float>::width);
static_assert(lanes<float>::width == 2 * lanes<double>::width && lanes<float>::width >= 4);
static_assert(width_of<float> == 1 && width_of<lanes<double>> == lanes<double>::width);
static_assert(std::is_same_v<number_of_width<float, 1>::type, float> &&
              std::is_same_v<number_of_width<float, lanes<float>::width>::type, lanes<float>>);

TEST_CASE("the first entries are loaded and stored, and no other memory is touched") {
  loads_and_stores<float>(), loads_and_stores<double>();
}
TEST_CASE("entries apart from each other are gathered, converted and scattered") {
  gathers_and_scatters<float>(), gathers_and_scatters<double>();
}
TEST_CASE("every lane computes as a scalar does") { arithmetic<float>(), arithmetic<double>(); }
TEST_CASE("all lanes combine, in part too") { reductions<float>(), reductions<double>(); }

TEST_CASE("functions of lanes are those of scalars, lane by lane") {
  using V = lanes<double>;
  V const x = V::count_up() * V(0.9) - V(1.3);
  for (int i = 0; i < V::width; ++i) {
    CHECK(math::exp(x)[i] == doctest::Approx(std::exp(x[i])).epsilon(1e-15));
    CHECK(math::tanh(x)[i] == doctest::Approx(std::tanh(x[i])).epsilon(1e-15));
    CHECK(math::sin(x * V(1e7))[i] == doctest::Approx(std::sin(x[i] * 1e7)).epsilon(1e-15));
  }
}
