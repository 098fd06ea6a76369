// argmin: steps that would leave the domain or overshoot are halved; structs; objectives without a minimum.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

template <class T>
struct line {
  T slope, offset;
  ETCH_MEMBERS(line, slope, offset)
};

// A logarithmic barrier keeps each entry above 0: x - p - m / x = 0.
constexpr auto inside = [](auto x, auto p, auto m) { return 0.5 * sum(square(x - p)) - m * sum(log(x)); };

}  // namespace

TEST_CASE("a barrier: steps that leave the domain are halved") {
  auto const minimum = argmin(inside);
  tensor<double, 3> const p{-2, 0.5, 40};
  for (double const m : {1.0, 0.01}) {
    auto const x = minimum(tensor<double, 3>{1, 1, 1}, p, m);
    auto const g = grad<wrt<0, 1>>([](auto q, auto s) { return sum(argmin(inside)(0.0 * q + 1.0, q, s)); })(p, m);
    double by_m = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      double const root = std::sqrt(p[i] * p[i] + 4 * m),
                   expected = p[i] < 0 ? 2 * m / (root - p[i]) : (p[i] + root) / 2;
      CHECK(x[i] == doctest::Approx(expected).epsilon(1e-12));
      CHECK(std::get<0>(g)[i] == doctest::Approx(expected / root).epsilon(1e-11));
      by_m += 1 / root;
    }
    CHECK(std::get<1>(g) == doctest::Approx(by_m).epsilon(1e-11));
  }
}

TEST_CASE("far from the minimum, where whole steps would overshoot: the fit of a logistic curve") {
  // Σ log cosh(x - pᵢ) / n + x² / 200 is flat far away.
  constexpr auto flat = [](auto x, auto p) { return mean(log(cosh(x - p))) + 0.005 * square(x); };
  tensor<double, 3> const p{-1, 0.5, 2};
  double const x = argmin(flat)(15.0, p);
  double slope = 0.01 * x;
  for (double each : p) slope += std::tanh(x - each) / 3;
  CHECK(std::abs(slope) < 1e-14);
  CHECK(check_gradient<2>(
            [](auto q) {
              return argmin([](auto y, auto r) { return mean(log(cosh(y - r))) + 0.005 * square(y); })(15.0, q);
            },
            p)
            .ok);
}

TEST_CASE("a struct is minimised over; an objective without minimum says so") {
  constexpr auto error = [](auto l, auto x, auto y) { return sum(square(l.slope * x + l.offset - y)); };
  tensor<double, 4> const x{0, 1, 2, 3}, y{1, 3, 5, 7};
  auto const l = argmin(error)(line<double>{0, 0}, x, y);
  CHECK(l.slope == doctest::Approx(2).epsilon(1e-14));
  CHECK(l.offset == doctest::Approx(1).epsilon(1e-14));
  auto concave = compile<wrt<>>([](auto a) { return argmin([](auto z, auto b) { return -b * z * z; })(1.0, a); }, 1.0);
  CHECK(std::isnan(concave(1.0)));
  CHECK((concave.status() & status::not_positive_definite));
}
