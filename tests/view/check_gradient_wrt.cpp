// check_gradient: some of the arguments alone.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

constexpr auto squared_error = [](auto w, auto x, auto y) { return square(dot(w, x) - y); };
/// The rule of the first argument is off by 1 %, at the first order, or is not that of the rule at the second.
constexpr auto wrong = [](auto w, auto x) {
  auto const cubed = custom_vjp([](auto a) { return cube(a); },
                                [](auto u, auto, auto a) { return cwise_product(u, 3.03 * square(a)); });
  return dot(cubed(w), x);
};
constexpr auto wrong_above = [](auto w, auto b) {
  auto const cubed = custom_vjp([](auto a) { return a * a * a; },
                                [](auto u, auto, auto a) { return u * (2.0 * a * a + stop_gradient(a * a)); });
  return cubed(w) * b * b;
};

}  // namespace

TEST_CASE("some arguments may be checked alone, at every order") {
  tensor<double, 2> const w{0.5, -1}, x{1, 2};
  CHECK_FALSE(check_gradient<wrt<0>>(wrong, w, x).ok);
  gradient_check const by_x = check_gradient<wrt<1>>(wrong, w, x);
  CHECK(by_x.ok);
  CHECK(by_x.leaves.size() == 1);
  CHECK(by_x.leaves[0].name == "argument 1");
  CHECK(check_gradient<wrt<2, 0>>(squared_error, w, x, 3.0).leaves.size() == 2);
  CHECK_FALSE(check_gradient<2>(wrong_above, 2.0, 3.0).ok);
  CHECK(check_gradient<wrt<1>, 2>(wrong_above, 2.0, 3.0).ok);
}
