// What is no function of neighbours is found out, and has all entries of its Hessian.
#include "transform/neighbours.hpp"

using namespace etch;
using namespace neighbours;

TEST_CASE("what is no function of neighbours has its other entries too") {
  auto const x = same::filled_with<tensor<double, 18>>(5);
  auto const check = [&](auto f) {
    CHECK(wrong_entries(f, x) == 0);
    CHECK(!is_along_diagonals(hessian(f), x));
  };
  check([](auto v) { return log(sum(exp(v))); });  // all by all
  check([](auto v) {
    return sum(cwise_product(square(v.template head<9>()), reverse<0>(v.template tail<9>())));
  });                                                                     // across
  check([](auto v) { return sum(square(v) * v(0)); });                    // one by all
  check([](auto v) { return sum(sin(v)) * sum(v.template head<2>()); });  // sums multiplied
  check([](auto v) { return sum(cwise_product(square(v), reverse<0>(v))); });
  check([](auto v) { return sum(exp(cumsum<0>(v))); });
  check([](auto v) { return sum(square(v * transpose(v))); });
}

TEST_CASE("many small parts, and sums of sums that share their terms, go another way") {
  auto const by_numbers = [](auto v) {
    auto y = 100 * square(v(1) - square(v(0))) + square(1 - v(0));
    for (int i = 1; i < 17; ++i) y = y + 100 * square(v(i + 1) - square(v(i))) + square(1 - v(i));
    return y;
  };
  CHECK(wrong_entries(by_numbers, same::filled_with<tensor<double, 18>>(6)) == 0);
  auto const shared = [](auto v) {
    auto a = sin(v), b = cos(v);
    for (int i = 0; i < 30; ++i) {
      auto const c = a + b;
      a = b, b = c;
    }
    return b;
  };
  auto const x = same::filled_with<tensor<double, 7>>(7);
  auto const by_shape = jacobian(shared)(x), by_rows = jacrev(shared)(x);
  for (std::size_t i = 0; i < 49; ++i) CHECK(by_shape[i] == doctest::Approx(by_rows[i]));
}
