// qr, lstsq: orthonormal columns and a triangle, and least squares by them.
#pragma once

#include <etch/op/concat.hpp>
#include <etch/op/linalg/level_3.hpp>
#include <etch/op/linear.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Of a matrix [m, n] with m >= n: Q (rows 0 to m - 1) over R (n rows), by Householder's reflections, with signs such
/// that the diagonal of R is not negative.
struct qr : block_kind {
  static constexpr auto name = "qr";
  static constexpr auto call = "std::get<1>(qr(s))";
  static constexpr auto formula = "Q, R with A = Q R, QᵀQ = I, R upper triangular, its diagonal not negative";
  static constexpr auto kinks = "dependent columns: gradient NaN, status singular";
  static constexpr int arity = 1;

  static constexpr shape infer(attribute, shapes<1> const& x) { return make_shape(x[0][0] + x[0][1], x[0][1]); }
  static constexpr bool is_level_3 = true;
  /// A block of columns at a time: reflections are found in it, and done to the rest together: H_1 H_2 ... = I - V S⁻¹
  /// Vᵀ, the columns of V theirs, and S the upper triangle of VᵀV with its diagonal halved (T. Joffrain et al.,
  /// Accumulating Householder transformations, revisited, 2006).
  template <class T, class Level3 = blas::plain_level_3>
  static constexpr status run(attribute, block<T> y, block<T const> a, Level3 const& level_3 = {}) {
    using blas::part;
    int const m = a.extent[0], n = a.extent[1];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m + n; ++i) y(i, j) = i < m ? a(i, j) : T(0);
    if (n <= blas::block_rows) {
      find_reflections(y, m, 0, n);
      form_columns(y, m, 0, n);
    } else {
      int const last = (n - 1) / blas::block_rows * blas::block_rows;
      for (int first = 0; first < last; first += blas::block_rows) {
        int const end = first + blas::block_rows;
        find_reflections(y, m, first, end);
        for (int j = first; j < end; ++j)
          for (int i = first; i < j; ++i) y(i, j) = 0;
        block<T> const rest = part(y, first, end, m - first, n - end);
        block<T> const in_r = part(y, m + first, end, blas::block_rows, n - end);
        reflect_together(rest, part(y, first, first, m - first, blas::block_rows), in_r, false, level_3);
        for_each_index(in_r.extent, [&](auto const& i) { in_r(i) = rest(i); });
      }
      find_reflections(y, m, last, n);
      form_columns(y, m, last, n);
      for (int first = last - blas::block_rows; first >= 0; first -= blas::block_rows) {
        int const end = first + blas::block_rows;
        block<T> const rest = part(y, first, end, m - first, n - end);
        block<T> const below_r = blas::transposed(part(y, m + end, first, n - end, blas::block_rows));
        for_each_index(below_r.extent, [&](auto const& i) { rest(i) = 0; });
        reflect_together(rest, part(y, first, first, m - first, blas::block_rows), below_r, true, level_3);
        for_each_index(below_r.extent, [&](auto const& i) { below_r(i) = 0; });
        form_columns(y, m, first, end);
      }
    }
    for (int k = 0; k < n; ++k) {
      if (!(y(m + k, k) < 0)) continue;
      for (int i = 0; i < m; ++i) y(i, k) = -y(i, k);
      for (int j = k; j < n; ++j) y(m + k, j) = -y(m + k, j);
    }
    return status::ok;
  }
  /// A' = (Q' + Q S) R⁻ᵀ, S symmetric with the lower triangle of M = R R'ᵀ - Q'ᵀ Q  (S. Walter, L. Lehmann, Algorithmic
  /// differentiation of linear algebra functions, 2010, §3.2; M. Seeger et al., Auto-differentiating linear algebra,
  /// 2017).
  static constexpr auto pullback(auto g, auto y, auto a) {
    using etch::slice;
    int const m = a.extent()[0], n = a.extent()[1];
    auto const turned = [](term x) { return emit<transpose>(0, x); };
    term const q = slice(y, region(0, 0), m), r = slice(y, region(0, m), n);
    term const by_q = slice(g, region(0, 0), m);
    term const by_r = etch::detail::triangle(slice(g, region(0, m), n), 0, false);
    term const whole = emit<matmul>(0, r, turned(by_r)) - emit<matmul>(0, turned(by_q), q);
    term const mirrored = etch::detail::triangle(whole, 0, true) + turned(etch::detail::triangle(whole, -1, true));
    term const sum = by_q + emit<matmul>(0, q, mirrored);
    return operands{turned(emit<triangular_solve>(1, r, turned(sum)))};
  }

 private:
  /// Makes columns from `first` to `end` reflections, one after the other, and leaves their part of R. That of column
  /// k, I - 2 v vᵀ / vᵀv, has its v in this column, from row k on.
  template <class T>
  [[gnu::always_inline]] static constexpr void find_reflections(block<T> y, int m, int first, int end) {
    for (int k = first; k < end; ++k) {
      T const scale = scale_of(y, k, m);
      if (scale != 1)
        for (int i = k; i < m; ++i) y(i, k) *= scale;
      T const length = math::sqrt(blas::dot(y, k, m, k, k));
      T const diagonal = y(k, k) > 0 ? -length : length;
      y(k, k) -= diagonal;
      y(m + k, k) = diagonal / scale;
      T const square = blas::dot(y, k, m, k, k);
      for (int j = k + 1; j < end; ++j) {
        reflect(y, k, m, j, square);
        y(m + k, j) = y(k, j);
      }
    }
  }
  /// The power of 2 that makes the largest of rows `k` to `m` of column `k` about 1, where squares and products would
  /// overflow or lose digits; else 1.
  template <class T>
  [[gnu::always_inline]] static constexpr T scale_of(block<T> const& y, int k, int m) {
    T const large = sizeof(T) == 4 ? T(0x1p20) : T(0x1p200), greatest = std::numeric_limits<T>::max();
    T most = 0, scale = 1;
    for (int i = k; i < m; ++i) most = std::max(most, math::abs(y(i, k)));
    if (most > large && most <= greatest)
      for (; most > 1; scale /= 2) most /= 2;
    if (most < 1 / large && most > 0)
      for (; most < 1 && scale < greatest / 2; scale *= 2) most *= 2;
    return scale;
  }
  /// The columns of Q where the reflections from `first` to `end` are.
  template <class T>
  [[gnu::always_inline]] static constexpr void form_columns(block<T> y, int m, int first, int end) {
    for (int k = end - 1; k >= first; --k) {
      T const square = blas::dot(y, k, m, k, k), factor = square == 0 ? T(0) : 2 * y(k, k) / square;
      for (int j = k + 1; j < end; ++j) {
        y(k, j) = 0;
        reflect(y, k, m, j, square);
      }
      for (int i = 0; i < m; ++i) y(i, k) = i < k ? T(0) : (i == k ? T(1) : T(0)) - factor * y(i, k);
    }
  }
  /// Column `j` behind the reflection in column `k`, of which `square` is vᵀv.
  template <class T>
  [[gnu::always_inline]] static constexpr void reflect(block<T> y, int k, int m, int j, T square) {
    if (square == 0) return;
    T const factor = 2 * blas::dot(y, k, m, k, j) / square;
    for (int i = k; i < m; ++i) y(i, j) -= factor * y(i, k);
  }
  /// `x` behind all reflections in the columns of `v`, the first of which is done last if `backward`. `w` is zeros
  /// before, and has room for as many rows as `v` has columns.
  template <class T, class Level3>
  static constexpr void reflect_together(block<T> const& x, block<T> const& v, block<T> const& w, bool backward,
                                         Level3 const& level_3) {
    using blas::to_read, blas::transposed;
    int const count = v.extent[1];
    T entries[blas::block_rows * blas::block_rows]{};
    block<T> const s{entries, make_shape(count, count), contiguous_strides(make_shape(count, count))};
    level_3.add_product(s, to_read(transposed(v)), to_read(v));
    for (int k = 0; k < count; ++k) s(k, k) = s(k, k) == 0 ? T(1) : s(k, k) / 2;
    level_3.add_product(w, to_read(transposed(v)), to_read(x));
    level_3.substitute(w, to_read(s), {backward, false});
    blas::negate(w);
    level_3.add_product(x, to_read(v), to_read(w));
  }
};

}  // namespace op

