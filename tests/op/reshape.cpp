#include <etch/op/reshape.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// The result of `f` for the numbers 0, 1, 2, ... in the shape `Dims`.
template <int... Dims>
constexpr auto of_counting(auto f) {
  tensor<double, Dims...> x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  auto program = compile<wrt<>>(f, x);
  return std::remove_cvref_t<decltype(program(x))>(program(x));
}

}  // namespace

// Shapes of results.
static_assert(decltype(reshape<-1, 2>(expr<float, 3, 4>()))::extent == make_shape(6, 2));
static_assert(decltype(flatten(expr<float, 3, 4>()))::extent == make_shape(12));
static_assert(decltype(stack<0>(expr<float, 3>(), expr<float, 3>()))::extent == make_shape(2, 3));
static_assert(decltype(stack<1>(expr<float, 3>(), expr<float, 3>()))::extent == make_shape(3, 2));
static_assert(decltype(permute<2, 0, 1>(expr<float, 3, 4, 5>()))::extent == make_shape(5, 3, 4));
static_assert(decltype(pad<2, 1, 2>(expr<float, 3, 4>()))::extent == make_shape(3, 4, 4));
static_assert(decltype(repeat<1, 3>(expr<float, 3, 4>()))::extent == make_shape(3, 12));
static_assert(decltype(tile<2, 1, 2>(expr<float, 3, 4>()))::extent == make_shape(6, 4, 2));

TEST_CASE("parts of a matrix are where they are asked for") {
  CHECK(of_counting<3, 4>([](auto x) { return slice<1, 1, 2, 2>(x); }) == tensor<double, 3, 2>{3, 4, 5, 9, 10, 11});
  CHECK(of_counting<3, 4>([](auto x) { return row<1>(x); }) == tensor<double, 1, 4>{1, 4, 7, 10});
  CHECK(of_counting<3, 4>([](auto x) { return col<2>(x); }) == tensor<double, 3, 1>{6, 7, 8});
  CHECK(of_counting<6>([](auto x) { return split<0, 3>(x)[1]; }) == tensor<double, 2>{2, 3});
  CHECK(of_counting<2, 3>([](auto x) { return reverse<>(x); }) == tensor<double, 2, 3>{5, 4, 3, 2, 1, 0});
  CHECK(of_counting<2, 3>([](auto x) { return reverse<1>(x); }) == tensor<double, 2, 3>{4, 5, 2, 3, 0, 1});
  CHECK(of_counting<2, 3>([](auto x) { return reshape<3, 2>(permute<1, 0>(x)); }) ==
        tensor<double, 3, 2>{0, 2, 4, 1, 3, 5});
  CHECK(of_counting<2, 3>([](auto x) { return reshape<6>(permute<1, 0>(x)); }) == tensor<double, 6>{0, 2, 4, 1, 3, 5});
  tensor<double, 3, 2, 2> const turned = of_counting<2, 2, 3>([](auto x) { return permute<2, 0, 1>(x); });
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) CHECK(turned(k, i, j) == i + 2 * j + 4 * k);
}

TEST_CASE("what is put together is in the order given") {
  CHECK(of_counting<2, 2>([](auto x) { return concat<0>(x, row<0>(x)); }) == tensor<double, 3, 2>{0, 1, 0, 2, 3, 2});
  CHECK(of_counting<2, 2>([](auto x) { return concat<1>(row<1>(x), 10 * row<0>(x)); }) ==
        tensor<double, 1, 4>{1, 3, 0, 20});
  CHECK(of_counting<2>([](auto x) { return stack<0>(x, x + 5); }) == tensor<double, 2, 2>{0, 5, 1, 6});
  CHECK(of_counting<2>([](auto x) { return stack<1>(x, x + 5); }) == tensor<double, 2, 2>{0, 1, 5, 6});
  CHECK(of_counting<2>([](auto x) { return stack<1>(stack<0>(x, x), stack<0>(x, x)); }) ==
        tensor<double, 2, 2, 2>{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(of_counting<1, 2>([](auto x) { return pad<1, 1, 2>(x, 9); }) == tensor<double, 1, 5>{9, 0, 1, 9, 9});
  CHECK(of_counting<2>([](auto x) { return pad<0, 0, 0>(x, 9); }) == tensor<double, 2>{0, 1});
  CHECK(of_counting<2>([](auto x) { return repeat<0, 2>(x); }) == tensor<double, 4>{0, 0, 1, 1});
  CHECK(of_counting<2>([](auto x) { return tile<2, 2>(x); }) == tensor<double, 4, 2>{0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(of_counting<2, 1>([](auto x) { return broadcast<2, 3>(x); }) == tensor<double, 2, 3>{0, 1, 0, 1, 0, 1});
}

TEST_CASE("gradients of views and joins by hand") {
  // Entry i occurs in parts with weights; what is padded with has none.
  auto const g = grad([](auto x) {
    return sum(
        cwise_product(pad<0, 1, 1>(concat<0>(x, 2 * reverse<0>(x)), 5), cumsum<0>(ones<8>() + 0 * pad<0, 5, 0>(x))));
  })(tensor<double, 3>{7, 8, 9});
  CHECK(g == tensor<double, 3>{2 + 2 * 7, 3 + 2 * 6, 4 + 2 * 5});
  auto const repeated =
      grad([](auto x) { return sum(cwise_product(repeat<0, 2>(x), tile<2>(x))); })(tensor<double, 2>{3, 5});
  CHECK(repeated == tensor<double, 2>{2 * 3 + 5 + 5, 2 * 5 + 3 + 3});  // (a a b b) (a b a b) = a² + ab + ab + b²
}
