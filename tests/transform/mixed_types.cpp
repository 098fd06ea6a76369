// Derivatives of functions of floats and doubles are those of the same function of doubles, to the digits of a float.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

using namespace etch;

namespace {

constexpr auto wide = [](auto x) { return cast<double>(x); };
constexpr auto several = [](auto x, auto p) {
  return stack<0>(wide(tanh(x(0) * x(1))) * p(0), wide(x(2)) * p(1), p(0) * p(1));
};
constexpr auto one = [](auto x, auto p) {
  return square(wide(tanh(x(0) * x(1))) * p(0)) + wide(x(2) * x(2)) * p(1) * p(0);
};
constexpr auto steps = [](auto x, auto p) {
  return scan([&](auto h, auto v) { return h + sum(wide(tanh(x * cast<float>(v)))) * p(0); }, p(1), p);
};
constexpr auto steps_of_doubles = [](auto x, auto p) {
  return scan([&](auto h, auto v) { return h + sum(tanh(x * v)) * p(0); }, p(1), p);
};

tensor<float, 3> const x{0.125f, 0.25f, 0.375f};
tensor<double, 3> const same_x{0.125, 0.25, 0.375};
tensor<double, 2> const p{0.75, 0.875};

template <class A, class B>
void check_near(A const& got, B const& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    CHECK(static_cast<double>(got[i]) == doctest::Approx(static_cast<double>(expected[i])).epsilon(1e-6));
}

}  // namespace

TEST_CASE("Jacobians by shape, rows and columns, in the type of the result") {
  auto const expected = jacobian<wrt<0, 1>>(several)(same_x, p);
  tensor<double, 3, 5> const by_shape = jacobian<wrt<0, 1>>(several)(x, p);
  check_near(by_shape, expected);
  check_near(jacrev<wrt<0, 1>>(several)(x, p), expected);
  check_near(jacfwd<wrt<0, 1>>(several)(x, p), expected);
  CHECK(jacobian([](auto v) { return wide(sum(v)) * 2.0; })(x) == tensor<double, 1, 3>{2, 2, 2});
  auto const [y, along] = jvp(several)(x, p, tensor<float, 3>{1, 2, 3}, tensor<double, 2>{0.5, -1});
  check_near(along, std::get<1>(jvp(several)(same_x, p, tensor<double, 3>{1, 2, 3}, tensor<double, 2>{0.5, -1})));
}

TEST_CASE("Hessians, Laplacians and derivatives of higher order, in the type of the argument") {
  tensor<float, 3, 3> const h = hessian(one)(x, p);
  check_near(h, hessian(one)(same_x, p));
  CHECK(laplacian(one)(x, p) == doctest::Approx(laplacian(one)(same_x, p)).epsilon(1e-6));
  check_near(hessian(steps)(x, p), hessian(steps_of_doubles)(same_x, p));
  auto const twice = [](auto a) { return wide(tanh(a)) * 2.0; };
  CHECK(derivative<2>(twice)(0.25f) ==
        doctest::Approx(derivative<2>([](auto a) { return tanh(a) * 2.0; })(0.25)).epsilon(1e-6));
}
