// Plain tensors of few numbers are constants in functions of traced values, and numbers are operands.
#include <etch/op/stray_operands.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr tensor<double, 3> k{1, -2, 3}, low{0, 0, 0}, high{1, 1, 1};
constexpr tensor<double, 3> x{2, 3, -4};

/// The value of `f` at x and its gradient, by a program, in constant evaluation and on a tape, which agree.
template <class F>
auto everywhere(F f) {
  constexpr auto constant = value_and_grad(F{})(x);
  auto const computed = value_and_grad(f)(x);
  auto const taped = dynamic::value_and_grad(f)(x);
  CHECK(computed.value == constant.value);
  CHECK(computed.grad == constant.grad);
  CHECK(taped.value == constant.value);
  CHECK(taped.grad == constant.grad);
  return constant;
}
bool is(auto const& result, double value, tensor<double, 3> const& gradient) {
  return result.value == value && result.grad == gradient;
}

constexpr auto by_dot = [](auto v) { return dot(k, v) + dot(v, k) + v.dot(k); };
constexpr auto by_select = [](auto v) { return sum(select(v > 0, k, v)) + sum(where(v > 0, v, k)); };
constexpr auto by_clamp = [](auto v) { return sum(clamp(v, low, high)) + sum(clip(v, 0, high)) + sum(clamp(k, v, 9)); };
constexpr auto by_concat = [](auto v) { return dot(concat<0>(k, v, 1.0), concat<0>(v, k, 2.0)); };
constexpr auto by_stack = [](auto v) { return sum(cwise_product(stack<1>(k, v), stack<1>(v, v))); };
constexpr auto by_cross = [](auto v) { return sum(cross(k, v)) + sum(v.cross(k)) + dot(cross(k, v), k + k); };
constexpr auto by_outer = [](auto v) { return sum(outer(k, v)) + sum(matmul(k, transpose(v))); };

constexpr tensor<double, 2> difference{-1, 1};
constexpr tensor<double, 2, 1, 2> two{-1, 1, 1, 1};
constexpr auto by_filter = [](auto v) {
  auto const image = reshape<3, 1, 1, 1>(v);
  return sum(square(conv2d(image, difference))) + sum(conv1d(reshape<3, 1>(v), two)) +
         sum(conv_transpose2d(image, difference));
};
constexpr auto by_table = [](auto v) { return dot(gather<0>(k, slice<0, 0, 2>(v) - 2.0), slice<0, 1, 2>(v)); };

constexpr tensor<double, 2, 2> a{2, 0, 0, 4};
constexpr auto by_solve = [](auto v) { return sum(solve(a, slice<0, 0, 2>(v))) + v(2); };

}  // namespace

TEST_CASE("constants among the operands of functions of traced values") {
  CHECK(is(everywhere(by_dot), 3 * (2 - 6 - 12), {3, -6, 9}));
  CHECK(is(everywhere(by_select), (1 - 2 - 4) + (2 + 3 + 3), {1, 1, 1}));
  CHECK(is(everywhere(by_clamp), (1 + 1 + 0) + (1 + 1 + 0) + (2 + 3 + 3), {1, 1, 0}));
  CHECK(is(everywhere(by_concat), 2 * (2 - 6 - 12) + 2, {2, -4, 6}));
  CHECK(is(everywhere(by_stack), (2 - 6 - 12) + (4 + 9 + 16), {5, 4, -5}));
  CHECK(is(everywhere(by_cross), 0, {0, 0, 0}));
  CHECK(is(everywhere(by_outer), 2 * 2.0 * 1, {4, 4, 4}));
  CHECK(is(everywhere(by_filter), (1 + 49) + (-4 - 2) + 2 - 2 + (5 - 1), {-2 - 1 + 1, 2 + 14 + 2, -14 + 1 + 1}));
  CHECK(is(everywhere(by_table), 1 * 3 + -2 * -4, {0, 1, -2}));
  CHECK(is(everywhere(by_solve), 2 / 2.0 + 3 / 4.0 - 4, {0.5, 0.25, 1}));
}
