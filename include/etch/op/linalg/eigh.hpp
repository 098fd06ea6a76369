// eigh: eigenvalues and eigenvectors of symmetric matrices.
#pragma once

#include <etch/op/compare.hpp>
#include <etch/op/linalg/factor.hpp>
#include <etch/op/rounding.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The rotation that makes two directions orthogonal, from half the difference of their squares over their product
/// (H. Rutishauser, The Jacobi method for real symmetric matrices, 1966).
template <class T>
struct jacobi_rotation {
  T c, s, t;

  constexpr explicit jacobi_rotation(T theta) {
    T const size = math::abs(theta);
    t = size > 1 / std::numeric_limits<T>::epsilon() ? 1 / (2 * size) : 1 / (size + math::sqrt(size * size + 1));
    if (theta < 0) t = -t;
    c = 1 / math::sqrt(t * t + 1);
    s = t * c;
  }
  constexpr void turn(T& x, T& y) const {
    T const old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  }
};

/// Changes the sign of column `j` of n entries if the largest of them is negative.
template <class Matrix>
constexpr bool is_turned(Matrix const& v, int n, int j) {
  int largest = 0;
  for (int i = 1; i < n; ++i)
    if (math::abs(v(i, j)) > math::abs(v(largest, j))) largest = i;
  return v(largest, j) < 0;
}

/// Where the distances `x` are 0 up to rounding errors of numbers as large as those in `w` [n, 1]: a mask.
constexpr term is_rounding(term x, term w) {
  double const rounding =
      w->type == element_of<float> ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  term const scale = emit<max>(reduction::whole, emit<abs>(0, w));
  return emit<less_equal>(0, emit<abs>(0, x), (4 * rounding * w.extent()[0]) * fit(scale, make_shape(1, 1)));
}
/// `x / by`, and 0 where nothing, as `arrives` says, is to be divided by what is 0 up to rounding; NaN where there is.
constexpr term divided_where_apart(term x, term by, term is_zero, term arrives) {
  term const one = constant(*x.owner, x->type, 1), zero = constant(*x.owner, x->type, 0);
  term const undefined =
      emit<select>(0, arrives, constant(*x.owner, x->type, std::numeric_limits<double>::quiet_NaN()), zero);
  return emit<select>(0, is_zero, undefined, x / emit<select>(0, is_zero, one, by));
}

/// Eigenvectors (columns 0 to n - 1), eigenvalues in ascending order (column n), and zeros, of (A + Aᵀ) / 2, by cyclic
/// Jacobi rotations. Of each vector the largest entry is positive.
struct eigh : factorisation {
  static constexpr auto name = "eigh";
  static constexpr auto call = "std::get<0>(eigh(s))";
  static constexpr auto formula = "w ascending, V with (A + Aᵀ) / 2 = V diag(w) Vᵀ";
  static constexpr auto kinks =
      "equal eigenvalues: gradient NaN through their vectors; not finite: NaN, status not_converged";

