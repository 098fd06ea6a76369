// svd: singular values and vectors.
#pragma once

#include <etch/op/linalg/eigh.hpp>
#include <etch/op/linalg/level_3.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Of a matrix [m, n] with m >= n: U (rows 0 to m - 1) over V (n rows), and in one column more the singular values in
/// descending order, by one-sided Jacobi rotations (M. Hestenes, Inversion of matrices by biorthogonalization, 1958).
/// Of each column of V the largest entry is positive.
struct svd : block_kind {
  static constexpr auto name = "svd";
  static constexpr auto call = "std::get<1>(svd(x))";
  static constexpr auto formula = "U, s descending, V with A = U diag(s) Vᵀ";
  static constexpr auto kinks =
      "equal singular values, or 0: gradient NaN through their vectors; not finite: NaN, status not_converged";
  static constexpr int arity = 1;

  static constexpr shape infer(attribute, shapes<1> const& x) { return make_shape(x[0][0] + x[0][1], x[0][1] + 1); }
  template <class T>
  static constexpr status run(attribute, block<T> y, block<T const> a) {
    int const m = a.extent[0], n = a.extent[1];
    T largest = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        if (!(math::abs(a(i, j)) <= std::numeric_limits<T>::max()))
          return factorisation::fail(y, status::not_converged);
        largest = math::abs(a(i, j)) > largest ? math::abs(a(i, j)) : largest;
      }
    T const scale = largest > 0 ? largest : T(1);
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i < m + n; ++i) y(i, j) = j == n ? T(0) : i < m ? a(i, j) / scale : T(i - m == j);
    // Where columns are orthogonal, and which are rounding errors of a matrix of lower rank, whose entries are 1 at
    // most.
    T const rounding = static_cast<T>(m) * std::numeric_limits<T>::epsilon();
    constexpr T tiny = std::numeric_limits<T>::epsilon() * std::numeric_limits<T>::epsilon(), nothing = tiny * tiny;
    bool moves = true;
    for (int sweep = 0; moves && sweep < 60; ++sweep) {
      moves = false;
      for (int p = 0; p < n; ++p)
        for (int q = p + 1; q < n; ++q) {
          T const pp = blas::dot(y, 0, m, p, p), qq = blas::dot(y, 0, m, q, q), pq = blas::dot(y, 0, m, p, q);
          if (pp <= nothing || qq <= nothing || math::abs(pq) <= rounding * math::sqrt(pp) * math::sqrt(qq)) continue;
          moves = true;
          jacobi_rotation<T> const rotation((qq - pp) / 2 / pq);
          for (int i = 0; i < m + n; ++i) rotation.turn(y(i, p), y(i, q));
        }
    }
    if (moves) return factorisation::fail(y, status::not_converged);
    for (int j = 0; j < n; ++j) {
      T const square = blas::dot(y, 0, m, j, j);
      y(j, n) = square > nothing ? math::sqrt(square) : T(0);
    }
    for (int j = 0; j < n; ++j) {
      int most = j;
      for (int k = j + 1; k < n; ++k)
        if (y(k, n) > y(most, n)) most = k;
      if (most != j) {
        std::swap(y(j, n), y(most, n));
        for (int i = 0; i < m + n; ++i) std::swap(y(i, j), y(i, most));
      }
      if (y(j, n) > 0)
        for (int i = 0; i < m; ++i) y(i, j) /= y(j, n);
      else complete(y, m, j);
      if (is_turned([&](int i, int k) { return y(m + i, k); }, n, j))
        for (int i = 0; i < m + n; ++i) y(i, j) = -y(i, j);
    }
    for (int j = 0; j < n; ++j) y(j, n) *= scale;
    return status::ok;
  }
  /// A' = U C Vᵀ + (I - U Uᵀ) U' S⁻¹ Vᵀ, where C is s' on its diagonal and ((K - Kᵀ) S + S (L - Lᵀ)) ∘ F beside it,
  /// with K = UᵀU', L = VᵀV', F_ij = 1 / (s_j² - s_i²)  (J. Townsend, Differentiating the singular value decomposition,
  /// 2016).
  static constexpr auto pullback(auto g, auto y, auto a) {
    using etch::slice;
    graph& to = *y.owner;
    int const m = a.extent()[0], n = a.extent()[1];
    auto const part = [&](term x, int first, int rows, int column, int columns) {
      return slice(slice(x, region(0, first), rows), region(1, column), columns);
    };
    auto const turned = [](term x) { return emit<transpose>(0, x); };
    term const u = part(y, 0, m, 0, n), v = part(y, m, n, 0, n), s = part(y, 0, n, n, 1);
    term const by_u = part(g, 0, m, 0, n), by_v = part(g, m, n, 0, n), by_s = part(g, 0, n, n, 1);
    term const k = emit<matmul>(0, turned(u), by_u), l = emit<matmul>(0, turned(v), by_v);
    term const left = k - turned(k), right = l - turned(l), row = turned(s);
    term const zero = constant(to, y->type, 0);
    term const arrives = emit<not_equal>(0, emit<abs>(0, left) + emit<abs>(0, right), zero);
    term const off =
        divided_where_apart(left * row + s * right, (row - s) * (row + s), is_rounding(row - s, s), arrives);
    term const on_diagonal = equal_to(etch::iota(to, y->type, 0, n), etch::iota(to, y->type, 1, n));
    term const core = emit<matmul>(0, u, emit<select>(0, on_diagonal, by_s, off));
    if (m == n) return operands{emit<matmul>(0, core, turned(v))};
    term const beside = by_u - emit<matmul>(0, u, k);
    term const scaled = divided_where_apart(beside, row, is_rounding(row, s), emit<not_equal>(0, beside, zero));
    return operands{emit<matmul>(0, core + scaled, turned(v))};
  }

 private:
  /// Makes column `j` of U a unit vector at right angles to those before it: the unit vector that is furthest from
  /// their plane, less its part in it, twice.
  template <class T>
  static constexpr void complete(block<T> y, int m, int j) {
    int furthest = 0;
    T least = 2;
    for (int i = 0; i < m; ++i) {
      T within = 0;
      for (int k = 0; k < j; ++k) within += y(i, k) * y(i, k);
      if (within < least) least = within, furthest = i;
    }
    for (int i = 0; i < m; ++i) y(i, j) = i == furthest;
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < j; ++k) {
        T const along = blas::dot(y, 0, m, j, k);
        for (int i = 0; i < m; ++i) y(i, j) -= along * y(i, k);
      }
      T const length = math::sqrt(blas::dot(y, 0, m, j, j));
      for (int i = 0; i < m; ++i) y(i, j) /= length;
    }
  }
};

}  // namespace op

