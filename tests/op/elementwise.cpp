#include <etch/op/elementwise.hpp>
#include <etch/op/reduce.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

TEST_CASE("one include gives every family") {
  constexpr auto each = [](auto x) {
    return exp(x) + sqrt(x) + sin(x) + tanh(x) + sigmoid(x) + relu(x) + abs(x) + max(x, 0);
  };
  CHECK(grad(each)(4.0) ==
        doctest::Approx(std::exp(4) + 0.25 + std::cos(4) + 1 - std::pow(std::tanh(4), 2) + 0.017662706213291118 + 3));
}

TEST_CASE("relu at its kink, and sigmoid far out") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto each = [](auto a, auto b) { return sum(relu(a)) + sum(sigmoid(b)); };
    std::vector<T> const at_relu{0, T(-0.0), not_a_number<T>, 3, -2, infinity<T>, -infinity<T>},
        by_relu{0, 0, not_a_number<T>, 1, 0, 1, 0};
    std::vector<T> const far{1000, -1000, infinity<T>, -infinity<T>, 0}, by_sigmoid{0, 0, 0, 0, T(0.25)};
    for (std::size_t shift = 0; shift < 7; ++shift) {
      auto const gradients =
          value_and_grad<wrt<0, 1>>(each)(repeated<T, N>(at_relu, shift), repeated<T, N>(far, shift)).grad;
      check_repeated(std::get<0>(gradients), by_relu, shift);
      check_repeated(std::get<1>(gradients), by_sigmoid, shift);
    }
  });
}
