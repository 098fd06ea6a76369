// lu: solving and determinants by the factors of Gaussian elimination.
#pragma once

#include <etch/op/linalg/factor.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// L U = P A by partial pivoting: L below the diagonal, U on and above it, and in one column more the row swapped with
/// each. `solve` and its kin expand into it once all derivatives are taken.
struct lu : factorisation {
  static constexpr auto name = "lu";
  static constexpr auto part_of = "solve, inverse, det, logdet";
  static constexpr bool in_lanes = true, is_level_3 = true;
  static constexpr auto formula = "L U = P A, packed, with the pivots as last column";
  static constexpr bool differentiable = false;

  static constexpr shape infer(attribute, shapes<1> const& x) {
    factorisation::infer(0, x);
    return make_shape(x[0][0], x[0][0] + 1);
  }
  /// A block of columns at a time is eliminated; then the rows of U beside it are solved for, and what they eliminate
  /// is taken from the rest.
  template <class T, class Level3 = blas::plain_level_3>
  static constexpr status run(attribute, block<T> y, block<T const> a, Level3 const& level_3 = {}) {
    using blas::part, blas::to_read;
    int const n = a.extent[0];
    status outcome = status::ok;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) y(i, j) = a(i, j);
    if (n <= blas::block_rows) {
      for (int k = 0; k < n; ++k) outcome |= eliminate(y, 0, k, n);
      return outcome;
    }
    for (int first = 0; first < n; first += blas::block_rows) {
      int const end = std::min(first + blas::block_rows, n), rest = n - end;
      for (int k = first; k < end; ++k) outcome |= eliminate(y, first, k, end);
      for (int j = 0; j < n; ++j)
        for (int i = first; (j < first || j >= end) && i < end; ++i) swap_rows(y, j, y, i);
      if (rest == 0) break;
      block<T> const beside = part(y, first, end, end - first, rest);
      blas::solve_triangle(beside, to_read(part(y, first, first, end - first, end - first)), {false, true}, level_3);
      blas::negate(beside);
      level_3.add_product(part(y, end, end, rest, rest), to_read(part(y, end, first, rest, end - first)),
                          to_read(beside));
      blas::negate(beside);
    }
    return outcome;
  }
  template <class V, class Matrix>
  ETCH_DETAIL_INLINED static status run_in_lanes(attribute, block<V> y, block<Matrix const> a) {
    using T = math::scalar_in<V>;
    int const n = a.extent[0];
    auto singular = V(T(0)) != V(T(0));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) y(i, j) = V(a(i, j));
    for (int k = 0; k < n; ++k) {
      V pivot(static_cast<T>(k)), largest = math::abs(y(k, k));
      for (int i = k + 1; i < n; ++i) {
        V const size = math::abs(y(i, k));
        auto const is_larger = size > largest;
        pivot = math::where(is_larger, V(static_cast<T>(i)), pivot);
        largest = math::where(is_larger, size, largest);
      }
      y(k, n) = pivot;
      for (int j = 0; j < n; ++j) swap_rows_in_lanes(y, j, pivot, k);
      V const diagonal = y(k, k);
      auto const is_zero = diagonal == V(T(0));
      singular = singular | is_zero;
      for (int i = k + 1; i < n; ++i) y(i, k) = math::where(is_zero, y(i, k), y(i, k) / diagonal);
      for (int j = k + 1; j < n; ++j) {
        V const factor = y(k, j);
        for (int i = k + 1; i < n; ++i) y(i, j) = y(i, j) - y(i, k) * factor;
      }
    }
    return outcome_in_lanes<V>(singular, status::singular);
  }
  /// Swaps entry `k` of column `j` of `y` with that of the row `pivot`, which is none before it, in each lane.
  template <class V>
  ETCH_DETAIL_INLINED static void swap_rows_in_lanes(block<V> y, int j, V pivot, int k) {
    for (int i = k + 1; i < y.extent[0]; ++i) {
      auto const is_pivot = pivot == V(static_cast<math::scalar_in<V>>(i));
      V const upper = y(k, j), lower = y(i, j);
      y(k, j) = math::where(is_pivot, lower, upper);
      y(i, j) = math::where(is_pivot, upper, lower);
    }
  }
  /// Swaps entry `i` of column `j` of `y` with that of the row which `factors` say was the pivot then.
  template <class T>
  [[gnu::always_inline]] static constexpr void swap_rows(block<T> y, int j, auto const& factors, int i) {
    std::swap(y(i, j), y(static_cast<int>(factors(i, factors.extent[0])), j));
  }

 private:
  /// Brings the largest entry of column `k` to the diagonal, its row along in columns from `first` to `end`, and
  /// eliminates what is below it in these.
  template <class T>
  [[gnu::always_inline]] static constexpr status eliminate(block<T> y, int first, int k, int end) {
    int const n = y.extent[0];
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (math::abs(y(i, k)) > math::abs(y(pivot, k))) pivot = i;
    y(k, n) = static_cast<T>(pivot);
    if (pivot != k)
      for (int j = first; j < end; ++j) std::swap(y(k, j), y(pivot, j));
    T const diagonal = y(k, k);
    if (diagonal == 0) return status::singular;
    for (int i = k + 1; i < n; ++i) y(i, k) /= diagonal;
    for (int j = k + 1; j < end; ++j) {
      T const factor = y(k, j);
      for (int i = k + 1; i < n; ++i) y(i, j) -= y(i, k) * factor;
    }
    return status::ok;
  }
};