namespace detail {
template <static_handle A>
constexpr auto parts_of_svd(A const& a) {
  constexpr int m = A::extent[0], n = A::extent[1];
  auto const all = apply<op::svd>(a);
  return std::tuple(
      computed<make_shape(m, n)>(all, [](term t) { return slice(slice(t, region(0, 0), m), region(1, 0), n); }),
      computed<make_shape(n)>(
          all, [](term t) { return fit(slice(slice(t, region(0, 0), n), region(1, n), 1), make_shape(n)); }),
      computed<make_shape(n, n)>(all, [](term t) { return slice(slice(t, region(0, m), n), region(1, 0), n); }));
}
}  // namespace detail

/// `std::tuple(U, values, V)` with A = U diag(values) Vᵀ, of a matrix [m, n] with k = min(m, n): U [m, k] and V [n, k]
/// with orthonormal columns, the singular values [k] in descending order. Of each column of V (of U, where m < n) the
/// largest entry is positive. By one-sided Jacobi rotations, with all digits. Derivatives of any order; where singular
/// values coincide up to rounding, or vanish, those through their vectors are NaN, since these are not determined, and
/// those through the values alone are right. Not finite: NaN, `status::not_converged`. (J. Townsend, Differentiating
/// the singular value decomposition, 2016.)
template <static_handle A>
constexpr auto svd(A const& a) {
  if constexpr (A::extent.rank != 2) {
    error::not_a_matrix<A>();
    return std::tuple(a, a, a);
  } else if constexpr (A::extent[0] < A::extent[1]) {
    auto const [v, s, u] = detail::parts_of_svd(transpose(a));
    return std::tuple(u, s, v);
  } else {
    return detail::parts_of_svd(a);
  }
}

ETCH_NAMESPACE_END
