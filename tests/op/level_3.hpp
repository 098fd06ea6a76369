// level_3: factorisations and solving by what `op::blas::plain_level_3` or the machine's is made of, against sums of
// products in double. Matrices have more rows than one block, as many, and fewer.
#pragma once

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace level_3_tests {

using namespace etch;

/// A matrix in memory of its own: columns adjoin, rows adjoin, or neither.
enum class order { columns, rows, gaps };
template <class T>
struct matrix {
  int rows, columns;
  std::vector<T> entries;
  block<T> where;

  matrix(int m, int n, order by = order::columns)
      : rows(m), columns(n), entries(static_cast<std::size_t>(6 * m * n), T(77)) {
    where = {entries.data(), make_shape(m, n), {}};
    where.step[0] = by == order::columns ? 1 : by == order::rows ? columns : 2;
    where.step[1] = by == order::columns ? rows : by == order::rows ? 1 : 2 * rows + 1;
  }
  matrix(matrix const& other) = delete;
  T& operator()(int i, int j) const { return where(i, j); }
  block<T const> read() const { return op::blas::to_read(where); }
};

/// Entries that look random, those on the diagonal larger by `more`.
template <class T>
void fill(matrix<T> const& m, unsigned seed, double more) {
  for (int j = 0; j < m.columns; ++j)
    for (int i = 0; i < m.rows; ++i) {
      seed = seed * 1664525u + 1013904223u;
      m(i, j) = static_cast<T>(seed / 4294967296.0 - 0.5 + (i == j ? more : 0));
    }
}

/// The largest entry of `c` - A B, entries of A and B given by functions.
double far_from_product(int rows, int columns, int terms, auto const& c, auto const& a, auto const& b) {
  double most = 0;
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      double sum = c(i, j);
      for (int k = 0; k < terms; ++k) sum -= static_cast<double>(a(i, k)) * static_cast<double>(b(k, j));
      most = std::isnan(sum) ? 1e300 : std::max(most, std::abs(sum));
    }
  return most;
}

template <class T>
inline constexpr double tolerance = sizeof(T) == 4 ? 4e-5 : 1e-13;

template <class T, class Level3>
void triangles(int n, int columns, order of_t, order of_x, Level3 const& level_3) {
  CAPTURE(n);
  CAPTURE(columns);
  matrix<T> t(n, n, of_t), b(n, columns), x(n, columns, of_x);
  fill(b, 3, 0);
  for (bool upper : {false, true})
    for (bool unit : {false, true}) {
      // Beside the triangle is what may not be read.
      fill(t, 5, 2);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          t(i, j) *= i == j ? 1 : static_cast<T>(2.0 / n);
          if (upper ? i > j : i < j) t(i, j) = std::numeric_limits<T>::quiet_NaN();
          if (unit && i == j) t(i, j) = std::numeric_limits<T>::quiet_NaN();
        }
      for_each_index(b.where.extent, [&](auto const& i) { x.where(i) = b.where(i); });
      op::blas::solve_triangle(x.where, t.read(), {upper, unit}, level_3);
      auto const entry = [&](int i, int k) { return (upper ? i > k : i < k) ? T(0) : unit && i == k ? T(1) : t(i, k); };
      CHECK(far_from_product(n, columns, n, b, entry, x) < tolerance<T>);
    }
}

