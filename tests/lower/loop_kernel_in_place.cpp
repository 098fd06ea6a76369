// A carry that alternates between two buffers takes the one that it begins with for one of
// them, where nobody else reads that.
#include <etch/lower/loop_kernel.hpp>

#include "transform/same.hpp"

#include <etch/transform/scan.hpp>

#include <doctest/doctest.h>

using namespace etch;
using namespace same;

namespace {

constexpr int rows = 64;
template <int D>
using square_matrix = tensor<double, D, D>;
constexpr std::int64_t matrix_bytes = sizeof(square_matrix<rows>);

template <int Steps>
constexpr auto chain =
    [](auto x, auto z) { return sum(square(etch::repeat<Steps>([&](auto c) { return x * c; }, z))); };
template <int Steps>
constexpr auto unrolled_chain = [](auto x, auto z) {
  if constexpr (Steps == 1) return sum(square(x * z));
  else if constexpr (Steps == 2) return sum(square(x * (x * z)));
  else if constexpr (Steps == 3) return sum(square(x * (x * (x * z))));
  else return sum(square(x * (x * (x * (x * z)))));
};

/// The memory of the chain's gradient besides one matrix a step.
template <int Steps, int... I>
constexpr std::int64_t besides =
    decltype(compile<wrt<I...>>(chain<Steps>, square_matrix<rows>{}, square_matrix<rows>{}))::facts.workspace_bytes -
    Steps * matrix_bytes;

// d/dx: the adjoint that the way back begins with, one more that alternates with it, and a packed operand of a product.
static_assert(besides<2, 0> <= 3 * matrix_bytes);
static_assert(besides<3, 0> == besides<2, 0> && besides<4, 0> == besides<2, 0> && besides<25, 0> == besides<2, 0>);
static_assert(besides<100, 0> == besides<2, 0>);

using pass::alternates_with_operand;
static_assert(!alternates_with_operand(loop_output::carry, false, 1) &&
              alternates_with_operand(loop_output::carry, false, 2));
static_assert(!alternates_with_operand(loop_output::carry, true, 1) &&
              !alternates_with_operand(loop_output::carry, true, 2));
static_assert(alternates_with_operand(loop_output::carry, true, 3) &&
              !alternates_with_operand(loop_output::carry, true, 4));
static_assert(!alternates_with_operand(loop_output::stack, false, 3) &&
              !alternates_with_operand(loop_output::sum, false, 3));

/// How many operands of loops in a program are written over.
template <class Program>
consteval int written_over() {
  int count = 0;
  for (pass::kernel const& k : run::kernels_of<typename Program::executable>())
    if (k.head.computes == pass::form::loop)
      for (pass::access const& a : k.inputs) count += a.bits != 0;
  return count;
}
template <auto F, int... I>
constexpr int written_over_in = written_over<decltype(compile<wrt<I...>>(F, square_matrix<4>{}, square_matrix<4>{}))>();

// Without a result of the carry for any number of steps but one, with a result for odd numbers.
static_assert(written_over_in<chain<1>, 0> == 0 && written_over_in<chain<2>, 0> == 1 &&
              written_over_in<chain<3>, 0> == 1);
static_assert(written_over_in<chain<1>, 1> == 0 && written_over_in<chain<2>, 1> == 0 &&
              written_over_in<chain<3>, 1> == 1);
static_assert(written_over_in<chain<4>, 1> == 0);

constexpr auto read_again = [](auto x, auto z) {
  auto const begin = stop_gradient(tanh(z * z));
  return sum(etch::repeat<3>([&](auto c) { return x * c; }, begin) * begin);
};
constexpr auto read_again_unrolled = [](auto x, auto z) {
  auto const begin = stop_gradient(tanh(z * z));
  return sum(x * (x * (x * begin)) * begin);
};
static_assert(written_over_in<read_again, 0> == 1);  // on the way back

constexpr auto two_from_one = [](auto x, auto z) {
  auto const begin = tanh(z * z);
  auto const [a, b] = etch::repeat<3>(
      [&](auto carry) {
        auto const [c, d] = carry;
        return std::tuple{x * d, x * c + d};
      },
      std::tuple{begin, begin});
  return sum(cwise_product(a, b));
};
constexpr auto two_from_one_unrolled = [](auto x, auto z) {
  auto c = tanh(z * z), d = 1.0 * c;
  auto const c1 = x * d, d1 = x * c + d, c2 = x * d1, d2 = x * c1 + d1;
  return sum(cwise_product(x * d2, x * c2 + d2));
};

}  // namespace

TEST_CASE("the chain with few steps is what it is unrolled, to whatever its gradient is asked for") {
  auto const x = filled_with<square_matrix<5>>(1), z = filled_with<square_matrix<5>>(2);
  auto const check_steps = [&]<int Steps>(std::integral_constant<int, Steps>) {
    check_same(std::integer_sequence<int, 0>{}, chain<Steps>, unrolled_chain<Steps>, x, z);
    check_same(std::integer_sequence<int, 1>{}, chain<Steps>, unrolled_chain<Steps>, x, z);
    check_same(std::integer_sequence<int, 0, 1>{}, chain<Steps>, unrolled_chain<Steps>, x, z);
  };
  SUBCASE("1") { check_steps(std::integral_constant<int, 1>{}); }
  SUBCASE("2") { check_steps(std::integral_constant<int, 2>{}); }
  SUBCASE("3") { check_steps(std::integral_constant<int, 3>{}); }
  SUBCASE("4") { check_steps(std::integral_constant<int, 4>{}); }
}

TEST_CASE("an operand that is read elsewhere stays what it is") {
  auto const x = filled_with<square_matrix<5>>(3), z = filled_with<square_matrix<5>>(4);
  check_same(std::integer_sequence<int, 0>{}, read_again, read_again_unrolled, x, z);
  check_same(std::integer_sequence<int, 0, 1>{}, two_from_one, two_from_one_unrolled, x, z);
  check_same(std::integer_sequence<int, 1>{}, two_from_one, two_from_one_unrolled, x, z);
}
