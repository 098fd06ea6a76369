// Sorting in a program, on a tape, as a block and in constant evaluation, to second order.
#include "op/everywhere.hpp"

#include <limits>

using namespace everywhere;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("along every axis, in a program, on a tape and in constant evaluation, to second order") {
  check([] { return std::tuple{sample<3, 5>(1), sample<3, 5>(2)}; },
        [](auto x, auto w) {
          return sum(cwise_product(exp(sort(x)), w)) + sum(cwise_product(sort<1>(cwise_product(x, w)), square(w)));
        });
  check([] { return std::tuple{sample<2, 3, 2, 2>(3), sample<2, 3, 2, 2>(4)}; },
        [](auto x, auto w) { return sum(cwise_product(square(sort<3>(x)), w)) + sum(sort<2>(w)(1, 2, 1, 0) * x); },
        false);
}

TEST_CASE("ties and special values are the same everywhere") {
  check([] { return std::tuple{tensor<double, 6>{1, 0, 1, -0.0, 0, 1}, tensor<double, 6>{1, 2, 3, 4, 5, 6}}; },
        [](auto x, auto w) { return sum(cwise_product(sort(x), w)) + sum(cwise_product(argsort(x), square(w))); },
        false, 0);
  check([] { return std::tuple{tensor<double, 4>{nan_, 1, nan_, -inf}, tensor<double, 4>{1, 2, 3, 4}}; },
        [](auto x, auto w) { return sum(cwise_product(slice<0, 0, 2>(sort(x)), slice<0, 1, 2>(w))); }, false, 0);
  check([] { return std::tuple{sample<1, 3>(1), sample<1, 3>(2)}; },
        [](auto x, auto w) {
          return sum(cwise_product(sort<0>(x), w)) + sum(argsort<0>(x)) + sum(cwise_product(sort<1>(x), w));
        },
        false);
}
