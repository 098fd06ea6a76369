#include "manifold/differences.hpp"

using namespace elements;
using namespace etch::manifold;

#if !defined(__clang__)  // whose default limit of constant evaluation they exceed

namespace {

constexpr auto through_log = [](auto const& x, auto const& w) {
  auto const v = log(x);
  return dot(cwise_product(v, v), w) + dot(sin(v), w);
};
}  // namespace

TEST_CASE_TEMPLATE("Hessians through log of a rigid motion agree with differences", G, se3<double>) {
  constexpr int n = dimension<G>;
  typename G::tangent w;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = 0.3 + 0.2 * static_cast<double>(i);
  auto step = compile<wrt<0>>(through_log, G{}, w);
  auto const value = [&](G const& x) { return step(x, w); };
  for (double angle : {0.0, 1e-300, 1e-8, 1e-4, 0.5, 2.5, 3.0}) {
    CAPTURE(angle);
    G const x = G::exp(tangents<G>({angle})[0]);
    tensor<double, n, n> const h = hessian(through_log)(x, w);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        CHECK(h(i, j) == h(j, i));
        CHECK(h(i, j) == doctest::Approx(second_difference(value, x, i, j)).epsilon(angle > 2.9 ? 1e-3 : 1e-5));
      }
  }
}

TEST_CASE("products with the Hessian through log of a rigid motion agree with differences") {
  tensor<double, 6> const w{0.3, 0.5, 0.7, 0.4, 0.6, 0.2};
  auto step = compile<wrt<0>>(through_log, se3<double>(), w);
  auto product = compile<wrt<>>(hvp(through_log), se3<double>(), w, w);
  auto const value = [&](se3<double> const& x) { return step(x, w); };
  for (double angle : {0.0, 1e-300, 1e-8, 1e-4, 0.5, 2.5, 3.0}) {
    CAPTURE(angle);
    auto const x = se3<double>::exp(tangents<se3<double>>({angle})[0]);
    for (int j = 0; j < 6; ++j) {
      tensor<double, 6> const column = product(x, w, along<tensor<double, 6>>(j, 1));
      for (int i = 0; i < 6; ++i) {
        double const want = second_difference(value, x, i, j);
        CHECK(std::abs(column(i) - want) < (angle > 2.9 ? 1e-3 : 1e-5) * (1 + std::abs(want)));
      }
    }
  }
}

#endif
