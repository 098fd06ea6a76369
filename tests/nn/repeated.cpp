#include "nn/repeated.hpp"

namespace {

using namespace repetition;

TEST_CASE("equal layers are a loop, with the value and the gradient of the layers one by one") {
  check_same(deep<double, 2>{}, tensor<double, 5, 3>{}, 1e-12);
  check_same(deep<double, 7>{}, tensor<double, 5>{}, 1e-12);
  check_same(deep<double, 1>{}, tensor<double, 5, 3>{}, 1e-12);
  check_same(blocks<double, 6>{}, tensor<double, 4, 3>{}, 1e-12);
  check_same(deep<float, 5>{}, tensor<float, 5, 3>{}, 1e-4);
}

TEST_CASE("the program has the same nodes whatever the number of layers") {
  using few = decltype(compile(looped, deep<double, 2>{}, tensor<double, 5, 3>{}));
  using many = decltype(compile(looped, deep<double, 40>{}, tensor<double, 5, 3>{}));
  static_assert(few::facts.nodes == many::facts.nodes);
  auto const traced = []<int N>(std::integral_constant<int, N>) {
    return pass::trace<decltype(looped), deep<double, N>, tensor<double, 5, 3>>(looped).size();
  };
  CHECK(traced(std::integral_constant<int, 2>{}) == traced(std::integral_constant<int, 40>{}));
  static_assert(few::executable::schedule.kernel_count == many::executable::schedule.kernel_count);
}

TEST_CASE("constant evaluation") {
  constexpr auto make = [](auto loss) {
    nn::repeated<3, nn::dense<double, 2, 2>> body{};
    for (std::size_t i = 0; i < 3; ++i)
      body[i].weight(0, 1) = 0.5, body[i].weight(1, 0) = -0.25 * static_cast<double>(i + 1), body[i].bias(0) = 1;
    return value_and_grad(loss)(body, tensor<double, 2>{0.5, -1});
  };
  constexpr auto known = make([](auto b, auto x) { return sum(square(b(x))); });
  constexpr auto expected = make([](auto b, auto x) { return sum(square(through(b.layers, x))); });
  CHECK(laws::distance(known.value, expected.value) < 1e-14);
  CHECK(apart(known.grad, expected.grad) < 1e-14);
}

}  // namespace
