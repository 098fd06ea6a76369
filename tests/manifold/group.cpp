#include <etch/manifold/group.hpp>

#include "manifold/elements.hpp"

using namespace elements;
using namespace etch::manifold;

#define ALL_GROUPS so2<float>, so2<double>, so3<float>, so3<double>, se2<float>, se2<double>, se3<float>, se3<double>

namespace {
template <class G>
using scalar_of_group = typename G::tangent::scalar_type;
template <class G>
constexpr double epsilon = std::numeric_limits<scalar_of_group<G>>::epsilon();
template <class G>
std::vector<G> some() {
  std::vector<G> all;
  for (auto const& v : tangents<G>(all_angles)) all.push_back(G::exp(v));
  return all;
}
}  // namespace

TEST_CASE_TEMPLATE("a group: associative, with an identity and inverses", G, ALL_GROUPS) {
  auto const all = some<G>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    G const &a = all[i], b = all[(i + 4) % all.size()], c = all[(i + 9) % all.size()];
    CHECK(distance_of_elements(compose(compose(a, b), c), compose(a, compose(b, c))) < 30 * epsilon<G>);
    CHECK(distance_of_elements(compose(a, G{}), a) == 0);
    CHECK(distance_of_elements(compose(G{}, a), a) == 0);
    CHECK(distance_of_elements(compose(a, inverse(a)), G{}) < 20 * epsilon<G>);
    CHECK(distance_of_elements(compose(inverse(a), a), G{}) < 20 * epsilon<G>);
    CHECK(distance_of_elements(a * b, compose(a, b)) == 0);
  }
}

TEST_CASE_TEMPLATE("log is the inverse of exp up to an angle of pi", G, ALL_GROUPS) {
  for (auto const& v : tangents<G>(all_angles)) {
    CAPTURE(v[G::tangent::count - 1]);
    G const x = G::exp(v);
    if constexpr (!std::is_same_v<scalar_of_group<G>, float>)
      CHECK(distance(log(x), v) < 3e-9 * (std::abs(v[G::tangent::count - 1]) > 1) + 20 * epsilon<G>);
    CHECK(distance_of_matrices(G::exp(log(x)), x) < 30 * epsilon<G>);
  }
}

TEST_CASE_TEMPLATE("no digits of small angles are lost", G, so3<double>, so3<float>, se3<double>, so2<double>,
                   se2<double>) {
  for (double angle : {1e-30, 1e-12, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3, 0.1}) {
    CAPTURE(angle);
    auto const v = tangents<G>({angle})[0], w = log(G::exp(v));
    constexpr std::size_t last = G::tangent::count - 1;
    CHECK(std::abs(w[last] / v[last] - 1) < 4 * epsilon<G>);
  }
}

TEST_CASE_TEMPLATE("local is the inverse of retract", G, ALL_GROUPS) {
  auto const all = some<G>();
  std::vector<double> angles = all_angles;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    for (auto const& v : tangents<G>({0, 1e-9, 1e-4, 0.5, 3})) {
      CHECK(distance(local(all[i], retract(all[i], v)), v) < 100 * epsilon<G>);
      CHECK(distance_of_elements(retract(all[i], v), compose(all[i], G::exp(v))) < 10 * epsilon<G>);
    }
  }
}

TEST_CASE_TEMPLATE("the action on points is that of the matrix, and of a composition that of both", G, so2<double>,
                   so3<double>, se2<double>, se3<double>) {
  constexpr int n = std::is_same_v<G, so2<double>> || std::is_same_v<G, se2<double>> ? 2 : 3;
  auto const all = some<G>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    G const &a = all[i], b = all[(i + 5) % all.size()];
    tensor<double, n> p;
    for (int k = 0; k < n; ++k) p[static_cast<std::size_t>(k)] = 1.5 - k;
    CHECK(distance(act(compose(a, b), p), act(a, act(b, p))) < 1e-14);
    auto const m = a.matrix();
    auto const q = act(a, p);
    for (int r = 0; r < n; ++r) {
      double want = 0;
      for (int c = 0; c < n; ++c) want += m(r, c) * p(c);
      if constexpr (requires { a.translation(); }) want += m(r, n);
      CHECK(q(r) == doctest::Approx(want).epsilon(1e-14));
    }
    CHECK(distance_of_matrices(G{}, G{}) == 0);
  }
}

TEST_CASE_TEMPLATE("the adjoint moves tangent vectors through an element", G, so2<double>, so3<double>, se2<double>,
                   se3<double>) {
  auto const all = some<G>();
  for (G const& x : all) {
    auto const v = tangents<G>({0.7})[0];
    auto const ad = x.adjoint();
    typename G::tangent moved;
    constexpr int n = dimension<G>;
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) moved(r) += ad(r, c) * v(c);
    CHECK(distance_of_matrices(compose(x, G::exp(v)), compose(G::exp(moved), x)) < 1e-14);
  }
}

TEST_CASE_TEMPLATE("exp is the exponential of matrices", G, so2<double>, so3<double>, se2<double>, se3<double>) {
  constexpr int n = dimension<G>;
  for (auto const& v : tangents<G>({0, 1e-9, 1e-4, 0.5, 2, 3.1, 4})) {
    // The generator from a central difference of exp's matrix at 0, which is exact to the second order.
    auto const generator = [&] {
      std::remove_const_t<decltype(G{}.matrix())> m;
      for (int i = 0; i < n; ++i) {
        typename G::tangent e;
        double const h = 1e-5;
        e(i) = h;
        auto const above = G::exp(e).matrix();
        e(i) = -h;
        auto const below = G::exp(e).matrix();
        for (std::size_t k = 0; k < m.size(); ++k) m[k] += v(i) * std::round((above[k] - below[k]) / (2 * h));
      }
      return m;
    }();
    using M = std::remove_const_t<decltype(generator)>;
    constexpr int size = M::extent[0];
    auto const times = [](M const& a, M const& b) {
      M c;
      for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j)
          for (int k = 0; k < size; ++k) c(i, j) += a(i, k) * b(k, j);
      return c;
    };
    M sum, term;
    for (int i = 0; i < size; ++i) term(i, i) = 1;
    for (int k = 1; k < 60; ++k) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += term[i];
      term = times(term, generator);
      for (double& each : term) each /= k;
    }
    CHECK(distance(G::exp(v).matrix(), sum) < 2e-13);
  }
}

// As constants too, and with vectors of any kind.
static_assert([] {
  tensor<double, 6> const v{1, 2, 3, 0.1, 0.2, 0.3};
  auto const w = log(etch::manifold::exp<se3>(v));
  double far = 0;
  for (std::size_t i = 0; i < 6; ++i) far += (v[i] - w[i]) * (v[i] - w[i]);
  return far < 1e-30;
}());
static_assert(compose(so3<float>(), so3<float>()).w == 1 && act(so2<double>(), std::array{1.0, 2.0})[1] == 2);
static_assert(std::is_same_v<rotation_quaternion<float>, so3<float>>);
