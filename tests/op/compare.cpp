#include <etch/op/elementwise.hpp>
#include <etch/op/reduce.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

namespace {

consteval term branch(bool constant_condition, double condition) {
  graph g;
  g.simplifying = true;
  term const a = input(g, element::f64, make_shape(), 0), b = input(g, element::f64, make_shape(), 1);
  term const c = constant_condition ? constant(g, element::f64, condition) : input(g, element::f64, make_shape(), 2);
  return {nullptr, emit<op::select>(0, c, a, b).id};
}

}  // namespace

static_assert(branch(true, 1).id == 0 && branch(true, 0).id == 1 && branch(true, -0.0).id == 1 &&
              branch(true, 0.5).id == 0);
static_assert(branch(false, 0).id == 3);
static_assert(op::less::value(1.0, 2.0) == 1 && op::less::value(2.0, 2.0) == 0 &&
              op::less::value(not_a_number<double>, 2.0) == 0 && op::less::value(2.0, not_a_number<double>) == 0);
static_assert(op::equal::value(2.0f, 2.0f) == 1 && op::equal::value(0.0f, -0.0f) == 1 &&
              op::equal::value(not_a_number<float>, not_a_number<float>) == 0);
static_assert(op::select::value(not_a_number<double>, 1.0, 2.0) == 1, "NaN is not 0");

// Masks have the common element type and shape of what is compared.
static_assert(std::is_same_v<decltype(expr<float, 3>() < 2), expr<float, 3>>);
static_assert(std::is_same_v<decltype(2.5 >= expr<float, 3>()), expr<float, 3>>);
static_assert(std::is_same_v<decltype(expr<double>() == expr<float, 1, 4>()), expr<float, 1, 4>>);
static_assert(std::is_same_v<decltype(expr<double, 3>() != expr<double, 1, 4>()), expr<double, 3, 4>>);
static_assert(std::is_same_v<decltype(!expr<double, 3>() && true), expr<double, 3>>);
// The branches say what a choice is; only between literals does the condition.
static_assert(std::is_same_v<decltype(select(expr<double, 3>(), expr<float, 3>(), 0)), expr<float, 3>>);
static_assert(std::is_same_v<decltype(select(expr<bool, 3, 1>(), 1.5, expr<double, 1, 4>())), expr<double, 3, 4>>);
static_assert(std::is_same_v<decltype(select(expr<int, 3>(), 1.0f, 0.0f)), expr<float, 3>>);
static_assert(std::is_same_v<decltype(select(expr<float, 3>(), 1.0, 0)), expr<float, 3>>);
static_assert(std::is_same_v<decltype(select(true, expr<float, 3>(), expr<double>())), expr<float, 3>>);
// Between constants that belong to no graph yet, all of it is computed at once.
static_assert((expr<double>(2) < 3).immediate == 1 && select(expr<double>(0), 5, expr<double>(7)).immediate == 7);
static_assert(std::is_same_v<decltype(std::declval<term>() == std::declval<term>()), bool>,
              "terms are handles: equal if the same node");

TEST_CASE("a choice between equal branches is none") {
  graph g;
  g.simplifying = true;
  term const a = input(g, element::f64, make_shape(3), 0), c = input(g, element::f64, make_shape(3), 1);
  CHECK(emit<op::select>(0, c, a, a) == a);
}

TEST_CASE("the branch not taken never arrives, in value or gradient") {
  in_all_sizes([]<class T, int N>() {
    std::vector<T> const pattern{0, T(0.5), -1, not_a_number<T>, T(-0.0), 4};
    // A NaN fails the comparison, so the other branch, 0, is taken.
    auto const guarded = [](auto x, auto y, auto z) {
      auto const positive = [](auto a) { return less_than(0, a); };
      return sum(apply<op::select>(positive(x), log(x), expr<T, N>(0))) +
             sum(apply<op::select>(positive(y), sqrt(y), expr<T, N>(0))) +
             sum(apply<op::select>(positive(z), 1 / z, expr<T, N>(0)));
    };
    for (std::size_t shift = 0; shift < pattern.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(pattern, shift);
      auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>(guarded)(x, x, x);
      CHECK(std::isfinite(value));
      check_repeated(std::get<0>(gradients), std::vector<T>{0, 2, 0, 0, 0, T(0.25)}, shift);
      check_repeated(std::get<2>(gradients), std::vector<T>{0, -4, 0, 0, 0, T(-1) / 16}, shift);
      for (std::size_t i = 0; i < N; ++i)
        CHECK(std::get<1>(gradients)[i] ==
              doctest::Approx(x[i] > 0 ? 0.5 / std::sqrt(static_cast<double>(x[i])) : 0.0));
    }
  });
}

