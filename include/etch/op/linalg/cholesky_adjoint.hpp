// cholesky_adjoint: the derivative of a factor, as one pass over it.
#pragma once

#include <etch/op/linalg/factor.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Of A = L Lᵀ and the adjoint G of L, of which the lower triangle is read, that of A: (S + Sᵀ) / 2, S = L⁻ᵀ P L⁻¹, P
/// the lower triangle of LᵀG with its diagonal halved. Twice the work of the factor: an entry of A' is final once those
/// behind it are (I. Murray, Differentiation of the Cholesky decomposition, 2016, §3.3 and eq. 10).
struct cholesky_adjoint : block_kind {
  static constexpr auto name = "cholesky_adjoint";
  static constexpr auto part_of = "the gradient of cholesky";
  static constexpr auto formula = "the adjoint of A from L and that of L";
  static constexpr int arity = 2;
  static constexpr bool in_lanes = true, is_level_3 = true;

  static constexpr shape infer(attribute, shapes<2> const& x) { return factorisation::infer(0, {x[0]}); }

  template <class T, class Level3 = blas::plain_level_3>
  static constexpr status run(attribute, block<T> y, block<T const> l, block<T const> g, Level3 const& level_3 = {}) {
    using blas::part, blas::to_read, blas::transposed;
    int const n = l.extent[0];
    start(y, g);
    if (n <= blas::block_rows) {
      go_back(y, l);
    } else {
      for (int end = n, first = 0; end > 0; end = first) {
        first = (end - 1) / blas::block_rows * blas::block_rows;
        int const count = end - first, below = n - end;
        block<T> const own = part(y, first, first, count, count), before = part(y, first, 0, count, first);
        block<T> const under = part(y, end, first, below, count);
        block<T const> const rows = part(l, first, 0, count, first);
        if (below > 0) {
          level_3.substitute(transposed(under), transposed(part(l, first, first, count, count)), {true, false});
          blas::negate(under);
          level_3.add_product(own, to_read(transposed(under)), part(l, end, first, below, count));
        }
        go_back_by_rows(own, part(l, first, first, count, count));
        if (first > 0) {
          if (below > 0) {
            level_3.add_product(part(y, end, 0, below, first), to_read(under), rows);
            level_3.add_product(before, to_read(transposed(under)), part(l, end, 0, below, first));
          }
          T entries[blas::block_rows * blas::block_rows]{};
          block<T> const both{entries, own.extent, contiguous_strides(own.extent)};
          for (int j = 0; j < count; ++j)
            for (int i = 0; i < count; ++i) both(i, j) = i == j ? -2 * own(i, i) : -own(std::max(i, j), std::min(i, j));
          level_3.add_product(before, to_read(both), rows);
        }
        blas::negate(under);
      }
    }
    mirror(y);
    return status::ok;
  }
  template <class V, class Matrix, class Right>
  ETCH_DETAIL_INLINED static status run_in_lanes(attribute, block<V> y, block<Matrix const> l, block<Right const> g) {
    start(y, g);
    go_back(y, l);
    mirror(y);
    return status::ok;
  }
  /// With H = (Y' + Y'ᵀ) / 2, X = L⁻¹ H, and N the lower triangle of X L⁻ᵀ with its diagonal halved: G' = L N and L' =
  /// G Nᵀ - 2 Y Xᵀ, of both the lower triangle.
  static constexpr auto pullback(auto h, auto y, auto l, auto g) {
    using etch::detail::triangle;
    auto const turned = [](term x) { return emit<transpose>(0, x); };
    term const x = emit<triangular_solve>(0, l, 0.5 * (h + turned(h)));
    term const n = cholesky::halved(emit<triangular_solve>(0, l, turned(x)));
    term const by_g = triangle(emit<matmul>(0, l, n), 0, true);
    term const left = emit<matmul>(0, triangle(g, 0, true), turned(n)), right = emit<matmul>(0, y, turned(x));
    return operands{triangle(left - 2.0 * right, 0, true), by_g};
  }

 private:
  /// The lower triangle of G, and zeros.
  template <class V, class Right>
  [[gnu::always_inline]] static constexpr void start(block<V> y, block<Right const> g) {
    int const n = y.extent[0];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) y(i, j) = i < j ? V(0) : V(g(i, j));
  }
  /// In the lower triangle of `y`, what arrives at L becomes what arrives at A, each entry below the diagonal for both
  /// of its places. `l` is the factor, or a block on its diagonal.
  template <class V, class Matrix>
  [[gnu::always_inline]] static constexpr void go_back(block<V> y, block<Matrix const> l) {
    int const n = y.extent[0];
    for (int j = n - 1; j >= 0; --j) {
      V const diagonal = V(l(j, j));
      V sum = y(j, j);
      for (int i = j + 1; i < n; ++i) {
        y(i, j) = y(i, j) / diagonal;
        sum = sum - V(l(i, j)) * y(i, j);
      }
      sum = sum / diagonal;
      for (int k = 0; k < j; ++k) y(j, k) = y(j, k) - sum * V(l(j, k));
      for (int i = j + 1; i < n; ++i) {
        V const factor = y(i, j);
        for (int k = 0; k < j; ++k) {
          y(j, k) = y(j, k) - factor * V(l(i, k));
          y(i, k) = y(i, k) - factor * V(l(j, k));
        }
      }
      y(j, j) = sum * V(0.5f);
    }
  }
  /// The same by copies whose rows adjoin, for a block within a matrix.
  template <class T>
  static constexpr void go_back_by_rows(block<T> const& y, block<T const> const& l) {
    constexpr int step = blas::block_rows;
    int const n = y.extent[0];
    T of_y[step * step], of_l[step * step];
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i) of_y[i * step + j] = y(i, j), of_l[i * step + j] = l(i, j);
    strides const by_rows{step, 1};
    go_back(block<T>{of_y, y.extent, by_rows}, block<T const>{of_l, y.extent, by_rows});
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i) y(i, j) = of_y[i * step + j];
  }
  template <class V>
  [[gnu::always_inline]] static constexpr void mirror(block<V> y) {
    for (int j = 0; j < y.extent[0]; ++j)
      for (int i = j + 1; i < y.extent[0]; ++i) y(i, j) = y(j, i) = y(i, j) * V(0.5f);
  }
};

}  // namespace op
ETCH_NAMESPACE_END
