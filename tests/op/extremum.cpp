#include <etch/op/elementwise.hpp>
#include <etch/op/reduce.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

static_assert(std::is_same_v<decltype(max(expr<float, 3>(), 0)), expr<float, 3>>);
static_assert(std::is_same_v<decltype(min(0.5, expr<float, 3>())), expr<float, 3>>);
static_assert(std::is_same_v<decltype(max(expr<double, 3>(), expr<double, 1, 4>())), expr<double, 3, 4>>);
static_assert(std::is_same_v<decltype(max<0>(expr<double, 3, 4>())), expr<double, 1, 4>>,
              "the reduction of the same name");
static_assert(std::is_same_v<decltype(min(expr<double, 3, 4>())), expr<double>>, "the reduction of the same name");
static_assert(std::is_same_v<decltype(clamp(expr<double, 3>(), expr<float>(), 1)), expr<double, 3>>);
static_assert(std::is_same_v<decltype(clamp(expr<float, 3>(), 0, 1.5)), expr<float, 3>>);
static_assert(
    std::is_same_v<decltype(clamp(expr<float, 3, 1>(), expr<float, 1, 4>(), expr<float, 3>())), expr<float, 3, 4>>);

TEST_CASE("the larger and the smaller of every pair of special values, and who gets the gradient") {
  in_all_sizes([]<class T, int N>() {
    std::vector<T> const values{1, not_a_number<T>, 0, T(-0.0), infinity<T>, -infinity<T>, -3};
    constexpr auto larger = [](auto a, auto b, auto w) { return sum(cwise_product(max(a, b), w)); };
    constexpr auto smaller = [](auto a, auto b, auto w) { return sum(cwise_product(min(a, b), w)); };
    tensor<T, N> weight;
    weight.fill(2);
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = 0; j < values.size(); ++j) {
        auto const x = repeated<T, N>(values, i), y = repeated<T, N>(values, j);
        auto const up = grad<wrt<0, 1, 2>>(larger)(x, y, weight), down = grad<wrt<0, 1, 2>>(smaller)(x, y, weight);
        for (std::size_t k = 0; k < x.size(); ++k) {
          T const a = x[k], b = y[k];
          CAPTURE(a);
          CAPTURE(b);
          bool const nan = std::isnan(a) || std::isnan(b);
          double const to_larger = nan ? not_a_number<double> : a > b ? 2 : a == b ? 1 : 0;
          CHECK(same(std::get<0>(up)[k], to_larger));
          CHECK(same(std::get<1>(up)[k], 2 - to_larger));
          CHECK(same(std::get<0>(down)[k], 2 - to_larger));
          CHECK(same(std::get<1>(down)[k], to_larger));
          CHECK(same(std::get<2>(up)[k],
                     nan ? not_a_number<double> : std::max(a, b)));  // the gradient of the weight is the value
          CHECK(same(std::get<2>(down)[k], nan ? not_a_number<double> : std::min(a, b)));
        }
      }
  });
}

TEST_CASE("the larger of a value and a literal") {
  tensor<double, 4> const x{-1, 0, 2, not_a_number<double>};
  auto program = compile<wrt<0>>([](auto a) { return sum(max(a, 0) + min(1, a)); }, x);
  program(x);
  check_repeated(program.grad<0>(), std::vector<double>{0 + 1, 0.5 + 1, 1 + 0, not_a_number<double>});
}

TEST_CASE("clamp: the gradient goes to the operand that is the value, and NaN everywhere") {
  in_all_sizes([]<class T, int N>() {
    constexpr T inf = infinity<T>, nan = not_a_number<T>;
    struct row {
      T x, low, high, y, by_x, by_low, by_high;
    };
    std::vector<row> const table{{0, -1, 2, 0, 1, 0, 0},
                                 {-1, -1, 2, -1, 1, 0, 0},
                                 {2, -1, 2, 2, 1, 0, 0},
                                 {-4, -1, 2, -1, 0, 1, 0},
                                 {5, -1, 2, 2, 0, 0, 1},
                                 {inf, -1, 2, 2, 0, 0, 1},
                                 {-inf, -1, 2, -1, 0, 1, 0},
                                 {5, -inf, inf, 5, 1, 0, 0},
                                 {inf, -inf, inf, inf, 1, 0, 0},
                                 {1, 1, 1, 1, 1, 0, 0},
                                 {0, 1, 1, 1, 0, 1, 0},
                                 {0, 3, 1, 1, 0, 0, 1},  // bounds in wrong order
                                 {2, 3, 1, 1, 0, 0, 1},
                                 {9, 3, 1, 1, 0, 0, 1},
                                 {nan, -1, 2, nan, nan, nan, nan},
                                 {0, nan, 2, nan, nan, nan, nan},
                                 {0, -1, nan, nan, nan, nan, nan}};
    auto const column = [&](T row::* member) {
      std::vector<T> x;
      for (row const& r : table) x.push_back(r.*member);
      return x;
    };
    tensor<T, N> const weight = repeated<T, N>({1});
    for (std::size_t shift = 0; shift < table.size(); ++shift) {
      auto const g = grad<wrt<0, 1, 2, 3>>([](auto x, auto low, auto high, auto w) {
        return sum(cwise_product(clamp(x, low, high), w));
      })(repeated<T, N>(column(&row::x), shift), repeated<T, N>(column(&row::low), shift),
         repeated<T, N>(column(&row::high), shift), weight);
      check_repeated(std::get<0>(g), column(&row::by_x), shift);
      check_repeated(std::get<1>(g), column(&row::by_low), shift);
      check_repeated(std::get<2>(g), column(&row::by_high), shift);
      check_repeated(std::get<3>(g), column(&row::y), shift);
    }
  });
}

TEST_CASE("a bound that is one number gets the gradients of all entries beyond it") {
  tensor<float, 6> const x{-3, -2, 0, 1, 4, 5};
  auto const [value, g] = value_and_grad<wrt<0, 1, 2>>(
      [](auto a, auto low, auto high) { return sum(clamp(a, low, high)); })(x, -1.0f, 3.0f);
  CHECK(value == -1 - 1 + 0 + 1 + 3 + 3);
  CHECK(std::get<0>(g) == tensor<float, 6>{0, 0, 1, 1, 0, 0});
  CHECK(std::get<1>(g) == 2);
  CHECK(std::get<2>(g) == 2);
}

TEST_CASE("the larger of a value and itself is the value") {
  CHECK(grad([](auto x) { return max(x, x) + min(x, x); })(3.0) == 2);
  graph g;
  g.simplifying = true;
  term const x = input(g, element::f64, make_shape(3), 0);
  CHECK(max(x, x) == x);
  CHECK(min(x, x) == x);
}