TEST_CASE("an overflow in the branch not taken never arrives") {
  tensor<double, 5> const x{1000, 1, -1000, 800, 0};
  auto const [value, gradient] =
      value_and_grad([](auto a) { return sum(apply<op::select>(less_than(a, 100), exp(a), a)); })(x);
  CHECK(value == doctest::Approx(1800 + std::exp(1.0) + 1));
  CHECK(gradient[0] == 1);
  CHECK(gradient[1] == doctest::Approx(std::exp(1.0)));
  CHECK(gradient[2] == 0);
  CHECK(gradient[3] == 1);
  CHECK(gradient[4] == 1);
}

TEST_CASE("comparisons and stops have no gradient, and end the influence of an argument") {
  tensor<double, 3> const x{1, 2, 3}, y{3, 2, 1};
  constexpr auto f = [](auto a, auto b) {
    return sum(cwise_product(less_than(a, b) + equal_to(a, b), b)) + sum(cwise_product(stop_gradient(a), b));
  };
  auto const [value, gradients] = value_and_grad<wrt<0, 1>, allow_unused>(f)(x, y);
  CHECK(value == 3 + 2 + 10);
  CHECK(std::get<0>(gradients) == tensor<double, 3>{0, 0, 0});
  CHECK(std::get<1>(gradients) == tensor<double, 3>{1 + 1, 1 + 2, 3});
}

TEST_CASE("comparisons are those of IEEE 754, for every pair of special values") {
  in_all_sizes([]<class T, int N>() {
    std::vector<T> const values{-1, 0, T(-0.0), infinity<T>, -infinity<T>, not_a_number<T>, 2};
    auto compared = compile<wrt<>>(
        [](auto a, auto b) {
          return (a < b) + 2 * (a > b) + 4 * (a <= b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b);
        },
        tensor<T, N>{}, tensor<T, N>{});
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = 0; j < values.size(); ++j) {
        auto const x = repeated<T, N>(values, i), y = repeated<T, N>(values, j);
        auto const& got = compared(x, y);
        for (std::size_t k = 0; k < x.size(); ++k) {
          T const a = x[k], b = y[k];
          CHECK(static_cast<int>(got[k]) ==
                (a < b) + 2 * (a > b) + 4 * (a <= b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b));
        }
      }
  });
}

TEST_CASE("as a condition every number but 0 is true") {
  in_all_sizes([]<class T, int N>() {
    std::vector<T> const values{
        0, 1, T(-0.0), T(0.25), not_a_number<T>, -infinity<T>, std::numeric_limits<T>::denorm_min()};
    auto logic = compile<wrt<>>(
        [](auto a, auto b) {
          return (a && b) + 2 * (a || b) + 4 * !a + 8 * (a && 3) + 16 * (false && a) + 32 * (a || false) +
                 64 * (1 || a) + 128 * !(a < b && !(b == 1));
        },
        tensor<T, N>{}, tensor<T, N>{});
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = 0; j < values.size(); ++j) {
        auto const x = repeated<T, N>(values, i), y = repeated<T, N>(values, j);
        auto const& got = logic(x, y);
        for (std::size_t k = 0; k < x.size(); ++k) {
          bool const a = x[k] != 0, b = y[k] != 0;
          CHECK(static_cast<int>(got[k]) ==
                (a && b) + 2 * (a || b) + 4 * !a + 8 * a + 32 * a + 64 + 128 * !(x[k] < y[k] && !(y[k] == 1)));
        }
      }
  });
}

