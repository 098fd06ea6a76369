#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <memory>

namespace {

using namespace etch;

// Structure is identity: other names, other local variables, another order of independent statements.
constexpr auto one_way = [](auto a, auto b) {
  auto const left = exp(a);
  auto const right = sin(b);
  return sum(left * right);
};
constexpr auto another_way = [](auto first, auto second) {
  auto const s = sin(second);
  auto const unused = tanh(first);
  static_cast<void>(unused);
  return sum(exp(first) * s);
};
constexpr auto something_else = [](auto a, auto b) { return sum(exp(b) * sin(a)); };
using square_matrix = tensor<float, 3, 3>;
static_assert(same_program<decltype(compile(one_way, square_matrix{}, square_matrix{})),
                           decltype(compile(another_way, square_matrix{}, square_matrix{}))>);
static_assert(!same_program<decltype(compile(one_way, square_matrix{}, square_matrix{})),
                            decltype(compile(something_else, square_matrix{}, square_matrix{}))>);
static_assert(!same_program<decltype(compile(one_way, square_matrix{}, square_matrix{})),
                            decltype(compile<wrt<1>>(one_way, square_matrix{}, square_matrix{}))>);

constexpr auto squares = [](auto a, auto b) { return sum(cwise_product(square(a), b)) + sum(a * b); };

}  // namespace

TEST_CASE("a call gives the value and leaves the gradient in the program") {
  tensor<double, 2, 2> a{1, 2, 3, 4}, b{5, 6, 7, 8};
  auto step = compile<wrt<0, 1>>(squares, a, b);
  // sum(a² b) = 5 + 24 + 63 + 128; a b = [23 34; 31 46], sum 134.
  CHECK(step(a, b) == 354);
  CHECK(step.value() == 354);
  // d/da = 2 a b + (column sums of bᵀ), d/db = a² + row sums.
  CHECK(step.grad<0>() == tensor<double, 2, 2>{10 + 12, 24 + 12 + 0, 42 + 14, 64 + 14});
  CHECK(step.grad<1>() == tensor<double, 2, 2>{1 + 3, 4 + 7, 9 + 3, 16 + 7});
}

TEST_CASE("into overwrites, add_to accumulates, the program's own gradient stays") {
  tensor<double, 3> a{1, 2, 3};
  auto step = compile([](auto x) { return sum(square(x)); }, a);
  step(a);
  tensor<double, 3> mine{100, 100, 100};
  a = {2, 2, 2};
  CHECK(step(a, into(mine)) == 12);
  CHECK(mine == tensor<double, 3>{4, 4, 4});
  CHECK(step.grad<0>() == tensor<double, 3>{2, 4, 6});
  CHECK(step(a, add_to(mine)) == 12);
  CHECK(mine == tensor<double, 3>{8, 8, 8});
}

TEST_CASE("a gradient target may be an argument of the same call") {
  tensor<double, 5> a, expected;
  for (std::size_t i = 0; i < 5; ++i) a[i] = static_cast<double>(i + 1);
  constexpr auto coupled = [](auto x) { return square(sum(x)) + sum(exp(x / sum(x))); };
  auto step = compile(coupled, a);
  step(a, into(expected));
  tensor<double, 5> b = a;
  step(b, into(b));
  CHECK(b == expected);
  b = a;
  step(b, add_to(b));
  for (std::size_t i = 0; i < 5; ++i) CHECK(b[i] == a[i] + expected[i]);
}

TEST_CASE("what would give wrong gradients is refused with a sentence") {
  tensor<double, 3> a{1, 2, 3}, b{4, 5, 6}, one;
  auto step = compile<wrt<0, 1>>([](auto x, auto y) { return sum(cwise_product(x, y)); }, a, b);
  step(a, b);
  auto const before = on_mistake;
  on_mistake = [](char const* sentence) { throw exception(sentence); };
  CHECK_THROWS_WITH_AS(step(a, b, into(one, one)), "etch: two gradient targets of one call overlap in memory",
                       exception);
  CHECK_THROWS_AS(step(step.grad<1>(), b), exception);
  on_mistake = before;
}

TEST_CASE("the same argument may be passed twice") {
  tensor<double, 3> a{1, 2, 3};
  auto step = compile<wrt<0, 1>>([](auto x, auto y) { return sum(cwise_product(square(x), y)); }, a, a);
  CHECK(step(a, a) == 36);
  CHECK(step.grad<0>() == tensor<double, 3>{2, 8, 18});
  CHECK(step.grad<1>() == tensor<double, 3>{1, 4, 9});
}

TEST_CASE("without wrt a program computes a result of any shape") {
  tensor<float, 2, 3> a{1, 2, 3, 4, 5, 6};
  auto forward = compile<wrt<>>([](auto x) { return transpose(x) * 2; }, a);
  CHECK(forward(a) == tensor<float, 3, 2>{2, 6, 10, 4, 8, 12});
  auto gram = compile<wrt<>>([](auto x) { return x * transpose(x); }, a);
  CHECK(gram(a) == tensor<float, 2, 2>{35, 44, 44, 56});
}

TEST_CASE("an argument that cannot matter is allowed where that is said") {
  tensor<double, 3> a{1, 2, 3};
  auto step = compile<wrt<0, 1>, allow_unused>([](auto x, auto) { return sum(square(x)); }, a, 2.0);
  step(a, 2.0);
  CHECK(step.grad<1>() == 0);
  CHECK(step.grad<0>() == tensor<double, 3>{2, 4, 6});
}

TEST_CASE("equal calls give equal bits, wherever the arguments lie") {
  constexpr int n = 4000;
  auto const pool = std::make_unique<float[]>(n + 32);
  nn::generator random(5);
  std::vector<float> x(n);
  for (float& e : x) e = static_cast<float>(random.normal());
  using map = Eigen::Map<Eigen::Matrix<float, 50, 80>>;
  float reference = 0;
  for (int shift = 0; shift < 17; ++shift) {
    std::copy(x.begin(), x.end(), pool.get() + shift);
    map const at(pool.get() + shift);
    auto const [value, gradient] = value_and_grad([](auto a) { return sum(sin(a)) + mean(exp(a)); })(at);
    if (shift == 0) reference = value;
    CHECK(value == reference);
  }
}
