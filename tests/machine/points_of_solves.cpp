// Points in lanes whose bodies solve equations: each lane has pivots of its own. The truth is
// Eigen's elimination with complete pivoting in long double.
#include "machine/matrices_of_points.hpp"

using namespace matrices_of_points;

namespace {

constexpr auto solved = [](auto as, auto bs, auto c) {
  return sum_map([&](auto a, auto b) { return dot(c, solve(a, b)); }, as, bs);
};

/// c' A^-1 b of matrices and right sides that differ from point to point.
template <class T, int N, int Points>
void check_solve() {
  CAPTURE(N);
  auto const as = matrices<T, N, Points>(1);
  auto const bs = filled_with<tensor<T, N, Points>>(2);
  auto const c = filled_with<tensor<T, N>>(3);
  static auto step = compile<wrt<0, 1, 2>>(solved, as, bs, c);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(step)>>);
  T const value = step(as, bs, c);
  CHECK(step.status() == status::ok);
  real total = 0;
  column_of<N> by_c = column_of<N>::Zero(), w;
  for (int i = 0; i < N; ++i) w(i) = static_cast<real>(c(i));
  for (int p = 0; p < Points; ++p) {
    column_of<N> b;
    for (int i = 0; i < N; ++i) b(i) = static_cast<real>(bs(i, p));
    square_of<N> const a = square_at<N>(as, p);
    column_of<N> const x = a.fullPivLu().solve(b), back = a.transpose().fullPivLu().solve(w);
    total += w.dot(x);
    by_c += x;
    for (int j = 0; j < N; ++j) {
      CHECK(is_near(step.template grad<1>()(j, p), back(j)));
      for (int i = 0; i < N; ++i) CHECK(is_near(step.template grad<0>()(i, j, p), -back(i) * x(j)));
    }
  }
  CHECK(is_near(value, total));
  for (int i = 0; i < N; ++i) CHECK(is_near(step.template grad<2>()(i), by_c(i)));
}

}  // namespace

TEST_CASE("equations with a matrix for each point") {
  check_solve<double, 1, 9>();
  check_solve<double, 2, 8>();
  check_solve<double, 3, 21>();
  check_solve<float, 3, 33>();
  check_solve<double, 5, 11>();
}

TEST_CASE("one matrix for all points, and one right side for all") {
  constexpr auto one_matrix = [](auto a, auto bs) {
    return sum_map([&](auto b) { return sum(exp(solve(a, b))); }, bs);
  };
  constexpr auto one_side = [](auto as, auto b) { return sum_map([&](auto a) { return sum(exp(solve(a, b))); }, as); };
  auto const as = matrices<double, 3, 10>(5);
  auto const bs = filled_with<tensor<double, 3, 10>>(6);
  tensor<double, 3, 3> a;
  tensor<double, 3> b;
  for (int j = 0; j < 3; ++j) {
    b(j) = bs(j, 0);
    for (int i = 0; i < 3; ++i) a(i, j) = as(i, j, 0);
  }
  static auto p = compile<wrt<0, 1>>(one_matrix, a, bs);
  static auto q = compile<wrt<0, 1>>(one_side, as, b);
  double value = p(a, bs);
  square_of<3> const m = square_at<3>(as, 0);
  square_of<3> by_a = square_of<3>::Zero();
  for (int n = 0; n < 10; ++n) {
    column_of<3> const side(bs(0, n), bs(1, n), bs(2, n)), x = m.fullPivLu().solve(side);
    column_of<3> const e = x.array().exp(), back = m.transpose().fullPivLu().solve(e);
    value -= static_cast<double>(e.sum());
    by_a -= back * x.transpose();
    for (int i = 0; i < 3; ++i) CHECK(is_near(p.grad<1>()(i, n), back(i)));
  }
  CHECK(std::abs(value) < 1e-11);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) CHECK(is_near(p.grad<0>()(i, j), by_a(i, j)));

  value = q(as, b);
  column_of<3> const side(b(0), b(1), b(2));
  column_of<3> by_b = column_of<3>::Zero();
  for (int n = 0; n < 10; ++n) {
    square_of<3> const each = square_at<3>(as, n);
    column_of<3> const x = each.fullPivLu().solve(side), e = x.array().exp();
    column_of<3> const back = each.transpose().fullPivLu().solve(e);
    value -= static_cast<double>(e.sum());
    by_b += back;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) CHECK(is_near(q.grad<0>()(i, j, n), -back(i) * x(j)));
  }
  CHECK(std::abs(value) < 1e-11);
  for (int i = 0; i < 3; ++i) CHECK(is_near(q.grad<1>()(i), by_b(i)));
}

TEST_CASE("a singular matrix concerns its point alone, and the status says so") {
  constexpr auto solutions = [](auto as, auto b) { return map([&](auto a) { return solve(a, b)(1); }, as); };
  constexpr auto weighed = [](auto as, auto w) { return sum_map([](auto a, auto by) { return by * det(a); }, as, w); };
  constexpr auto negative = [](auto as) { return map([](auto a) { return logdet(a); }, as); };
  constexpr int points = 11;
  auto const as = matrices<double, 3, points>(7);
  auto const b = filled_with<tensor<double, 3>>(8);
  auto const w = filled_with<tensor<double, points>>(9);
  static auto p = compile<wrt<>>(solutions, as, b);
  static auto q = compile<wrt<0>>(weighed, as, w);
  static auto r = compile<wrt<>>(negative, as);
  for (int bad : {0, 3, 7, 8, 10}) {
    CAPTURE(bad);
    auto broken = as;
    for (int j = 0; j < 3; ++j) broken(1, j, bad) = 2 * (broken(0, j, bad) = j + 1), broken(2, j, bad) = j == 1;
    auto const& x = p(broken, b);
    CHECK(p.status() == status::singular);
    double total = q(broken, w);
    CHECK(q.status() == status::singular);
    auto const& l = r(broken);
    for (int n = 0; n < points; ++n) {
      square_of<3> const a = square_at<3>(broken, n);
      column_of<3> const side(b(0), b(1), b(2));
      real const d = a.determinant();
      CHECK((n == bad ? std::isnan(x(n)) : is_near(x(n), column_of<3>(a.fullPivLu().solve(side))(1))));
      CHECK((n == bad ? l(n) == -math::infinity<double> : d < 0 ? std::isnan(l(n)) : is_near(l(n), std::log(d))));
      total -= static_cast<double>(static_cast<real>(w(n)) * d);
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          int const i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
          real const minor = a(i1, j1) * a(i2, j2) - a(i1, j2) * a(i2, j1);
          CHECK(is_near(q.grad<0>()(i, j, n), static_cast<real>(w(n)) * minor));
        }
    }
    CHECK(std::abs(total) < 1e-12);
  }
  p(as, b), q(as, w);
  CHECK(p.status() == status::ok);
  CHECK(q.status() == status::ok);
}
