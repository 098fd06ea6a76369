// eigh: derivatives against differences at two orders; program, tape, block and constant agree.
#include <etch/op/linalg/eigh.hpp>

#include "op/everywhere.hpp"

using namespace etch;

TEST_CASE("derivatives agree with differences, at two orders and in every evaluation") {
  auto const of_all = [](auto x) {
    auto const [w, v] = eigh(x);
    return sum(sin(w) * w(0)) + sum(cwise_product(square(v), exp(0.3 * v)) * w) + sum(v(0, 2) * v);
  };
  everywhere::check([] { return std::tuple(tensor<double, 3, 3>{1, 0.7, -0.4, 0.7, 2.5, 0.3, -0.4, 0.3, -1}); },
                    of_all);
}
