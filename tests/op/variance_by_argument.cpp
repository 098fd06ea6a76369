// `etch::var` is a value on a tape; without a namespace in front, and without `using namespace etch`, the
// variance is found by its argument.
#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

namespace {

constexpr auto spread = [](auto x) { return var(x) + sum(var<0>(x, 1)); };

}  // namespace

TEST_CASE("var is found by its argument") {
  etch::tensor<double, 2, 2> const x{1, 3, 2, 6};
  CHECK(etch::value_and_grad(spread)(x).value == doctest::Approx(3.5 + 2 + 8));
}
