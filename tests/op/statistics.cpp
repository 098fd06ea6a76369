#include <etch/op/statistics.hpp>

#include "op/special.hpp"

#include <etch/nn/random.hpp>

#include <numeric>

using namespace etch;
using namespace special;

static_assert(std::is_same_v<decltype(norm(expr<float, 3, 4>())), expr<float>>);
static_assert(std::is_same_v<decltype(stddev<1>(expr<float, 3, 4>(), 1)), expr<float, 3, 1>>);
static_assert(std::is_same_v<decltype(variance<0>(expr<double, 3, 4>())), expr<double, 1, 4>>);
static_assert(std::is_same_v<decltype(centred<0>(expr<double, 3, 4>())), expr<double, 3, 4>>);
static_assert(std::is_same_v<decltype(argmax<0, 2>(expr<float, 3, 4, 5>())), expr<float, 1, 4, 1>>);
static_assert(std::is_same_v<decltype(dot(expr<float, 3>(), expr<float, 1, 3>())), expr<float>>);

namespace {

template <class T, int... Dims>
tensor<T, Dims...> random_entries(std::uint64_t seed, double low = -2, double high = 2) {
  nn::generator random(seed);
  tensor<T, Dims...> x;
  for (T& entry : x) entry = static_cast<T>(random.uniform(low, high));
  return x;
}

template <class T>
inline constexpr double digits = sizeof(T) == 4 ? 2e-6 : 1e-14;

/// The sum of f(entry) in long double.
template <class X>
long double total(X const& x, auto f) {
  long double sum = 0;
  for (auto entry : x) sum += f(static_cast<long double>(entry));
  return sum;
}

}  // namespace

TEST_CASE("norm and its gradient, the unit vector") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x = random_entries<T, N>(1);
    auto program = compile<wrt<0>>([](auto a) { return norm(a); }, x);
    auto const length = std::sqrt(total(x, [](auto e) { return e * e; }));
    CHECK(static_cast<double>(program(x)) == doctest::Approx(static_cast<double>(length)).epsilon(digits<T>));
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(static_cast<double>(program.template grad<0>()[i]) ==
            doctest::Approx(static_cast<double>(x[i] / length)).epsilon(digits<T>));
    x.fill(0);
    CHECK(program(x) == 0);
    CHECK(program.template grad<0>() == tensor<T, N>{});
    x[N - 1] = not_a_number<T>;
    CHECK(std::isnan(program(x)));
    for (T slope : program.template grad<0>()) CHECK(std::isnan(slope));
  });
}

TEST_CASE("norms along an axis: a zero column beside others") {
  tensor<double, 2, 3> const x{3, 4, 0, 0, -5, 12};
  auto const [value, g] = value_and_grad<wrt<0, 1>>([](auto a, auto w) { return sum(cwise_product(norm<0>(a), w)); })(
      x, tensor<double, 1, 3>{1, 1, 2});
  CHECK(value == 5 + 0 + 2 * 13);
  CHECK(std::get<1>(g) == tensor<double, 1, 3>{5, 0, 13});
  tensor<double, 2, 3> const expected{0.6, 0.8, 0, 0, -10.0 / 13, 24.0 / 13};
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::get<0>(g)[i] == doctest::Approx(expected[i]).epsilon(1e-15));
  CHECK(grad([](auto a) { return squared_norm(a); })(x) == tensor<double, 2, 3>{6, 8, 0, 0, -10, 24});
}

TEST_CASE("equal entries have no deviation at all, and no gradient") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x;
    auto spread = compile<wrt<0>>([](auto a) { return stddev(a); }, x);
    auto squared = compile<wrt<0>>([](auto a) { return variance(a); }, x);
    auto rest = compile<wrt<>>([](auto a) { return centred(a); }, x);
    for (T const value :
         {T(0.1), T(1) / 3, T(1e30), T(-7e-30), std::sqrt(T(2)), T(0)}) {  // none of which times N divided by N is safe
      x.fill(value);
      CHECK(spread(x) == 0);
      CHECK(spread.template grad<0>() == tensor<T, N>{});
      CHECK(squared(x) == 0);
      CHECK(squared.template grad<0>() == tensor<T, N>{});
      CHECK(rest(x) == tensor<T, N>{});
    }
    x[0] = not_a_number<T>;
    CHECK(std::isnan(spread(x)));
    CHECK(std::isnan(squared(x)));
    for (std::size_t i = 0; i < N; ++i) {
      CHECK(std::isnan(spread.template grad<0>()[i]));
      CHECK(std::isnan(squared.template grad<0>()[i]));
    }
  });
}

TEST_CASE("variance and standard deviation of a population and of a sample") {
  in_all_sizes([]<class T, int N>() {
    if constexpr (N > 1)
      for (double const offset : {0.0, 100.0}) {
        tensor<T, N> const x = random_entries<T, N>(2, offset - 2, offset + 2);
        long double const mean = total(x, [](auto e) { return e; }) / N;
        long double const squares = total(x, [&](auto e) { return (e - mean) * (e - mean); });
        // Entries of size 100 are known to 100 ulp of 1, and so are their differences.
        double const relative = digits<T> * (1 + offset);
        auto const check = [&](auto f, long double value, auto slope) {
          auto const [y, g] = value_and_grad(f)(x);
          CHECK(static_cast<double>(y) == doctest::Approx(static_cast<double>(value)).epsilon(relative));
          for (std::size_t i = 0; i < x.size(); ++i)
            CHECK(std::abs(static_cast<double>(g[i] - slope(x[i] - mean))) < relative);
        };
        check([](auto a) { return variance(a); }, squares / N, [&](auto d) { return 2 * d / N; });
        check([](auto a) { return variance(a, 1); }, squares / (N - 1), [&](auto d) { return 2 * d / (N - 1); });
        check([](auto a) { return stddev(a); }, std::sqrt(squares / N),
              [&](auto d) { return d / std::sqrt(squares * N); });
        check([](auto a) { return stddev(a, 1); }, std::sqrt(squares / (N - 1)),
              [&](auto d) { return d / std::sqrt(squares * (N - 1)); });
      }
  });
}

