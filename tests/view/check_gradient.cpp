// check_gradient: finds a wrong rule by the name of its leaf, believes right ones, and does not believe NaN.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace etch;

namespace {

template <class T>
struct line {
  param<T, 2> slope;
  T offset;
  ETCH_MEMBERS(line, slope, offset)
};

constexpr auto squared_error = [](auto m, auto x, auto y) { return square(dot(m.slope, x) + m.offset - y); };
/// The rule of the slope is off by 1 %, at the first order, or is not that of the rule at the second.
constexpr auto wrong = [](auto m, auto x) {
  auto const cubed = custom_vjp([](auto a) { return cube(a); },
                                [](auto u, auto, auto a) { return cwise_product(u, 3.03 * square(a)); });
  return dot(cubed(m.slope), x) + m.offset;
};
constexpr auto wrong_above = [](auto x) {
  auto const cubed = custom_vjp([](auto a) { return a * a * a; },
                                [](auto u, auto, auto a) { return u * (2.0 * a * a + stop_gradient(a * a)); });
  return cubed(x);
};
constexpr auto logs = [](auto x) { return sum(log(x)); };

}  // namespace

TEST_CASE("what is right is believed, at orders 1 to 3, of double and float, at a kink too") {
  line<double> m;
  m.slope = {0.5, -1}, m.offset = 0.25;
  tensor<double, 2> const x{1, 2};
  CHECK(check_gradient(squared_error, m, x, 3.0).ok);
  CHECK(check_gradient(squared_error, m, x, 3.0).worst < 1e-9);
  CHECK(check_gradient(squared_error, m, x, 3.0).leaves.size() == 4);
  CHECK(check_gradient<2>(squared_error, m, x, 3.0).ok);
  CHECK(check_gradient<3>(logs, tensor<double, 2>{1, 2}).ok);
  CHECK(check_gradient(logs, tensor<float, 2>{1, 2}).ok);
  CHECK(check_gradient([](auto a) { return sum(abs(a)); }, tensor<double, 2>{0, 2}).ok);
  CHECK(check_gradient([](auto table, auto at) { return sum(square(gather<0>(table, at))); },
                       tensor<double, 3>{1, 2, 3}, tensor<int, 2>{2, 0})
            .ok);
}

TEST_CASE("what is wrong is named") {
  line<double> m;
  m.slope = {0.5, -1}, m.offset = 0.25;
  gradient_check const c = check_gradient(wrong, m, tensor<double, 2>{1, 2});
  CHECK_FALSE(c.ok);
  CHECK(c.worst == doctest::Approx(0.01 / 1.01));
  CHECK(c.text().find("DISAGREES\nargument 0.slope: entry 1: derivative 6.06, difference 6 ") != std::string::npos);
  CHECK(check_gradient(wrong_above, 2.0).ok);
  CHECK_FALSE(check_gradient<2>(wrong_above, 2.0).ok);
  gradient_check const n = check_gradient(logs, tensor<double, 2>{-1, 2});
  CHECK_FALSE(n.ok);
  CHECK(n.text().find("entry 0: derivative nan") != std::string::npos);
}