TEST_CASE("a condition of any type chooses in the type of the branches") {
  tensor<bool, 5> const flag{true, false, true, true, false};
  tensor<int, 5> const label{0, 1 << 30, -1, 0, 2};
  tensor<double, 5> const tiny{1e-300, 0, -1e-300, 4, not_a_number<double>};
  tensor<float, 5> const a{1, 2, 3, 4, 5}, b{10, 20, 30, 40, 50}, weight{0, 1, 2, 3, 4};
  constexpr auto choose = [](auto c, auto x, auto y, auto w) { return sum(cwise_product(select(c, x, y), w)); };
  auto const by_flag = value_and_grad<wrt<1, 2>>(choose)(flag, a, b, weight);
  CHECK(by_flag.value == 0 * 1 + 1 * 20 + 2 * 3 + 3 * 4 + 4 * 50);
  CHECK(std::get<0>(by_flag.grad) == tensor<float, 5>{0, 0, 2, 3, 0});
  CHECK(std::get<1>(by_flag.grad) == tensor<float, 5>{0, 1, 0, 0, 4});
  auto const by_label = value_and_grad<wrt<1, 2>>(choose)(label, a, b, weight);
  CHECK(by_label.value == 0 * 10 + 1 * 2 + 2 * 3 + 3 * 40 + 4 * 5);
  auto const by_tiny = value_and_grad<wrt<1, 2>>(choose)(tiny, a, b, weight);
  CHECK(by_tiny.value == 0 * 1 + 1 * 20 + 2 * 3 + 3 * 4 + 4 * 5);
  CHECK(std::get<1>(by_tiny.grad) == tensor<float, 5>{0, 1, 0, 0, 0});
}

TEST_CASE("conditions and branches broadcast") {
  tensor<double, 3> const column{1, -1, 2};
  tensor<double, 1, 2> const row{5, 7};
  auto const [value, gradients] =
      value_and_grad<wrt<0, 1>>([](auto c, auto r) { return sum(select(c > 0, r, 2 * c)); })(column, row);
  CHECK(value == 5 + 7 - 2 - 2 + 5 + 7);
  CHECK(std::get<0>(gradients) == tensor<double, 3>{0, 4, 0});
  CHECK(std::get<1>(gradients) == tensor<double, 1, 2>{2, 2});
}

TEST_CASE("masks are their own truth, and a choice sees through negations") {
  graph g;
  g.simplifying = true;
  term const a = input(g, element::f64, make_shape(3), 0), b = input(g, element::f64, make_shape(3), 1),
             zero = constant(g, element::f64, 0);
  term const mask = less_than(a, b);
  CHECK(emit<op::not_equal>(0, mask, zero) == mask);
  CHECK(emit<op::not_equal>(0, a, zero) != a);
  CHECK(select(equal_to(a, 0), a, b) == select(a, b, a));
  CHECK(select(equal_to(equal_to(a, 0), 0), a, b) == select(a, a, b));
  CHECK(select(emit<op::not_equal>(0, a, zero), a, b) == select(a, a, b));
  CHECK(select(equal_to(a, 1), a, b) != select(a, b, a));
  CHECK(select(mask, select(mask, a, b), a) == a);
  CHECK(select(mask, a, select(mask, b, zero)) == select(mask, a, zero));
  term const both = less_than(b, a) * mask;
  CHECK(select(less_than(b, a), select(mask, a, zero), zero) == select(both, a, zero));
  CHECK(select(less_than(b, a), zero, select(mask, zero, a)) ==
        select(equal_to(less_than(b, a), 0) * equal_to(mask, 0), a, zero));
  CHECK(select(a, select(b, a, zero), b).operand(0) == a);  // no mask: a second value instead of 0
}

TEST_CASE("the branch not taken never arrives from within another choice") {
  in_all_sizes([]<class T, int N>() {
    // Where x > 0 and y > 0, the slopes 1 / x and 1 / y; else 0, though each rule behind the
    // choices gives inf or NaN there.
    constexpr auto nested = [](auto x, auto y) {
      return sum(select(x > 0, select(y > 0, log(x) + log(y), 0), 0)) +
             sum(select(!(x > 0), 0, select(!(y > 0), 0, sqrt(x) + sqrt(y))));
    };
    std::vector<T> const at{0, 1, -1, 1, 0, not_a_number<T>, 1}, beside{1, 0, 1, 1, 0, 1, -1};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      auto const g = grad<wrt<0, 1>>(nested)(repeated<T, N>(at, shift), repeated<T, N>(beside, shift));
      check_repeated(std::get<0>(g), std::vector<T>{0, 0, 0, T(1.5), 0, 0, 0}, shift);
      check_repeated(std::get<1>(g), std::vector<T>{0, 0, 0, T(1.5), 0, 0, 0}, shift);
    }
  });
}