/// A X = B from the packed factors of A; attribute: 1 for Aᵀ X = B.
struct lu_solve : block_kind {
  static constexpr bool counts = true;
  static constexpr auto name = "lu_solve";
  static constexpr auto part_of = "solve, inverse";
  static constexpr bool in_lanes = true, is_level_3 = true;
  static constexpr auto formula = "X with A X = B, from lu(A)";
  static constexpr bool differentiable = false;
  static constexpr int arity = 2;

  static constexpr shape infer(attribute, shapes<2> const& x) {
    if (x[1].rank > 2) error::not_a_matrix(x[1]);
    if (x[0][0] != x[1][0]) error::inner_dimensions_differ(x[0], x[1]);
    if (x[0].counted != 0 || x[1].is_counted(0)) error::operation_has_no_run_time_count(name, x[1]);
    return x[1];
  }
  static std::string describe(node const& n) { return n.attributes == 0 ? "" : "<transposed>"; }
  template <class T, class Level3 = blas::plain_level_3>
  static constexpr status run(attribute transposed, block<T> y, block<T const> f, block<T const> b,
                              Level3 const& level_3 = {}) {
    int const n = f.extent[0], columns = b.extent[1];
    for (int i = 0; i < n; ++i)
      if (f(i, i) == 0) return factorisation::fail(y, status::singular);
    block<T const> const factors = blas::part(f, 0, 0, n, n);
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < n; ++i) y(i, j) = b(i, j);
      for (int i = 0; transposed == 0 && i < n; ++i) lu::swap_rows(y, j, f, i);
    }
    if (transposed == 0) {
      blas::solve_triangle(y, factors, {false, true}, level_3);
      blas::solve_triangle(y, factors, {true, false}, level_3);
    } else {
      blas::solve_triangle(y, blas::transposed(factors), {false, false}, level_3);
      blas::solve_triangle(y, blas::transposed(factors), {true, true}, level_3);
      for (int j = 0; j < columns; ++j)
        for (int i = n - 1; i >= 0; --i) lu::swap_rows(y, j, f, i);
    }
    return status::ok;
  }
  template <class V, class Factors, class Right>
  ETCH_DETAIL_INLINED static status run_in_lanes(attribute transposed, block<V> y, block<Factors const> f,
                                                 block<Right const> b) {
    int const n = f.extent[0], columns = b.extent[1];
    auto const singular = factorisation::zeros_on_diagonal<V>(f);
    block<Factors const> const factors = blas::part(f, 0, 0, n, n);
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < n; ++i) y(i, j) = V(b(i, j));
      for (int i = 0; transposed == 0 && i < n; ++i) lu::swap_rows_in_lanes(y, j, V(f(i, n)), i);
    }
    using level_3 = blas::plain_level_3;
    if (transposed == 0) {
      level_3::substitute(y, factors, {false, true});
      level_3::substitute(y, factors, {true, false});
    } else {
      level_3::substitute(y, blas::transposed(factors), {false, false});
      level_3::substitute(y, blas::transposed(factors), {true, true});
      for (int j = 0; j < columns; ++j)
        for (int i = n - 1; i >= 0; --i) lu::swap_rows_in_lanes(y, j, V(f(i, n)), i);
    }
    return factorisation::fail_in_lanes(y, singular, status::singular);
  }
};

/// The determinant from the packed factors; attribute: 1 for its logarithm.
struct lu_det : block_kind {
  static constexpr auto name = "lu_det";
  static constexpr auto part_of = "det, logdet";
  static constexpr auto formula = "det A or log(det A), from lu(A)";
  static constexpr bool differentiable = false, in_lanes = true;
  static constexpr int arity = 1;

  static constexpr shape infer(attribute, shapes<1> const&) { return {}; }
  static std::string describe(node const& n) { return n.attributes == 0 ? "" : "<log>"; }
  template <class T>
  static constexpr status run(attribute logarithm, block<T> y, block<T const> f) {
    int const n = f.extent[0];
    T product = 1, sum = 0;
    for (int i = 0; i < n; ++i) {
      T const d = static_cast<int>(f(i, n)) == i ? f(i, i) : -f(i, i);
      product *= logarithm ? (d < 0 ? T(-1) : T(1)) : d;
      if (logarithm) sum += math::log(math::abs(d));
    }
    y(0) = !logarithm ? product : product < 0 && sum > -math::infinity<T> ? math::not_a_number<T> : sum;
    return status::ok;
  }
  template <class V, class Factors>
  ETCH_DETAIL_INLINED static status run_in_lanes(attribute logarithm, block<V> y, block<Factors const> f) {
    using T = math::scalar_in<V>;
    int const n = f.extent[0];
    V const zero(T(0)), one(T(1));
    V product = one, sum = zero;
    for (int i = 0; i < n; ++i) {
      V const pivot = V(f(i, i)), d = math::where(V(f(i, n)) == V(static_cast<T>(i)), pivot, -pivot);
      product = product * (logarithm ? math::where(d < zero, -one, one) : d);
      if (logarithm) sum = sum + math::log(math::abs(d));
    }
    auto const is_undefined = (product < zero) & (sum > V(-math::infinity<T>));
    y(0) = !logarithm ? product : math::where(is_undefined, V(math::not_a_number<T>), sum);
    return status::ok;
  }
};

}  // namespace op
ETCH_NAMESPACE_END
