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

static_assert(branch(true, 1).id == 0 && branch(true, 0).id == 1 && branch(true, -0.0).id == 1 && branch(true, 0.5).id == 0);
static_assert(branch(false, 0).id == 3);
static_assert(op::less::value(1.0, 2.0) == 1 && op::less::value(2.0, 2.0) == 0 && op::less::value(not_a_number<double>, 2.0) == 0 &&
              op::less::value(2.0, not_a_number<double>) == 0);
static_assert(op::equal::value(2.0f, 2.0f) == 1 && op::equal::value(0.0f, -0.0f) == 1 &&
              op::equal::value(not_a_number<float>, not_a_number<float>) == 0);
static_assert(op::select::value(not_a_number<double>, 1.0, 2.0) == 1, "NaN is not 0");

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
      return sum(apply<op::select>(positive(x), log(x), expr<T, N>(0))) + sum(apply<op::select>(positive(y), sqrt(y), expr<T, N>(0))) +
             sum(apply<op::select>(positive(z), 1 / z, expr<T, N>(0)));
    };
    for (std::size_t shift = 0; shift < pattern.size(); ++shift) {
      tensor<T, N> const x = repeated<T, N>(pattern, shift);
      auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>(guarded)(x, x, x);
      CHECK(std::isfinite(value));
      check_repeated(std::get<0>(gradients), std::vector<T>{0, 2, 0, 0, 0, T(0.25)}, shift);
      check_repeated(std::get<2>(gradients), std::vector<T>{0, -4, 0, 0, 0, T(-1) / 16}, shift);
      for (std::size_t i = 0; i < N; ++i)
        CHECK(std::get<1>(gradients)[i] == doctest::Approx(x[i] > 0 ? 0.5 / std::sqrt(static_cast<double>(x[i])) : 0.0));
    }
  });
}

TEST_CASE("an overflow in the branch not taken never arrives") {
  tensor<double, 5> const x{1000, 1, -1000, 800, 0};
  auto const [value, gradient] = value_and_grad([](auto a) { return sum(apply<op::select>(less_than(a, 100), exp(a), a)); })(x);
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
