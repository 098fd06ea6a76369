#include "manifold/differences.hpp"

using namespace elements;
using namespace etch::manifold;

namespace {

constexpr auto turned = [](auto const& q, auto const& p, auto const& c) { return dot(act(q, p), c); };
constexpr auto through_log = [](auto const& x, auto const& w) {
  auto const v = log(x);
  return dot(cwise_product(v, v), w) + dot(sin(v), w);
};
using point = tensor<double, 3>;
point const p{1, 2, 3}, c{0.3, -0.4, 0.5};

double dot_of(auto const& a, auto const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
point cross_of(point const& a, point const& b) {
  return {a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0)};
}

}  // namespace

TEST_CASE("the Hessian by a rotation is that of the closed form") {
  // With d = Rᵀ c: c · R exp(v) p = d · p + d · (v × p) + d · (v × (v × p)) / 2 + ...
  auto step = compile<wrt<>>(hessian(turned), so3<double>(), p, c);
  for (auto const& v : tangents<so3<double>>(all_angles)) {
    so3<double> const q = so3<double>::exp(v);
    point const d = act(inverse(q), c);
    tensor<double, 3, 3> const h = step(q, p, c);
    auto const plain = hessian(turned)(q, p, c);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double const want = (d(i) * p(j) + d(j) * p(i)) / 2 - (i == j ? dot_of(d, p) : 0);
        CHECK(h(i, j) == doctest::Approx(want).epsilon(1e-13));
        CHECK(plain(i, j) == doctest::Approx(h(i, j)).epsilon(1e-14));
      }
    CHECK(laplacian(turned)(q, p, c) == doctest::Approx(-2 * dot_of(d, p)).epsilon(1e-13));
    point const u{0.2, 0.5, -0.3};
    auto const along = hvp(turned)(q, p, c, u);
    auto const [value, gradient, again] = value_grad_hessian(turned)(q, p, c);
    CHECK(distance(gradient, cross_of(p, d)) < 1e-14);
    CHECK(distance(again, h) < 1e-14);
    CHECK(value == doctest::Approx(dot_of(d, p)));
    for (int i = 0; i < 3; ++i) CHECK(along(i) == doctest::Approx(h(i, 0) * u(0) + h(i, 1) * u(1) + h(i, 2) * u(2)));
    auto const [y, slope] = jvp(turned)(q, p, c, u, point{}, point{});
    CHECK(y == doctest::Approx(value).epsilon(1e-14));
    CHECK(slope == doctest::Approx(dot_of(gradient, u)));
  }
}

TEST_CASE_TEMPLATE("Hessians through log agree with differences", G, so3<double>, se2<double>) {
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
