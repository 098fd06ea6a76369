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