template <class T, class Level3>
void factors(int n, int columns, order of_a, order of_y, Level3 const& level_3) {
  CAPTURE(n);
  CAPTURE(columns);
  matrix<T> a(n, n, of_a), y(n, n, of_y), packed(n, n + 1, of_y), b(n, columns, of_a), x(n, columns, of_y);
  auto const turned = [](auto const& m) { return [&m](int i, int j) { return m(j, i); }; };

  fill(a, 7, n);  // not symmetric: the factor is that of (A + Aᵀ) / 2
  CHECK(op::cholesky::run(0, y.where, a.read(), level_3) == status::ok);
  auto const symmetric = [&](int i, int j) {
    return (static_cast<double>(a(i, j)) + static_cast<double>(a(j, i))) / 2;
  };
  CHECK(far_from_product(n, n, n, symmetric, y, turned(y)) < n * tolerance<T>);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) CHECK(y(i, j) == 0);
  a(n - 1, n - 1) = -1;
  CHECK(op::cholesky::run(0, y.where, a.read(), level_3) == status::not_positive_definite);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) CHECK(std::isnan(y(i, j)));

  fill(a, 11, 0);  // rows change places
  fill(b, 13, 0);
  CHECK(op::lu::run(0, packed.where, a.read(), level_3) == status::ok);
  for (bool transposed : {false, true}) {
    CHECK(op::lu_solve::run(transposed, x.where, packed.read(), b.read(), level_3) == status::ok);
    double largest = 1;
    for_each_index(x.where.extent,
                   [&](auto const& i) { largest = std::max(largest, std::abs(static_cast<double>(x.where(i)))); });
    auto const left = [&](int i, int k) { return transposed ? a(k, i) : a(i, k); };
    CHECK(far_from_product(n, columns, n, b, left, x) < 10 * largest * tolerance<T>);
  }
  for (int i = 0; i < n; ++i) a(i, n - 1) = a(i, 0);  // column 0 once more
  for (int i = 0; i < n; ++i) a(i, n / 2) = 0;
  CHECK(op::lu::run(0, packed.where, a.read(), level_3) == status::singular);
  CHECK(op::lu_solve::run(0, x.where, packed.read(), b.read(), level_3) == status::singular);
}

/// The adjoint of a matrix from that of its factor, against the derivative of the factor along a change of two entries:
/// L' = L N, N the lower triangle of L⁻¹ A' L⁻ᵀ with its diagonal halved.
template <class T, class Level3>
void adjoint_of_factor(int n, order of_l, order of_y, Level3 const& level_3) {
  CAPTURE(n);
  matrix<T> a(n, n), l(n, n, of_l), g(n, n, of_y), y(n, n, of_y);
  fill(a, 19, n);
  CHECK(op::cholesky::run(0, l.where, a.read()) == status::ok);
  fill(g, 23, 0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) l(i, j) = g(i, j) = std::numeric_limits<T>::quiet_NaN();  // not read
  CHECK(op::cholesky_adjoint::run(0, y.where, l.read(), g.read(), level_3) == status::ok);
  auto const entry = [&](int i, int j) { return static_cast<double>(l(i, j)); };
  // Columns of L⁻¹, of which two make L⁻¹ (e_p e_qᵀ + e_q e_pᵀ) L⁻ᵀ.
  auto const column = [&](int p) {
    std::vector<double> x(static_cast<std::size_t>(n), 0.0);
    for (int i = p; i < n; ++i) {
      double sum = i == p;
      for (int k = p; k < i; ++k) sum -= entry(i, k) * x[static_cast<std::size_t>(k)];
      x[static_cast<std::size_t>(i)] = sum / entry(i, i);
    }
    return x;
  };
  for (int p = 0; p < n; p += 1 + n / 9)
    for (int q = p; q < n; q += 1 + n / 7) {
      auto const u = column(p), v = column(q);
      auto const at = [](std::vector<double> const& x, int i) { return x[static_cast<std::size_t>(i)]; };
      double expected = 0, size = 0;
      for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
          double change = 0;
          for (int k = j; k <= i; ++k) {
            double const w = (at(u, k) * at(v, j) + at(v, k) * at(u, j)) / 2;
            change += entry(i, k) * (k == j ? w / 2 : w);
          }
          expected += static_cast<double>(g(i, j)) * change;
          size += std::abs(static_cast<double>(g(i, j)) * change);
        }
      CHECK(std::abs(static_cast<double>(y(p, q)) - expected) < 10 * tolerance<T> * (1e-3 + size));
      CHECK(y(p, q) == y(q, p));
    }
}

