#include <etch/op/elementwise.hpp>
#include <etch/op/reduce.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

TEST_CASE("at kinks and poles the gradient is what is promised") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto each = [](auto a, auto b, auto c, auto d) {
      return sum(relu(a)) + sum(log(b)) + sum(sqrt(c)) + sum(cwise_product(d, sqrt(d)));
    };
    std::vector<T> const at_relu{0, T(-0.0), not_a_number<T>, 3, -2, infinity<T>, -infinity<T>}, by_relu{0, 0, not_a_number<T>, 1, 0, 1, 0};
    std::vector<T> const at_log{0, -1, 2, not_a_number<T>, infinity<T>, -infinity<T>},
        by_log{infinity<T>, not_a_number<T>, T(0.5), not_a_number<T>, 0, not_a_number<T>};
    std::vector<T> const at_sqrt{0, 4, -1, not_a_number<T>, infinity<T>},
        by_sqrt{infinity<T>, T(0.25), not_a_number<T>, not_a_number<T>, 0};
    std::vector<T> const at_product{0, 4, not_a_number<T>}, by_product{not_a_number<T>, 3, not_a_number<T>};
    for (std::size_t shift = 0; shift < 7; ++shift) {
      auto const [value, gradients] = value_and_grad<wrt<0, 1, 2, 3>>(each)(
          repeated<T, N>(at_relu, shift), repeated<T, N>(at_log, shift), repeated<T, N>(at_sqrt, shift), repeated<T, N>(at_product, shift));
      check_repeated(std::get<0>(gradients), by_relu, shift);
      check_repeated(std::get<1>(gradients), by_log, shift);
      check_repeated(std::get<2>(gradients), by_sqrt, shift);
      check_repeated(std::get<3>(gradients), by_product, shift);
      static_cast<void>(value);
    }
  });
}

TEST_CASE("saturated functions are flat, not NaN") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto each = [](auto a, auto b, auto c) { return sum(tanh(a)) + sum(sigmoid(b)) + sum(exp(c)); };
    std::vector<T> const far{1000, -1000, infinity<T>, -infinity<T>};
    for (std::size_t shift = 0; shift < 4; ++shift) {
      auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>(each)(repeated<T, N>(far, shift), repeated<T, N>(far, shift),
                                                                         repeated<T, N>({-1000, -infinity<T>}, shift));
      check_repeated(std::get<0>(gradients), std::vector<T>{0, 0, 0, 0}, shift);
      check_repeated(std::get<1>(gradients), std::vector<T>{0, 0, 0, 0}, shift);
      check_repeated(std::get<2>(gradients), std::vector<T>{0, 0}, shift);
      CHECK(std::isfinite(value));
    }
  });
}

TEST_CASE("derivatives of one variable at a few points known by heart") {
  constexpr double pi = 3.14159265358979323846;
  CHECK(grad([](auto x) { return sin(x); })(0.0) == 1);
  CHECK(grad([](auto x) { return cos(x); })(pi / 2) == doctest::Approx(-1));
  CHECK(grad([](auto x) { return tanh(x); })(0.0) == 1);
  CHECK(grad([](auto x) { return sigmoid(x); })(0.0) == 0.25);
  CHECK(grad([](auto x) { return exp(log(x)); })(7.0) == doctest::Approx(1));
  CHECK(grad([](auto x) { return square(sqrt(x)); })(3.0) == doctest::Approx(1));
}
