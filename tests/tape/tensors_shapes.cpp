// Tensors on a tape against the compiled program: views, parts put together, indices,
// running sums, images, linear algebra.
#include "tape/both.hpp"

using namespace tapes;

namespace {

constexpr auto views = [](auto a, auto b) {
  auto const part = slice<0, 1, 3, 2>(a);
  auto const turned = permute<1, 0>(reverse<0, 1>(b));
  return sum(square(part)) + sum(tanh(turned * a)) + sum(diagonal(a * transpose(b))) +
         sum(square(reshape<5, 7>(transpose(b)))) + sum(prod<0>(transpose(a))) + sum(exp(row<2>(a))) +
         sum(sin(col<1>(b))) + a(3, 2) * b(0, 0) + norm(transpose(a)) + trace(a * transpose(b));
};
constexpr auto assembly = [](auto a, auto b) {
  auto const all = concat<1>(a, sin(b), a);
  auto const deep = stack<2>(a, b);
  auto const padded = pad<0, 1, 2>(pad<1, 0, 1>(b, 0.5));
  return sum(square(all)) + sum(tanh(deep)) + sum(square(padded)) + sum(cwise_product(repeat<0, 2>(a), tile<2, 1>(b))) +
         sum(square(cumsum<0>(a))) + sum(cumsum<1>(reverse<1>(b))) + sum(square(tril<0>(a * transpose(b)))) +
         sum(sin(triu<1>(b)));
};
constexpr auto batched = [](auto a, auto b) { return sum(tanh(matmul(a, b))) + sum(square(permute<2, 0, 1>(a))); };
constexpr auto indexed = [](auto a, auto i) {
  return sum(square(gather<0>(a, i))) + sum(cwise_product(transpose(gather<0>(a, i)), one_hot<5, double>(i)));
};
constexpr auto images = [](auto x, auto k) {
  return sum(square(conv2d(x, k))) + sum(tanh(conv2d<2, 1>(x, k))) + sum(square(max_pool<2>(x))) +
         sum(avg_pool<2>(sin(x))) + sum(cwise_product(conv_transpose2d(conv2d(x, k), k), x));
};
constexpr auto algebra = [](auto a, auto b) {
  auto const positive = a * transpose(a) + identity<5>() * 2;
  return logdet(positive) + sum(square(solve(positive, b))) + sum(inverse(positive)) + sum(cholesky(positive)) +
         det(positive) / 100 + sum(triangular_solve(cholesky(positive), b));
};

template <class T>
void check() {
  auto const a = random<tensor<T, 7, 5>>(1), b = random<tensor<T, 7, 5>>(2);
  check_every_mask<T>(128, views, a, b);
  check_every_mask<T>(128, assembly, a, b);
  check_both<T, wrt<0, 1>>(128, batched, random<tensor<T, 5, 3, 2>>(3), random<tensor<T, 3, 4, 2>>(4));
  check_both<T, wrt<0>>(128, indexed, a, tensor<int, 5>{0, 2, 2, 4, 1});
  check_both<T, wrt<1, 0>>(256, images, random<tensor<T, 6, 5, 2, 2>>(5), random<tensor<T, 3, 2, 2, 2>>(6));
  check_every_mask<T>(4096, algebra, random<tensor<T, 5, 5>>(7, -1, 1), random<tensor<T, 5, 2>>(8));
}

}  // namespace

TEST_CASE("views, assembly, indices, images and linear algebra on a tape") { check<double>(); }

TEST_CASE_TEMPLATE("zeros keep their signs where parts are put together", T, float, double) {
  constexpr auto f = [](auto x, auto y) {
    auto const along = concat<0>(x, y, x);
    auto const stacked = flatten(stack<0>(y, x));
    auto const padded = pad<0, 2, 1>(x, 0.5);
    auto const rolled = roll<0, 1>(x);
    auto const scalars = stack<0>(x(0), x(1), y(0));
    return atan2(concat<0>(along, stacked, padded, rolled, scalars), -1.0);
  };
  tensor<T, 2> const x{0, T(-0.0)}, y{-1, 2};
  auto program = compile<wrt<>>(f, x, y);
  auto const& expected = program(x, y);
  CHECK(expected[0] > 0);
  CHECK(expected[1] < 0);
  tape<T> t;
  var<T, 20> const got = f(t.watch(x), t.watch(y));
  for (int i = 0; i < 20; ++i) CHECK(value(got)(i) == doctest::Approx(expected(i)));
}
