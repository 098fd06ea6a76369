// Eigen's decompositions and triangular views, as far as they solve systems of equations.
#pragma once

#include <etch/op/eigen/assign.hpp>
#include <etch/op/linear.hpp>
#include <etch/op/prod.hpp>
#include <etch/op/rounding.hpp>
#include <etch/op/linalg/triangle.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class X>
constexpr auto least_squares_needs_rows() {
  static_assert(never<X>, "etch: least squares need a matrix with at least as many rows as columns");
  return mistake{};
}
template <class X, unsigned Mode>
constexpr auto triangle_is_unknown() {
  static_assert(never<X>,
                "etch: a triangle is Eigen::Lower, Upper, UnitLower, UnitUpper, StrictlyLower or StrictlyUpper, and "
                "solve needs one of the "
                "first four");
  return mistake{};
}
}  // namespace error

namespace detail {

// Eigen's modes, which are bits (Eigen/src/Core/util/Constants.h): which triangle, and what is on its diagonal.
inline constexpr unsigned lower_bit = 1, upper_bit = 2, unit_bit = 4, zero_bit = 8;

/// The triangle of `x`, with ones or zeros on its diagonal where the mode says so.
template <unsigned Mode, static_handle X>
constexpr auto eigen_triangle(X const& x) {
  constexpr bool upper = (Mode & upper_bit) != 0;
  constexpr int inward = (Mode & (unit_bit | zero_bit)) == 0 ? 0 : 1;
  auto const strict = triangle_of<upper ? inward : -inward, !upper>(x);
  if constexpr ((Mode & unit_bit) == 0) return strict;
  else return strict + make_expr<typename X::scalar_type, X::extent>(nullptr, identity_id, 1);
}
/// The symmetric matrix of which `x` holds one triangle.
template <unsigned Mode, static_handle X>
constexpr auto symmetric_of(X const& x) {
  constexpr bool upper = (Mode & upper_bit) != 0;
  return triangle_of<0, !upper>(x) + transpose(triangle_of<upper ? 1 : -1, !upper>(x));
}

}  // namespace detail

/// A factorisation of a square matrix by LU with partial pivoting, whatever its name in Eigen.
template <static_handle A>
struct square_solver {
  A matrix;

  template <static_handle B>
  constexpr auto solve(B const& b) const {
    return etch::solve(matrix, b);
  }
  constexpr auto determinant() const { return etch::det(matrix); }
  constexpr auto inverse() const { return etch::inverse(matrix); }
};

/// The Cholesky factorisation of a matrix, of which the lower triangle is read.
template <static_handle A>
struct cholesky_solver {
  A factor;

  constexpr auto matrixL() const { return factor; }
  constexpr auto matrixU() const { return etch::transpose(factor); }
  template <static_handle B>
  constexpr auto solve(B const& b) const {
    return etch::triangular_solve<true>(etch::transpose(factor), etch::triangular_solve(factor, b));
  }
};

/// Least squares: of a square matrix its solution, else the normal equations, refined once by what they leave over (A.
/// Björck, Numerical Methods for Least Squares Problems, 1996, section 2.9).
template <static_handle A>
struct least_squares_solver {
  A matrix;

  template <static_handle B>
  constexpr auto solve(B const& b) const {
    if constexpr (A::extent[0] == A::extent[1]) {
      return etch::solve(matrix, b);
    } else if constexpr (A::extent[0] < A::extent[1]) {
      error::least_squares_needs_rows<A>();
      return etch::transpose(matrix) * b;
    } else {
      auto const transposed = etch::transpose(matrix);
      cholesky_solver const normal{etch::cholesky(transposed * matrix)};
      auto const first = normal.solve(transposed * b);
      return first + normal.solve(transposed * (b - matrix * first));
    }
  }
  constexpr auto inverse() const { return etch::inverse(matrix); }
  constexpr auto absDeterminant() const { return etch::abs(etch::det(matrix)); }
};

/// A triangle of a matrix.
template <static_handle A, unsigned Mode>
struct triangular_view {
  A matrix;

  constexpr auto toDenseMatrix() const { return detail::eigen_triangle<Mode>(matrix); }
  constexpr auto transpose() const {
    constexpr unsigned turned = (Mode & (detail::unit_bit | detail::zero_bit)) |
                                ((Mode & detail::upper_bit) != 0 ? detail::lower_bit : detail::upper_bit);
    auto const of = etch::transpose(matrix);
    return triangular_view<std::remove_const_t<decltype(of)>, turned>{of};
  }
  constexpr auto adjoint() const { return transpose(); }
  constexpr auto determinant() const { return etch::prod(etch::diagonal(toDenseMatrix())); }
  template <static_handle B>
  constexpr auto solve(B const& b) const {
    if constexpr ((Mode & detail::zero_bit) != 0) error::triangle_is_unknown<A, Mode>();
    constexpr bool upper = (Mode & detail::upper_bit) != 0;
    if constexpr ((Mode & detail::unit_bit) != 0) return etch::triangular_solve<upper>(toDenseMatrix(), b);
    else return etch::triangular_solve<upper>(matrix, b);
  }

  template <static_handle B>
  friend constexpr auto operator*(triangular_view const& t, B const& b) {
    return t.toDenseMatrix().matrix() * b;
  }
  template <static_handle B>
  friend constexpr auto operator*(B const& b, triangular_view const& t) {
    return b * t.toDenseMatrix().matrix();
  }
  /// A matrix with zeros in the other triangle.
  template <static_handle M>
    requires(same_extents(M::extent, A::extent))
  constexpr operator M() const {
    return toDenseMatrix();
  }
};

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::llt() const {
  auto const factor = etch::cholesky(detail::symmetric_of<detail::lower_bit>(self()));
  return cholesky_solver<std::remove_const_t<decltype(factor)>>{factor};
}
/// Solves with a symmetric matrix, whose lower triangle is read; it must be invertible.
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::ldlt() const {
  auto const symmetric = detail::symmetric_of<detail::lower_bit>(self());
  return square_solver<std::remove_const_t<decltype(symmetric)>>{symmetric};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::lu() const {
  return square_solver<X>{self()};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::partialPivLu() const {
  return square_solver<X>{self()};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::fullPivLu() const {
  return square_solver<X>{self()};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::householderQr() const {
  return least_squares_solver<X>{self()};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::colPivHouseholderQr() const {
  return least_squares_solver<X>{self()};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::fullPivHouseholderQr() const {
  return least_squares_solver<X>{self()};
}
template <class X, class Base>
template <unsigned Mode>
constexpr auto eigen_methods<X, Base>::triangularView() const {
  if constexpr ((Mode & 3) == 0 || (Mode & 3) == 3 || Mode > 10) error::triangle_is_unknown<X, Mode>();
  return triangular_view<X, Mode>{self()};
}
/// The symmetric matrix, written in full.
template <class X, class Base>
template <unsigned Mode>
constexpr auto eigen_methods<X, Base>::selfadjointView() const {
  if constexpr (Mode != detail::lower_bit && Mode != detail::upper_bit) error::triangle_is_unknown<X, Mode>();
  return detail::symmetric_of<Mode>(self());
}

ETCH_NAMESPACE_END
