#include <etch/op/sort.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace etch;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

/// The same by the standard library, equal entries told apart by where they stand.
template <class T>
std::vector<int> places(std::vector<T> const& x) {
  std::vector<int> at(x.size());
  std::iota(at.begin(), at.end(), 0);
  std::sort(at.begin(), at.end(), [&](int i, int j) {
    T const a = x[static_cast<std::size_t>(i)], b = x[static_cast<std::size_t>(j)];
    if (a < b || b < a || std::isnan(a) != std::isnan(b)) return a < b || (!std::isnan(a) && std::isnan(b));
    return i < j;
  });
  return at;
}

/// Sorts `N` entries, many of them equal, some NaN, in a program; places and entries, bit for bit.
template <class T, int N>
void check_against_stable_sort() {
  CAPTURE(N);
  tensor<T, N> x;
  std::vector<T> plain;
  std::uint32_t state = 17;
  for (T& e : x) {
    state = state * 1664525u + 1013904223u;
    unsigned const kind = state >> 28;
    e = kind == 0   ? static_cast<T>(nan_)
        : kind == 1 ? T(-0.0)
        : kind == 2 ? static_cast<T>(-inf)
                    : static_cast<T>(static_cast<int>(state >> 20) % 13);
    plain.push_back(e);
  }
  auto program = compile<wrt<>>([](auto a) { return std::tuple{argsort(a), sort(a)}; }, x);
  program(x);
  std::vector<int> const expected = places(plain);
  for (int i = 0; i < N; ++i) {
    T const wanted = plain[static_cast<std::size_t>(expected[static_cast<std::size_t>(i)])],
            got = program.template result<1>()(i);
    CHECK(program.template result<0>()(i) == static_cast<T>(expected[static_cast<std::size_t>(i)]));
    CHECK(std::isnan(wanted) == std::isnan(got));
    if (!std::isnan(wanted)) CHECK((wanted == got && std::signbit(wanted) == std::signbit(got)));
  }
}

constexpr auto median = [](auto x) { return sort(x)(1); };
constexpr auto weighted = [](auto x, auto w) { return sum(cwise_product(sort(x), w)); };

}  // namespace

TEST_CASE(
    "entries and their places are those of a stable sort, NaN last, of one entry, few, a prime number, and many") {
  check_against_stable_sort<double, 1>();
  check_against_stable_sort<double, 2>();
  check_against_stable_sort<float, 7>();
  check_against_stable_sort<double, 97>();
  check_against_stable_sort<float, 1024>();
}

TEST_CASE("the gradient goes back to where each entry came from, of equal entries in their order") {
  tensor<double, 5> const x{3, 1, 2, 1, 3}, w{1, 10, 100, 1000, 10000};
  auto const [value, g] = value_and_grad<wrt<0, 1>>(weighted)(x, w);
  CHECK(value == 1 + 10 + 200 + 3000 + 30000);
  CHECK(std::get<0>(g) == tensor<double, 5>{1000, 1, 100, 10, 10000});
  CHECK(std::get<1>(g) == tensor<double, 5>{1, 1, 2, 3, 3});
  auto const with_nan = value_and_grad([](auto a, auto b) { return sum(select(b > 0, cwise_product(sort(a), b), 0)); })(
      tensor<double, 4>{nan_, 2, -inf, 1}, tensor<double, 4>{0, 5, 7, 0});
  CHECK(with_nan.value == 5 + 14);
  CHECK(with_nan.grad == tensor<double, 4>{0, 7, 0, 5});
  CHECK(grad([](auto a) { return sum(argsort(a)) + sum(a); })(x) == tensor<double, 5>{1, 1, 1, 1, 1});
}

TEST_CASE("an order statistic through a loop and over points, and a part that is sorted in its place") {
  tensor<double, 3, 4> const xs{3, 1, 2, 9, 8, 7, 4, 6, 5, 1, 3, 2};
  auto const over_points = value_and_grad([](auto a) { return etch::sum_map(median, a); })(xs);
  CHECK(over_points.value == 2 + 8 + 5 + 2);
  CHECK(over_points.grad == tensor<double, 3, 4>{0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1});
  auto const stepwise = value_and_grad([](auto a) {
    return sum(scan([](auto c, auto x) { return sort(c + x); }, 0.0 * slice<1, 0, 1>(a)(0, 0) + zeros<3>(), a));
  })(xs);
  CHECK(stepwise.value == 51);
  auto program = compile<wrt<>>([](auto a) { return concat<1>(sort<1>(a), reverse<0>(sort<0>(a))); }, xs);
  CHECK(program(xs) == tensor<double, 3, 8>{1, 1, 2, 3, 3, 2, 4, 6, 5, 9, 8, 7, 3, 2, 1, 9, 8, 7, 6, 5, 4, 3, 2, 1});
}