TEST_CASE("a sample of one entry has no variance") {
  graph g;
  term const x = input(g, element::f64, make_shape(1, 4), 0);
  CHECK_THROWS_WITH(variance<0>(x, 1), "etch: a variance of 1 entries with ddof = 1 would divide by nothing");
  CHECK_THROWS_WITH(stddev(x, 4), "etch: a variance of 4 entries with ddof = 4 would divide by nothing");
  CHECK(variance<0>(x).extent() == make_shape(1, 4));
  CHECK(stddev(x, 3).extent() == make_shape());
}

TEST_CASE("variances along axes, and of centred entries") {
  tensor<double, 2, 3> const x{1, 3, 5, 5, -2, 4};
  auto columns = compile<wrt<>>([](auto a) { return variance<0>(a); }, x);
  CHECK(columns(x) == tensor<double, 1, 3>{1, 0, 9});
  auto rows = compile<wrt<>>([](auto a) { return variance<1>(a, 1); }, tensor<double, 2, 2>{});
  CHECK(rows(tensor<double, 2, 2>{1, 0, 5, 6}) == tensor<double, 2, 1>{8, 18});
  auto rest = compile<wrt<>>([](auto a) { return centred<0>(a); }, x);
  CHECK(rest(x) == tensor<double, 2, 3>{-1, 1, 0, 0, -3, 3});
}

TEST_CASE("products of two vectors, whichever way they lie") {
  tensor<double, 3> const a{1, 2, 3};
  tensor<double, 1, 3> const b{4, 5, -6};
  auto const [value, g] = value_and_grad<wrt<0, 1>>([](auto x, auto y) { return dot(x, y); })(a, b);
  CHECK(value == 4 + 10 - 18);
  CHECK(std::get<0>(g) == tensor<double, 3>{4, 5, -6});
  CHECK(std::get<1>(g) == tensor<double, 1, 3>{1, 2, 3});
  CHECK(grad([](auto x) { return dot(x, x); })(a) == tensor<double, 3>{2, 4, 6});
  CHECK(grad<wrt<0>>([](auto x, auto y) { return dot(x, y); })(2.0, 3.0) == 3);
}

TEST_CASE("the place of the extreme entry: the first of equals, the first NaN") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x;
    auto largest = compile<wrt<>>([](auto a) { return argmax(a); }, x);
    auto smallest = compile<wrt<>>([](auto a) { return argmin(a); }, x);
    nn::generator random(3);
    for (int trial = 0; trial < 40; ++trial) {
      for (T& entry : x) entry = static_cast<T>(std::floor(random.uniform(-3, 3)));  // many ties
      CHECK(largest(x) == std::max_element(x.begin(), x.end()) - x.begin());
      CHECK(smallest(x) == std::min_element(x.begin(), x.end()) - x.begin());
    }
    for (T const all : {-infinity<T>, infinity<T>, not_a_number<T>}) {
      x.fill(all);
      CHECK(largest(x) == 0);
      CHECK(smallest(x) == 0);
    }
    for (std::size_t i = 0; i < N; ++i) {
      x = repeated<T, N>({-1, infinity<T>, 2, -infinity<T>});
      x[N - 1] = not_a_number<T>;
      x[i] = not_a_number<T>;
      CHECK(largest(x) == i);
      CHECK(smallest(x) == i);
    }
  });
}

TEST_CASE("places along axes, in memory order of the axes named") {
  tensor<float, 2, 3, 2> const x{0, 1, 2, 3, 9, 5, 6, 8, 8, 4, 5, 5};
  auto first = compile<wrt<>>([](auto a) { return argmax<0>(a); }, x);
  CHECK(first(x) == tensor<float, 1, 3, 2>{1, 1, 0, 1, 0, 0});
  auto middle = compile<wrt<>>([](auto a) { return argmax<1>(a); }, x);
  CHECK(middle(x) == tensor<float, 2, 1, 2>{2, 2, 1, 0});
  auto outer = compile<wrt<>>([](auto a) { return argmin<0, 2>(a); }, x);
  CHECK(outer(x) == tensor<float, 1, 3, 1>{0, 0, 1});
  auto whole = compile<wrt<>>([](auto a) { return argmax(a) + 100 * argmin(-a); }, x);
  CHECK(whole(x) == 4 + 400);
}

TEST_CASE("a place has no gradient") {
  tensor<double, 4> const x{1, 5, 2, 3};
  auto const g = grad([](auto a) { return sum(a) * argmax(a); })(x);
  CHECK(g == tensor<double, 4>{1, 1, 1, 1});
  CHECK(grad<wrt<0>, allow_unused>([](auto a) { return argmin(a); })(x) == tensor<double, 4>{});
}
