// Functions under the names that NumPy gives them, and normalize.
#include "op/everywhere.hpp"

using namespace everywhere;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

constexpr auto ours = [](auto x, auto y) {
  return sum(select(x < y, x * 2.0, square(y))) + sum(clamp(x, 0.7, y)) + sum(cwise_product(max(x, y), min(x, 1.0))) +
         sum(sin(concat<0>(x, y))) + sum(cwise_product(reverse<0>(x), y)) + sum(exp(concat<1>(reverse(x), y)));
};
constexpr auto theirs = [](auto x, auto y) {
  return sum(where(x < y, x * 2.0, square(y))) + sum(clip(x, 0.7, y)) +
         sum(cwise_product(maximum(x, y), minimum(x, 1.0))) + sum(sin(concatenate(x, y))) +
         sum(cwise_product(flip<0>(x), y)) + sum(exp(concatenate<1>(flip(x), y)));
};

}  // namespace

TEST_CASE("another name is the very same program, here and on a tape") {
  tensor<double, 3, 2> const a = sample<3, 2>(1), b = sample<3, 2>(2);
  CHECK(same_program<decltype(compile<wrt<0, 1>>(ours, a, b)), decltype(compile<wrt<0, 1>>(theirs, a, b))>);
  check([] { return std::tuple{sample<3, 2>(1), sample<3, 2>(2)}; }, theirs, false);
}

TEST_CASE("they take the numbers of a tape, in statements") {
  tape<double> t;
  auto const x = t.watch(0.5), y = t.watch(2.0);
  var<double> const z = where(x < y, x, y) * maximum(x, y) + minimum(x, 1.0) + clip(y, 0.0, 1.5) +
                        sum(linspace<3>(x, y)) + sum(einsum<",->">(x, y));
  CHECK(t.backward(z) == 1 + 0.5 + 1.5 + 3.75 + 1);
  CHECK(t.grad(x) == 2 + 1 + 1.5 + 2);
  CHECK(t.grad(y) == 0.5 + 1.5 + 0.5);
}

TEST_CASE("a normalized vector has length 1, along every axis; zeros stay zeros, with gradient 0") {
  auto program =
      compile<wrt<>>([](auto x) { return std::tuple{normalize(x), normalize<0>(x)}; }, tensor<double, 2, 2>{});
  program(tensor<double, 2, 2>{3, 4, 0, 12});
  CHECK(program.result<0>()(1, 1) == doctest::Approx(12.0 / 13));
  CHECK(program.result<1>()(0, 0) == doctest::Approx(0.6));
  CHECK(program.result<1>()(1, 1) == 1);
  program(tensor<double, 2, 2>{nan_, 4, 0, 0});
  CHECK(std::isnan(program.result<1>()(1, 0)));
  CHECK(program.result<1>()(1, 1) == 0);
  check(
      [] { return std::tuple{sample<3, 2>(1), sample<3, 2>(2)}; },
      [](auto x, auto w) { return sum(cwise_product(normalize(x), w)) + sum(cwise_product(normalize<1>(x), exp(w))); });
  check([] { return std::tuple{tensor<double, 2, 3>{0, 0, 3, 4, 2, 1}, tensor<double, 2, 3>{1, 2, 3, 4, 5, 6}}; },
        [](auto x, auto w) { return sum(cwise_product(normalize<0>(x), w)); }, false);
  auto const zeros_only = value_and_grad([](auto x, auto w) { return sum(cwise_product(normalize(x), w)); })(
      tensor<double, 3>{}, tensor<double, 3>{1, 2, 3});
  CHECK(zeros_only.value == 0);
  CHECK(zeros_only.grad == tensor<double, 3>{});
}
