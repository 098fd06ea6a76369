// Factorisations of matrices and solving with triangular factors, as kernels of their own. They are written here, not
// taken from Eigen, because they also run in constant evaluation and must not refer to an allocator. Where one fails,
// its result is NaN and its status says so.
#pragma once

#include <etch/op/linalg/level_3.hpp>
#include <etch/op/linalg/product.hpp>
#include <etch/op/linalg/triangle.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// An op on a square matrix.
struct factorisation : block_kind {
  static constexpr int arity = 1;
  static constexpr shape infer(attribute, shapes<1> const& x) {
    if (x[0].rank != 2 || x[0][0] != x[0][1]) error::not_a_square_matrix(x[0]);
    return x[0];
  }
  template <class T>
  static constexpr status fail(block<T> y, status why) {
    for_each_index(y.extent, [&](auto const& i) { y(i) = math::not_a_number<T>; });
    return why;
  }
  /// `why` if `failed` marks any lane.
  template <class V>
  ETCH_DETAIL_INLINED static status outcome_in_lanes(auto failed, status why) {
    return math::detail::any(math::indicator(failed, V(0))) ? why : status::ok;
  }
  /// Fails in the lanes that `failed` marks.
  template <class V>
  static status fail_in_lanes(block<V> y, auto failed, status why) {
    status const outcome = outcome_in_lanes<V>(failed, why);
    V const nan(math::not_a_number<math::scalar_in<V>>);
    if (outcome != status::ok) for_each_index(y.extent, [&](auto const& i) { y(i) = math::where(failed, nan, y(i)); });
    return outcome;
  }
  /// The lanes in which an entry of the diagonal of `t` is 0.
  template <class V, class Entry>
  ETCH_DETAIL_INLINED static auto zeros_on_diagonal(block<Entry const> t) {
    auto zeros = V(t(0, 0)) == V(0);
    for (int i = 1; i < t.extent[0]; ++i) zeros = zeros | (V(t(i, i)) == V(0));
    return zeros;
  }
};

/// T X = B for a triangular T, of which only that triangle is read. Attribute: 1 if T is upper triangular.
struct triangular_solve : block_kind {
  static constexpr bool counts = true;
  static constexpr auto name = "triangular_solve";
  static constexpr auto call = "triangular_solve(l, b)";
  static constexpr auto formula = "X with T X = B";
  static constexpr auto kinks = "a zero on the diagonal: NaN, status singular";
  static constexpr int arity = 2;
  static constexpr bool in_lanes = true;    ///< there is `run_in_lanes`
  static constexpr bool is_level_3 = true;  ///< `run` takes an object as `blas::plain_level_3`

  static constexpr shape infer(attribute, shapes<2> const& x) {
    factorisation::infer(0, {x[0]});
    if (x[1].rank > 2) error::not_a_matrix(x[1]);
    if (x[0][1] != x[1][0]) error::inner_dimensions_differ(x[0], x[1]);
    if (x[0].counted != 0 || x[1].is_counted(0)) error::operation_has_no_run_time_count(name, x[1]);
    return x[1];
  }
  template <class T, class Level3 = blas::plain_level_3>
  static constexpr status run(attribute upper, block<T> y, block<T const> t, block<T const> b,
                              Level3 const& level_3 = {}) {
    int const n = t.extent[0];
    for (int i = 0; i < n; ++i)
      if (t(i, i) == 0) return factorisation::fail(y, status::singular);
    for (int j = 0; j < b.extent[1]; ++j)
      for (int i = 0; i < n; ++i) y(i, j) = b(i, j);
    blas::solve_triangle(y, t, {upper != 0, false}, level_3);
    return status::ok;
  }
  /// Solves a problem in each lane of the numbers `V`; an operand may be one number for all lanes. Lanes that fail are
  /// NaN, and no others.
  template <class V, class Matrix, class Right>
  ETCH_DETAIL_INLINED static status run_in_lanes(attribute upper, block<V> y, block<Matrix const> t,
                                                 block<Right const> b) {
    auto const singular = factorisation::zeros_on_diagonal<V>(t);
    for (int j = 0; j < b.extent[1]; ++j)
      for (int i = 0; i < t.extent[0]; ++i) y(i, j) = V(b(i, j));
    blas::plain_level_3::substitute(y, t, {upper != 0, false});
    return factorisation::fail_in_lanes(y, singular, status::singular);
  }
  static std::string describe(node const& n) { return n.attributes == 0 ? "<lower>" : "<upper>"; }
  /// B' = T⁻ᵀ X', T' = -(B' Xᵀ) on the triangle  (M. Giles, An extended collection of matrix derivative results, 2008,
  /// §2.3.1).
  static constexpr auto pullback(auto g, auto y, auto t, auto, attribute upper) {
    term const b = emit<triangular_solve>(1 - upper, emit<transpose>(0, t), g);
    term const x = y.extent().rank == 2 ? y : fit(y, make_shape(y.extent()[0], 1));
    return operands{etch::detail::triangle(-emit<matmul>(0, fit(b, x.extent()), emit<transpose>(0, x)), 0, upper == 0),
                    b};
  }
};