template <class T, class Level3>
void orthogonal(int m, int n, order of_a, order of_y, Level3 const& level_3) {
  CAPTURE(m);
  CAPTURE(n);
  matrix<T> a(m, n, of_a), y(m + n, n, of_y);
  for (bool dependent : {false, true}) {
    fill(a, 17, 0);
    if (dependent)
      for (int i = 0; i < m; ++i) a(i, n / 3) = 0;
    CHECK(op::qr::run(0, y.where, a.read(), level_3) == status::ok);
    auto const r = [&](int i, int j) { return y(m + i, j); };
    auto const turned = [&](int i, int j) { return y(j, i); };
    CHECK(far_from_product(m, n, n, a, y, r) < 10 * tolerance<T>);
    CHECK(far_from_product(n, n, m, [](int i, int j) { return i == j; }, turned, y) < tolerance<T>);
    for (int j = 0; j < n; ++j) {
      CHECK(r(j, j) >= 0);
      for (int i = j + 1; i < n; ++i) CHECK(r(i, j) == 0);
    }
  }
}

/// Columns so large and so small that their squares are infinite and zero; and one with a NaN, which is in all that
/// depends on it.
template <class T, class Level3>
void orthogonal_at_extremes(int m, int n, Level3 const& level_3) {
  CAPTURE(m);
  CAPTURE(n);
  matrix<T> a(m, n), scaled(m, n), y(m + n, n), of_scaled(m + n, n);
  fill(a, 17, 0);
  CHECK(op::qr::run(0, y.where, a.read(), level_3) == status::ok);
  int const exponent = sizeof(T) == 4 ? 90 : 800;
  for (auto const& [of_even, of_odd] : {std::pair(1, 1), std::pair(-1, -1), std::pair(-1, 1), std::pair(0, -1)}) {
    auto const scale = [&](int j) { return std::ldexp(T(1), exponent * (j % 2 == 0 ? of_even : of_odd)); };
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) scaled(i, j) = a(i, j) * scale(j);
    CHECK(op::qr::run(0, of_scaled.where, scaled.read(), level_3) == status::ok);
    double farthest = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m + n; ++i) {
        T const entry = i < m ? of_scaled(i, j) : of_scaled(i, j) / scale(j);
        double const distance = std::abs(static_cast<double>(entry) - static_cast<double>(y(i, j)));
        farthest = distance <= farthest ? farthest : distance;
      }
    CHECK(farthest < 1e3 * tolerance<T>);
  }
  int const from = n / 2;
  a(m / 2, from) = std::numeric_limits<T>::quiet_NaN();
  CHECK(op::qr::run(0, y.where, a.read(), level_3) == status::ok);
  int finite = 0;
  for (int j = from; j < n; ++j) {
    for (int i = from == 0 ? m / 2 : 0; i < m; ++i) finite += !std::isnan(y(i, j));
    for (int i = from; i <= j; ++i) finite += !std::isnan(y(m + i, j));
  }
  CHECK(finite == 0);
}

template <class T, class Level3>
void all(Level3 const& level_3) {
  constexpr auto columns = order::columns, rows = order::rows, gaps = order::gaps;
  for (auto const& [of_t, of_x] :
       {std::pair(columns, columns), std::pair(rows, columns), std::pair(gaps, gaps), std::pair(columns, rows)})
    for (int n : {1, 3, 31, 32, 33, 70})
      for (int count : {1, 2, 7, 16, 33}) triangles<T>(n, count, of_t, of_x, level_3);
  for (int n : {2, 32, 33, 40, 64, 97}) {
    factors<T>(n, 1, columns, columns, level_3);
    factors<T>(n, 9, rows, columns, level_3);
    factors<T>(n, 34, gaps, gaps, level_3);
    adjoint_of_factor<T>(n, columns, columns, level_3);
    adjoint_of_factor<T>(n, rows, gaps, level_3);
  }
  for (auto const& [m, n] : {std::pair(3, 1), std::pair(32, 32), std::pair(33, 33), std::pair(50, 34),
                             std::pair(65, 65), std::pair(120, 96)}) {
    orthogonal<T>(m, n, columns, columns, level_3);
    orthogonal<T>(m, n, rows, gaps, level_3);
    orthogonal_at_extremes<T>(m, n, level_3);
  }
}

}  // namespace level_3_tests
