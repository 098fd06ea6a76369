// Linear algebra with rules for whole matrices (M. Giles, An extended collection of matrix derivative results for
// forward and reverse mode algorithmic differentiation, 2008).
#pragma once

#include <etch/op/linalg/cholesky_adjoint.hpp>
#include <etch/op/linalg/cofactors.hpp>
#include <etch/op/linalg/lu.hpp>
#include <etch/op/linalg/minors.hpp>
#include <etch/op/stray_operands.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// A X = B; attribute: 1 for Aᵀ X = B, so that both share one factorisation.
struct solve : composite_kind {
  static constexpr auto name = "solve";
  static constexpr auto call = "solve(s, b)";
  static constexpr auto formula = "X with A X = B";
  static constexpr auto kinks = "singular: NaN, status singular";
  static constexpr int arity = 2;
  static constexpr shape infer(attribute, shapes<2> const& x) { return triangular_solve::infer(0, x); }
  static constexpr auto expand(attribute transposed, auto a, auto b) {
    return emit<lu_solve>(transposed, emit<lu>(0, a), b);
  }
  static std::string describe(node const& n) { return lu_solve::describe(n); }
  /// B' = A⁻ᵀ X', A' = -B' Xᵀ  (Giles §2.3.1).
  static constexpr auto pullback(auto g, auto y, auto a, auto, attribute transposed) {
    term const b = emit<solve>(1 - transposed, a, g);
    shape const columns = y.extent().rank == 2 ? y.extent() : make_shape(y.extent()[0], 1);
    term const left = fit(transposed ? y : b, columns), right = fit(transposed ? b : y, columns);
    return operands{-emit<matmul>(0, left, emit<transpose>(0, right)), b};
  }
};

struct inverse : composite_kind {
  static constexpr auto name = "inverse";
  static constexpr auto call = "inverse(s)";
  static constexpr auto formula = "A⁻¹";
  static constexpr auto kinks = "singular: NaN, status singular";
  static constexpr int arity = 1;
  static constexpr shape infer(attribute, shapes<1> const& x) { return factorisation::infer(0, x); }
  static constexpr auto expand(attribute, auto a) {
    return emit<lu_solve>(0, emit<lu>(0, a), etch::detail::identity(*a.owner, a->type, a.extent()[0], 1));
  }
  /// A' = -Yᵀ Y' Yᵀ  (Giles §2.2.3).
  static constexpr auto pullback(auto g, auto y, auto) {
    term const t = emit<transpose>(0, y);
    return operands{-emit<matmul>(0, t, emit<matmul>(0, g, t))};
  }
};

/// Determinant.
struct det : composite_kind {
  static constexpr auto name = "det";
  static constexpr auto call = "det(s)";
  static constexpr auto formula = "det A";
  static constexpr auto kinks =
      "singular: value 0, gradient the cofactors, second derivatives of more than 3 rows NaN, status singular";
  static constexpr int arity = 1;
  static constexpr shape infer(attribute, shapes<1> const& x) {
    factorisation::infer(0, x);
    return {};
  }
  static constexpr auto expand(attribute, auto a) {
    return is_small(a) ? emit<small_det>(0, a) : emit<lu_det>(0, emit<lu>(0, a));
  }
  /// A' = y' times the cofactors, which are y A⁻ᵀ of a regular matrix  (Giles §2.2.4).
  static constexpr auto pullback(auto g, auto, auto a) {
    return operands{g * (is_small(a) ? minors(a) : etch::slice(emit<cofactors>(0, a), region(1, 0), a.extent()[0]))};
  }
};