  static constexpr shape infer(attribute, shapes<1> const& x) {
    factorisation::infer(0, x);
    return make_shape(x[0][0], 2 * x[0][0] + 1);
  }
  template <class T>
  static constexpr status run(attribute, block<T> y, block<T const> a) {
    int const n = a.extent[0];
    auto const w = [&](int i, int j) -> T& { return y(i, n + 1 + j); };
    T largest = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        y(i, j) = i == j;
        w(i, j) = a(i, j) / 2 + a(j, i) / 2;
        if (!(math::abs(w(i, j)) <= std::numeric_limits<T>::max())) return fail(y, status::not_converged);
        largest = math::abs(w(i, j)) > largest ? math::abs(w(i, j)) : largest;
      }
    constexpr T rounding = std::numeric_limits<T>::epsilon();
    bool moves = true;
    for (int sweep = 0; moves && sweep < 60; ++sweep) {
      moves = false;
      for (int p = 0; p < n; ++p)
        for (int q = p + 1; q < n; ++q) {
          T const off = w(p, q), least = std::min(math::abs(w(p, p)), math::abs(w(q, q)));
          if (math::abs(off) <= rounding / 2 * least || math::abs(off) <= rounding * rounding * largest) continue;
          moves = true;
          jacobi_rotation<T> const rotation((w(q, q) - w(p, p)) / 2 / off);
          w(p, p) -= rotation.t * off, w(q, q) += rotation.t * off;
          w(p, q) = w(q, p) = 0;
          for (int i = 0; i < n; ++i) {
            rotation.turn(y(i, p), y(i, q));
            if (i == p || i == q) continue;
            rotation.turn(w(i, p), w(i, q));
            w(p, i) = w(i, p), w(q, i) = w(i, q);
          }
        }
    }
    if (moves) return fail(y, status::not_converged);
    for (int j = 0; j < n; ++j) y(j, n) = w(j, j);
    for (int j = 0; j < n; ++j) {
      int least = j;
      for (int k = j + 1; k < n; ++k)
        if (y(k, n) < y(least, n)) least = k;
      if (least != j) {
        std::swap(y(j, n), y(least, n));
        for (int i = 0; i < n; ++i) std::swap(y(i, j), y(i, least));
      }
      bool const turned = is_turned(y, n, j);
      for (int i = 0; i < n; ++i) {
        if (turned) y(i, j) = -y(i, j);
        w(i, j) = 0;
      }
    }
    return status::ok;
  }
  /// A' = V (diag(w') + F ∘ VᵀV') Vᵀ with F_ij = 1 / (w_j - w_i), made symmetric (M. Giles, An extended collection of
  /// matrix derivative results, 2008, §3.1). A vector's own direction has no part in it. Where w_i = w_j, nothing may
  /// arrive by the vectors: they are any of a plane.
  static constexpr auto pullback(auto g, auto y, auto) {
    using etch::slice;
    graph& to = *y.owner;
    int const n = y.extent()[0];
    term const v = slice(y, region(1, 0), n), w = slice(y, region(1, n), 1);
    term const by_values = slice(g, region(1, n), 1);
    term const m = emit<matmul>(0, emit<transpose>(0, v), slice(g, region(1, 0), n));
    term const zero = constant(to, y->type, 0);
    term const off = divided_where_apart(m, emit<transpose>(0, w) - w, is_rounding(emit<transpose>(0, w) - w, w),
                                         emit<not_equal>(0, m, zero));
    term const on_diagonal = equal_to(etch::iota(to, y->type, 0, n), etch::iota(to, y->type, 1, n));
    term const core = emit<select>(0, on_diagonal, by_values, off);
    term const s = emit<matmul>(0, v, emit<matmul>(0, core, emit<transpose>(0, v)));
    return operands{0.5 * (s + emit<transpose>(0, s))};
  }
};

}  // namespace op

/// `std::tuple(values, vectors)`: the eigenvalues [n] of a symmetric matrix in ascending order, and its orthonormal
/// eigenvectors [n, n] as columns, the largest entry of each positive. Of a matrix that is not symmetric, (A + Aᵀ) / 2
/// is taken. By Jacobi's rotations: n³ a sweep, some six to ten sweeps, with all digits. Derivatives of any order;
/// where eigenvalues coincide up to rounding, those through their vectors are NaN, since these are not determined, and
/// those through the values alone are right. Not finite: NaN, `status::not_converged`. (M. Giles, An extended
/// collection of matrix derivative results, 2008.)
template <static_handle A>
constexpr auto eigh(A const& a) {
  if constexpr (A::extent.rank != 2 || A::extent[0] != A::extent[1]) {
    error::not_a_square_matrix<A>();
    return std::tuple(detail::instead_of<typename A::scalar_type, make_shape(A::extent[0])>(a), a);
  } else {
    constexpr int n = A::extent[0];
    auto const all = apply<op::eigh>(a);
    return std::tuple(
        detail::computed<make_shape(n)>(all, [](term t) { return fit(slice(t, region(1, n), 1), make_shape(n)); }),
        detail::computed<make_shape(n, n)>(all, [](term t) { return slice(t, region(1, 0), n); }));
  }
}

ETCH_NAMESPACE_END
