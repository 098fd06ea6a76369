// cofactors: the derivative of the determinant, of singular matrices too.
#pragma once

#include <etch/op/linalg/factor.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The matrix of cofactors, det A · A⁻ᵀ where A is regular (columns 0 to n - 1), and zeros. From L U = P A Q with
/// pivots chosen in the whole matrix: of U only the last pivots can vanish, and by the last one nothing is divided.
/// The rest is the outer product of the null vectors where the rank is n - 1, and 0 where it is less.
struct cofactors : factorisation {
  static constexpr auto name = "cofactors";
  static constexpr auto part_of = "the gradient of det";
  static constexpr auto formula = "the matrix of cofactors, and zeros beside it";
  static constexpr auto kinks = "second derivatives at a singular matrix: NaN, status singular";

  static constexpr shape infer(attribute, shapes<1> const& x) {
    factorisation::infer(0, x);
    return make_shape(x[0][0], 2 * x[0][0] + 2);
  }
  template <class T>
  static constexpr status run(attribute, block<T> y, block<T const> a) {
    int const n = a.extent[0];
    auto const f = [&](int i, int j) -> T& { return y(i, n + j); };
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) f(i, j) = a(i, j);
    T sign = 1, product = 1;  // of all pivots but the last one
    for (int k = 0; k < n; ++k) {
      int row = k, column = k;
      for (int j = k; j < n; ++j)
        for (int i = k; i < n; ++i)
          if (math::abs(f(i, j)) > math::abs(f(row, column))) row = i, column = j;
      f(k, n) = static_cast<T>(row), f(k, n + 1) = static_cast<T>(column);
      if (row != k) sign = -sign;
      if (column != k) sign = -sign;
      for (int j = 0; j < n && row != k; ++j) std::swap(f(k, j), f(row, j));
      for (int i = 0; i < n && column != k; ++i) std::swap(f(i, k), f(i, column));
      T const pivot = f(k, k);
      if (k + 1 < n) product *= pivot;
      if (pivot == 0) continue;
      for (int i = k + 1; i < n; ++i) f(i, k) /= pivot;
      for (int j = k + 1; j < n; ++j)
        for (int i = k + 1; i < n; ++i) f(i, j) -= f(i, k) * f(k, j);
    }
    T const last = f(n - 1, n - 1);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) y(i, j) = 0;
      if (product == 0) continue;
      // Column j of L⁻ᵀ adj(U)ᵀ: z = U⁻ᵀ e without the last row and column, times all pivots; in the last row -u · z.
      T below = 0;
      for (int i = j; i + 1 < n; ++i) {
        T z = i == j;
        for (int k = j; k < i; ++k) z -= f(k, i) * y(k, j);
        y(i, j) = z / f(i, i);
        below -= f(i, n - 1) * y(i, j);
      }
      // The last pivot first: it is no larger than the one divided by, where det A = product * last may be out of
      // range.
      for (int i = j; i + 1 < n; ++i) y(i, j) = y(i, j) * last * (sign * product);
      y(n - 1, j) = sign * product * (j + 1 < n ? below : T(1));
      for (int i = n - 1; i >= 0; --i)
        for (int k = i + 1; k < n; ++k) y(i, j) -= f(k, i) * y(k, j);
    }
    for (int k = n - 1; k >= 0; --k) {
      int const row = static_cast<int>(f(k, n)), column = static_cast<int>(f(k, n + 1));
      for (int j = 0; j < n && row != k; ++j) std::swap(y(k, j), y(row, j));
      for (int i = 0; i < n && column != k; ++i) std::swap(y(i, k), y(i, column));
    }
    for (int j = 0; j < n + 2; ++j)
      for (int i = 0; i < n; ++i) f(i, j) = 0;
    return status::ok;
  }
  /// A' = <C', C> A⁻ᵀ - A⁻ᵀ C'ᵀ C.
  static constexpr auto pullback(auto g, auto y, auto a) {
    using etch::slice;
    graph& to = *y.owner;
    int const n = a.extent()[0];
    term const by = slice(g, region(1, 0), n), c = slice(y, region(1, 0), n);
    term const inverse = emit<solve>(1, a, etch::detail::identity(to, a->type, n, 1));
    term const change = emit<matmul>(0, inverse, emit<matmul>(0, emit<transpose>(0, by), c));
    return operands{emit<sum>(reduction::whole, by * c) * inverse - change};
  }
};

}  // namespace op
ETCH_NAMESPACE_END