/// Logarithm of the determinant.
struct logdet : composite_kind {
  static constexpr auto name = "logdet";
  static constexpr auto call = "logdet(s)";
  static constexpr auto formula = "log(det A)";
  static constexpr auto kinks = "det A < 0: NaN; det A = 0: -inf, gradient NaN, status singular";
  static constexpr int arity = 1;
  static constexpr shape infer(attribute, shapes<1> const& x) { return det::infer(0, x); }
  static constexpr auto expand(attribute, auto a) { return emit<lu_det>(1, emit<lu>(0, a)); }
  /// A' = y' A⁻ᵀ  (Giles §2.2.4).
  static constexpr auto pullback(auto g, auto y, auto a) {
    // An undefined logarithm has an undefined gradient: y - y is 0, or NaN.
    return operands{(g + (y - y)) * emit<solve>(1, a, etch::detail::identity(*a.owner, a->type, a.extent()[0], 1))};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

namespace detail {
template <static_handle A>
inline constexpr bool is_square = A::extent.rank == 2 && A::extent[0] == A::extent[1];

/// `Op` on a square matrix; a result has the shape `Extent`.
template <class Op, shape Extent, static_handle A>
constexpr auto apply_to_square(A const& a) {
  if constexpr (is_square<A>) return apply<Op>(a);
  else {
    error::not_a_square_matrix<A>();
    return instead_of<typename A::scalar_type, Extent>(a);
  }
}
/// `Op` on a square matrix and a right-hand side.
template <class Op, attribute Bits, static_handle A, static_handle B>
constexpr auto apply_to_system(A const& a, B const& b) {
  using T = decltype(meeting_type<A, B>());
  if constexpr (!is_square<A>) {
    error::not_a_square_matrix<A>();
    return instead_of<T, B::extent>(a, b);
  } else if constexpr (B::extent.rank > 2) {
    error::not_a_matrix<B>();
    return instead_of<T, B::extent>(a, b);
  } else if constexpr (A::extent[1] != B::extent[0]) {
    error::inner_dimensions_differ<A, B>();
    return instead_of<T, B::extent>(a, b);
  } else if constexpr (A::extent.counted != 0 || B::extent.is_counted(0)) {
    error::operation_has_no_run_time_count<std::conditional_t<A::extent.counted != 0, A, B>>();
    return instead_of<T, B::extent>(a, b);
  } else {
    return apply<Op, Bits>(cast<T>(a), cast<T>(b));
  }
}
}  // namespace detail

/// The solution X of A X = B, B a vector or a matrix, by LU factorisation with partial pivoting.
/// Singular A: NaN, `status::singular`.
template <static_handle A, static_handle B>
constexpr auto solve(A const& a, B const& b) {
  return detail::apply_to_system<op::solve, 0>(a, b);
}
/// The solution X of T X = B for a lower triangular T (or an upper one); the other triangle is not read.
template <bool Upper = false, static_handle A, static_handle B>
constexpr auto triangular_solve(A const& t, B const& b) {
  return detail::apply_to_system<op::triangular_solve, Upper>(t, b);
}
/// The inverse of a matrix. To multiply by it, `solve` is cheaper and more accurate.
template <static_handle A>
constexpr auto inverse(A const& a) {
  return detail::apply_to_square<op::inverse, A::extent>(a);
}
/// The determinant of a matrix. Its gradient, the matrix of cofactors, is right for singular matrices too; second
/// derivatives there are NaN, but of matrices of up to three rows. Singular: `status::singular`.
template <static_handle A>
constexpr auto det(A const& a) {
  return detail::apply_to_square<op::det, shape{}>(a);
}
template <class A, class B>
  requires detail::stray_operands<A, B>
constexpr auto solve(A const& a, B const& b) {
  return detail::with_constants([](auto const& x, auto const& y) { return etch::solve(x, y); }, a, b);
}
/// The logarithm of a matrix's determinant; NaN where that is negative.
template <static_handle A>
constexpr auto logdet(A const& a) {
  return detail::apply_to_square<op::logdet, shape{}>(a);
}
/// The lower triangular L with L Lᵀ = A, for a symmetric positive definite A (of any other, (A + Aᵀ) / 2 is taken).
/// Where there is none: NaN, `status::not_positive_definite`.
template <static_handle A>
constexpr auto cholesky(A const& a) {
  return detail::apply_to_square<op::cholesky, A::extent>(a);
}
/// The matrix a bᵀ of all products of entries of two vectors.
template <static_handle A, static_handle B>
constexpr auto outer(A const& a, B const& b) {
  return matmul(reshape<-1, 1>(a), reshape<1, -1>(b));
}
template <class A, class B>
  requires detail::stray_operands<A, B>
constexpr auto outer(A const& a, B const& b) {
  return detail::with_constants([](auto const& x, auto const& y) { return etch::outer(x, y); }, a, b);
}
template <class A, class B>
  requires(detail::traced_pair<A, B> && (scalar<A> || scalar<B>))
constexpr auto outer(A const& a, B const& b) {
  error::number_is_no_vector<A, B>();
  return detail::instead_of<detail::likely_type<A, B>, make_shape(1, 1)>(a, b);
}
template <class A, class B>
  requires detail::stray_operands<A, B>
constexpr auto matmul(A const& a, B const& b) {
  return detail::with_constants([](auto const& x, auto const& y) { return etch::matmul(x, y); }, a, b);
}
/// xᵀ A x.
template <static_handle X, static_handle A>
constexpr auto quadratic_form(X const& x, A const& a) {
  return sum(cwise_product(x, matmul(a, x)));
}

ETCH_NAMESPACE_END