/// `std::tuple(Q, R)` with A = Q R, of a matrix [m, n] with k = min(m, n): Q [m, k] with orthonormal columns, R [k, n]
/// upper triangular with a diagonal that is not negative, so that both are unique (other libraries leave the signs
/// open). By Householder's reflections. Derivatives of any order; where the first k columns are dependent these are
/// NaN, with `status::singular`. (S. Walter, L. Lehmann, Algorithmic differentiation of linear algebra functions,
/// 2010.)
template <static_handle A>
constexpr auto qr(A const& a) {
  if constexpr (A::extent.rank != 2) {
    error::not_a_matrix<A>();
    return std::tuple(a, a);
  } else {
    constexpr int m = A::extent[0], n = A::extent[1], k = m < n ? m : n;
    auto const all =
        apply<op::qr>(detail::computed<make_shape(m, k)>(a, [](term t) { return slice(t, region(1, 0), k); }));
    auto const q = detail::computed<make_shape(m, k)>(all, [](term t) { return slice(t, region(0, 0), m); });
    auto const r = detail::computed<make_shape(k, k)>(all, [](term t) { return slice(t, region(0, m), k); });
    if constexpr (k == n) {
      return std::tuple(q, r);
    } else {
      auto const others =
          detail::computed<make_shape(m, n - k)>(a, [](term t) { return slice(t, region(1, k), n - k); });
      return std::tuple(q, concat<1>(r, matmul(transpose(q), others)));
    }
  }
}

/// The x that minimises |A x - b|², b a vector or a matrix; where A [m, n] has more columns than rows, the least one
/// with A x = b. By `qr`, so that the condition of A is not squared. Where the rank is less than min(m, n): NaN,
/// `status::singular`.
template <static_handle A, static_handle B>
constexpr auto lstsq(A const& a, B const& b) {
  if constexpr (A::extent.rank != 2) {
    error::not_a_matrix<A>();
    return b;
  } else if constexpr (A::extent[0] != B::extent[0]) {
    error::inner_dimensions_differ<A, B>();
    return b;
  } else if constexpr (A::extent[0] >= A::extent[1]) {
    auto const [q, r] = qr(a);
    return triangular_solve<true>(r, matmul(transpose(q), b));
  } else {
    auto const [q, r] = qr(transpose(a));
    return matmul(q, triangular_solve(transpose(r), b));
  }
}

ETCH_NAMESPACE_END