/// The lower triangular L with L Lᵀ = (A + Aᵀ) / 2, so that a gradient treats both triangles alike.
struct cholesky : factorisation {
  static constexpr auto name = "cholesky";
  static constexpr auto call = "cholesky(s)";
  static constexpr auto formula = "lower triangular L with L Lᵀ = (A + Aᵀ) / 2";
  static constexpr auto kinks = "not positive definite: NaN, status not_positive_definite";
  static constexpr bool in_lanes = true, is_level_3 = true;

  /// A block of columns at a time: the products of the rows found so far are taken from it, its own rows are factored,
  /// and the rows below them are solved for.
  template <class T, class Level3 = blas::plain_level_3>
  static constexpr status run(attribute, block<T> y, block<T const> a, Level3 const& level_3 = {}) {
    using blas::part, blas::to_read;
    int const n = a.extent[0];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) y(i, j) = i < j ? T(0) : (a(i, j) + a(j, i)) / 2;
    if (n <= blas::block_rows) return factor(y) ? status::ok : fail(y, status::not_positive_definite);
    for (int first = 0; first < n; first += blas::block_rows) {
      int const count = std::min(blas::block_rows, n - first), end = first + count, below = n - end;
      block<T> const known = part(y, 0, first, first, count);  // -Lᵀ of the rows to be factored, where L is 0
      for_each_index(known.extent, [&](auto const& i) { known(i) = -y(first + i[1], i[0]); });
      if (first > 0)
        level_3.add_product(part(y, first, first, n - first, count), to_read(part(y, first, 0, n - first, first)),
                            to_read(known));
      for_each_index(known.extent, [&](auto const& i) { known(i) = 0; });
      block<T> const own = part(y, first, first, count, count);
      if (!factor(own)) return fail(y, status::not_positive_definite);
      if (below > 0)
        level_3.substitute(blas::transposed(part(y, end, first, below, count)), to_read(own), {false, false});
    }
    return status::ok;
  }
  template <class V, class Matrix>
  ETCH_DETAIL_INLINED static status run_in_lanes(attribute, block<V> y, block<Matrix const> a) {
    int const n = a.extent[0];
    auto failed = V(0) != V(0);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) y(i, j) = i < j ? V(0) : V(a(i, j) + a(j, i)) * V(0.5f);
      for (int k = 0; k < j; ++k) {
        V const factor = y(j, k);
        for (int i = j; i < n; ++i) y(i, j) = y(i, j) - y(i, k) * factor;
      }
      V const pivot = y(j, j);
      using T = math::scalar_in<V>;
      failed = failed | !((pivot > V(0)) & (pivot <= V(std::numeric_limits<T>::max())));
      V const root = math::sqrt(pivot);
      for (int i = j; i < n; ++i) y(i, j) = y(i, j) / root;
    }
    return fail_in_lanes(y, failed, status::not_positive_definite);
  }
  static constexpr auto pullback(auto g, auto y, auto) { return operands{emit<cholesky_adjoint>(0, y, g)}; }
  /// The lower triangle of `x` with its diagonal halved.
  static constexpr term halved(term x) {
    graph& to = *x.owner;
    int const n = x.extent()[0];
    term const on_diagonal = equal_to(etch::iota(to, x->type, 0, n), etch::iota(to, x->type, 1, n));
    return emit<select>(0, on_diagonal, 0.5 * x, etch::detail::triangle(x, -1, true));
  }

 private:
  /// The factor of a symmetric matrix, of which the lower triangle is read, in its place; nothing above it is left.
  template <class T>
  [[gnu::always_inline]] static constexpr bool factor(block<T> y) {
    int const n = y.extent[0];
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < j; ++i) y(i, j) = 0;
      for (int k = 0; k < j; ++k) {
        T const factor = y(j, k);
        for (int i = j; i < n; ++i) y(i, j) -= y(i, k) * factor;
      }
      T const pivot = y(j, j);
      if (!(pivot > 0) || pivot > std::numeric_limits<T>::max()) return false;
      T const root = math::sqrt(pivot);
      for (int i = j; i < n; ++i) y(i, j) /= root;
    }
    return true;
  }
};

}  // namespace op
ETCH_NAMESPACE_END
