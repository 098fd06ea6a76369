#include <etch/op/constants.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <class X>
constexpr auto result(auto f, X const& x) {
  auto program = compile<wrt<>>(f, x);
  return std::remove_cvref_t<decltype(program(x))>(program(x));
}

}  // namespace

TEST_CASE("constants take the element type of what they meet, on either side") {
  constexpr double third = 1.0 / 3;
  tensor<double, 2, 2> const x{third, 1, 2, 3};
  CHECK(result([](auto m) { return m + identity<2>(); }, x) == tensor<double, 2, 2>{third + 1, 1, 2, 4});
  CHECK(result([](auto m) { return 2 * identity<2>() - m; }, x) == tensor<double, 2, 2>{2 - third, -1, -2, -1});
  CHECK(result([](auto m) { return identity<2>() * m * identity<2>(); }, x) == x);
  CHECK(result([](auto m) { return cwise_product(ones<1, 2>(), m) + zeros<2, 2>(); }, x) == x);
  CHECK(result([](auto m) { return m + full<2, 2>(0.1) - -identity<2>() / 10; }, tensor<double, 2, 2>{}) ==
        tensor<double, 2, 2>{0.2, 0.1, 0.1, 0.2});
  CHECK(result([](auto m) { return ones<2>() * row<0>(m); }, x) == tensor<double, 2, 2>{third, third, 2, 2});
  static_assert(std::is_same_v<decltype(result([](auto m) { return m + identity<2>(); }, tensor<float, 2, 2>{})),
                               tensor<float, 2, 2>>);
}

TEST_CASE("constants first in a join take the element type of the others") {
  tensor<double, 2> const x{1.0 / 3, 2};
  CHECK(result([](auto v) { return concat<0>(ones<1>(), v, full<1>(0.1)); }, x) ==
        tensor<double, 4>{1, 1.0 / 3, 2, 0.1});
  CHECK(result([](auto v) { return stack<0>(zeros<2>(), v); }, x) == tensor<double, 2, 2>{0, 1.0 / 3, 0, 2});
  CHECK(result([](auto v) { return concat(stack(zeros<2>(), v), stack(v, 1.0 * v)); }, x) ==
        tensor<double, 4, 2>{0, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0, 2, 2, 2});
  CHECK(result([](auto v) { return concat<1>(identity<2>(), stack<1>(v, v)); }, x) ==
        tensor<double, 2, 4>{1, 0, 0, 1, 1.0 / 3, 2, 1.0 / 3, 2});
  CHECK(grad([](auto v) { return sum(square(concat<0>(ones<1>(), v))); })(x) == tensor<double, 2>{2.0 / 3, 4});
}

TEST_CASE("what follows from constants alone is a constant") {
  static_assert(constant_handle<decltype(1.0 - ones<3>())> && (1.0 - ones<3>() / 4).immediate == 0.75);
  static_assert(std::is_same_v<decltype(sum(ones<3>())), constant_expr<undetermined, false>> &&
                double(sum(ones<3>() * 2)) == 6);
  static_assert((-2 * identity<3>() / 4).id == identity_id && (-2 * identity<3>() / 4).immediate == -0.5);
  static_assert(transpose(full<2, 3>(0.1)).immediate == 0.1 && exp(zeros<2>()).immediate == 1);
  static_assert((identity<3>() + ones<3, 3>()).id == recipe_id && stack<0>(1, 2).id == recipe_id &&
                stack<0>(2, 2).id == recipe_id);
  static_assert(std::is_same_v<decltype(stack<0>(1, 2.5)), constant_expr<undetermined, false, 2>>);
  static_assert(std::is_same_v<decltype(ones<3>() + expr<double, 3>()), expr<double, 3>>);
  static_assert(std::is_same_v<decltype(select(expr<float, 3>() > 0, ones<3>(), zeros<3>())), expr<float, 3>>);
  static_assert(
      std::is_same_v<decltype(select(ones<3>() > 0, 1.0, zeros<3>())), constant_expr<undetermined, false, 3>>);
  static_assert(std::is_same_v<decltype(select(true, ones<3>(), expr<double>())), expr<double, 3>>);
  static_assert(std::is_same_v<decltype(expr<int, 3>() + ones<3>()), expr<float, 3>>,
                "beside integers alone constants are float");
  static_assert(std::is_same_v<decltype(select(expr<bool, 3>(), ones<3>(), zeros<3>())), expr<float, 3>>);
}

TEST_CASE("a cast says the element type of a constant") {
  static_assert(std::is_same_v<decltype(cast<float>(identity<3>() + 1)), constant_expr<float, false, 3, 3>>);
  static_assert(full<2>(0.1).cast<float>().immediate == static_cast<double>(0.1f));
  tensor<double, 2, 2> const x{1, 2, 3, 4};
  CHECK(result([](auto m) { return m + cast<double>(0.1 * identity<2>() + ones<2, 2>()); }, x) ==
        tensor<double, 2, 2>{2.1, 3, 4, 5.1});
  // 0.1 and 0.1 * 3 are floats before they become doubles.
  CHECK(result([](auto m) { return m + cast<double>(cast<float>(0.1 * stack<1>(stack<0>(1, 3), ones<2>()))); },
               tensor<double, 2, 2>{}) == tensor<double, 2, 2>{static_cast<double>(0.1f),
                                                               static_cast<double>(static_cast<float>(0.1 * 3)),
                                                               static_cast<double>(0.1f), static_cast<double>(0.1f)});
}

namespace {
constexpr auto rotation = stack<1>(stack<0>(0.0, 1.0), stack<0>(-1.0, 0.0));
}

TEST_CASE("a constant may stand outside the loss, and be assigned to") {
  tensor<float, 2> const x{3, 4};
  CHECK(result([](auto v) { return rotation * v; }, x) == tensor<float, 2>{-4, 3});
  CHECK(result(
            [](auto v) {
              auto r = rotation;
              for (int i = 0; i < 3; ++i) r = r * rotation;
              auto sum_of_powers = 2 * rotation;
              sum_of_powers += identity<2>();
              return r * v + sum_of_powers * v;
            },
            x) == tensor<float, 2>{3 + 3 - 8, 4 + 4 + 6});
}

TEST_CASE("a value of a declared type begins as a constant") {
  tensor<double, 2> const x{3, 4};
  CHECK(result(
            [](auto v) {
              typename decltype(v)::Scalar total = sum(ones<2>());
              decltype(v) y = 0.5 * ones<2>();
              expr<double, 2, 2> m = 2 * identity<2>();
              total += v(0);
              y += m * v;
              return y * total;
            },
            x) == tensor<double, 2>{6.5 * 5, 8.5 * 5});
}

TEST_CASE("numbers are parts of joins") {
  tensor<double, 2> const x{3, 4};
  CHECK(result([](auto v) { return concat<0>(1, v, 0.5f); }, x) == tensor<double, 4>{1, 3, 4, 0.5});
  CHECK(result([](auto v) { return stack<0>(1, v(1), 0.1); }, x) == tensor<double, 3>{1, 4, 0.1});
  CHECK(result([](auto v) { return concat<0>(v, stack<0>(0.1, 0.2)) + concat<0>(ones<2>(), zeros<2>()); }, x) ==
        tensor<double, 4>{4, 5, 0.1, 0.2});
  CHECK(grad([](auto v) { return sum(square(stack<0>(v(0), 2, v(1) * v(0)))); })(x) ==
        tensor<double, 2>{6 + 2 * 12 * 4, 2 * 12 * 3});
}
